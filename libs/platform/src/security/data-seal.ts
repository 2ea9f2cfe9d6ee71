import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../config/config.js';

const VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES_MAX = 40;

/** A key of `DATA_KEYS`: each text sealed under it contains its id. */
export interface DataKey {
  readonly id: string;
  readonly secret: string;
}
/** Parses a key of `DATA_KEYS`, `id:secret`, without judging its strength. Without a colon it has no secret. */
export function dataKeyOf(text: string): DataKey {
  const [id = '', secret = ''] = text.split(/:(.*)/s, 2);
  return { id, secret };
}

/**
 * A sealed text does not open: it was changed, or was sealed for another purpose, or under a key that is no longer
 * there. The message says which.
 */
export class SealBroken extends Error {}

/**
 * Seals personal data so that a leaked table alone reveals nothing: AES-256-GCM, each purpose under a key of its own
 * (HKDF-SHA-256). A sealed text is `v1.<key id>.<nonce, content, tag>`; a text sealed for one purpose and one record
 * opens for no other. New seals are made under the first key, all keys open: so that keys can be changed while the
 * exchange runs (docs/data-keys.md) [HARD-316].
 */
export class DataSeal {
  /** Id of the key of new seals. */
  readonly newest: string;
  private readonly secrets: ReadonlyMap<string, string>;
  private readonly derived = new Map<string, Buffer>();

  /**
   * `keys` as in `DATA_KEYS`, newest first; `fallbacks`: secrets that are used while there are none, and that open
   * earlier seals.
   */
  constructor(keys: readonly DataKey[], fallbacks: readonly string[]) {
    const all = [...keys, ...fallbacks.map((secret) => ({ id: idOf(secret), secret }))];
    const [first] = all;
    if (!first) throw new Error('invariant: nothing to seal under');
    this.newest = first.id;
    this.secrets = new Map(all.map(({ id, secret }) => [id, secret]));
  }

  /** `context` names the record, so that a seal cannot be moved to another one. */
  seal(purpose: string, content: Uint8Array, context = ''): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.key(this.newest, purpose), nonce).setAAD(Buffer.from(context));
    const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([Buffer.from(`${VERSION}.${this.newest}.`), nonce, sealed, cipher.getAuthTag()]);
  }

  /** Throws `SealBroken`. */
  open(purpose: string, sealed: Uint8Array, context = ''): Buffer {
    const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
    const id = keyIdOf(bytes);
    if (id === null) throw new SealBroken('this is not sealed');
    if (!this.secrets.has(id)) throw new SealBroken(`sealed under the key ${id}, which DATA_KEYS does not have`);
    const body = bytes.subarray(`${VERSION}.${id}.`.length);
    if (body.length < NONCE_BYTES + TAG_BYTES) throw new SealBroken('cut short');
    const decipher = createDecipheriv('aes-256-gcm', this.key(id, purpose), body.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(Buffer.from(context))
      .setAuthTag(body.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(body.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
    } catch (error) {
      throw new SealBroken('changed, or sealed for something else', { cause: error });
    }
  }

  /** As `seal`, for columns of text: everything after the key id is base64url. */
  sealText(purpose: string, text: string, context = ''): string {
    const bytes = this.seal(purpose, Buffer.from(text), context);
    const head = `${VERSION}.${this.newest}.`;
    return head + bytes.subarray(head.length).toString('base64url');
  }

  /** Throws `SealBroken`. */
  openText(purpose: string, sealed: string, context = ''): string {
    const [version, id, body, ...more] = sealed.split('.');
    if (version !== VERSION || id === undefined || body === undefined || more.length > 0)
      throw new SealBroken('this is not sealed');
    const bytes = Buffer.concat([Buffer.from(`${VERSION}.${id}.`), Buffer.from(body, 'base64url')]);
    return this.open(purpose, bytes, context).toString('utf8');
  }

  /**
   * Marks by which sealed texts are found that are equal except for case and blanks: one for each key, newest first.
   * The first is stored.
   */
  marks(purpose: string, text: string): string[] {
    const folded = text.normalize('NFKC').trim().toLowerCase().replace(/\s+/gu, ' ');
    return [...this.secrets.keys()].map((id) => {
      const hash = createHmac('sha256', this.key(id, `mark ${purpose}`))
        .update(folded)
        .digest();
      return `${id}:${hash.subarray(0, 16).toString('base64url')}`;
    });
  }

  private key(id: string, purpose: string): Buffer {
    const name = `${id}\n${purpose}`;
    const known = this.derived.get(name);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.secrets.get(id) ?? '', '', `bourse data ${purpose}`, 32));
    this.derived.set(name, key);
    return key;
  }
}

/**
 * The seal of a service that has no secret of its own for it: under its data keys, and under `INTERNAL_SECRET` where
 * there are none (docs/data-keys.md).
 */
export const sealOf = ({
  dataKeys,
  internalSecret,
  internalSecretsOld,
}: Pick<Config, 'dataKeys' | 'internalSecret' | 'internalSecretsOld'>): DataSeal =>
  new DataSeal(dataKeys, [internalSecret, ...internalSecretsOld]);

/** Id of the key that bytes or a text are sealed under; null: they are not sealed by `DataSeal`. */
export function keyIdOf(sealed: Uint8Array | string): string | null {
  const head =
    typeof sealed === 'string'
      ? sealed.slice(0, HEAD_BYTES_MAX)
      : Buffer.from(sealed.buffer, sealed.byteOffset, Math.min(sealed.byteLength, HEAD_BYTES_MAX)).toString('latin1');
  return /^v1\.([a-z0-9_-]{1,32})\./.exec(head)?.[1] ?? null;
}

/** A secret without an id of its own gets one that reveals nothing about it. */
const idOf = (secret: string): string =>
  `_${createHash('sha256').update(`bourse key id\n${secret}`).digest('hex').slice(0, 8)}`;
