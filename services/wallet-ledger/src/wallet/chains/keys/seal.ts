import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/**
 * 1: the key is derived by HKDF, which makes a short secret fast to guess; only opened, never written. 2: by scrypt,
 * with the id of its key.
 */
const VERSIONS = { hkdf: 1, scrypt: 2 } as const;
const SALT = 16;
const NONCE = 12;
const TAG = 16;
const KEY_ID = 8;
const HKDF_HEAD = 1 + SALT + NONCE + TAG;
const SCRYPT_HEAD = 4 + KEY_ID + SALT + NONCE + TAG;

/** Cost of one guess of the secret for an attacker with the sealed text (RFC 7914). */
export interface SealCost {
  /** N is two to this power. */
  readonly logN: number;
  readonly r: number;
  readonly p: number;
}
/** OWASP's recommendation for scrypt: 128 MB and about half a second on one core. */
export const SEAL_COST: SealCost = { logN: 17, r: 8, p: 1 };
/** Accepted costs of a sealed text: we never sealed with less, and more would block the start. */
const LIMITS = { logN: { min: 10, max: 20 }, r: { min: 8, max: 16 }, p: { min: 1, max: 4 } } as const;

/** The secret does not open this seal. */
export class WrongKey extends Error {}

/**
 * AES-256-GCM under a key derived from the secret by scrypt. Version, cost, id of the key, salt, nonce, tag, content;
 * everything before the nonce is authenticated, as is `purpose`: a sealed text opens only for its own purpose. The id
 * names the secret it is sealed under and is derived behind scrypt too, so that it gives no faster way to guess.
 */
export async function seal(
  secret: string,
  purpose: string,
  content: Uint8Array,
  cost: SealCost = SEAL_COST,
): Promise<Buffer> {
  const salt = randomBytes(SALT);
  const nonce = randomBytes(NONCE);
  const { key, id } = await keyOf(secret, salt, purpose, cost);
  const head = Buffer.concat([Buffer.of(VERSIONS.scrypt, cost.logN, cost.r, cost.p), id, salt]);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aadOf(purpose, head));
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([head, nonce, cipher.getAuthTag(), sealed]);
}

/** @throws WrongKey when the secret is wrong, or a byte has changed. */
export async function open(secret: string, purpose: string, sealed: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.from(sealed);
  if (bytes[0] === VERSIONS.hkdf && bytes.length >= HKDF_HEAD) {
    const salt = bytes.subarray(1, 1 + SALT);
    const key = Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32));
    return decrypted(key, Buffer.from(purpose), bytes.subarray(1 + SALT));
  }
  const cost = costOf(bytes);
  if (!cost) throw new WrongKey('not a sealed content');
  const head = bytes.subarray(0, 4 + KEY_ID + SALT);
  const { key, id } = await keyOf(secret, head.subarray(4 + KEY_ID), purpose, cost);
  if (!timingSafeEqual(id, head.subarray(4, 4 + KEY_ID))) throw new WrongKey('sealed under another secret');
  return decrypted(key, aadOf(purpose, head), bytes.subarray(head.length));
}

/** Whether the seal has today's version and cost; any other is sealed again by the process that can open it. */
export function isCurrent(sealed: Uint8Array, { logN, r, p }: SealCost = SEAL_COST): boolean {
  const cost = costOf(Buffer.from(sealed));
  return cost?.logN === logN && cost.r === r && cost.p === p;
}

/** Id of the key it is sealed under, hex; empty for the first version, which has none. */
export const keyIdOf = (sealed: Uint8Array): string =>
  sealed[0] === VERSIONS.scrypt ? Buffer.from(sealed.subarray(4, 4 + KEY_ID)).toString('hex') : '';

function costOf(bytes: Buffer): SealCost | null {
  if (bytes[0] !== VERSIONS.scrypt || bytes.length < SCRYPT_HEAD) return null;
  const [, logN = 0, r = 0, p = 0] = bytes;
  const cost = { logN, r, p };
  return (['logN', 'r', 'p'] as const).every((name) => cost[name] >= LIMITS[name].min && cost[name] <= LIMITS[name].max)
    ? cost
    : null;
}

/** `rest` is nonce, tag, content. */
function decrypted(key: Buffer, aad: Buffer, rest: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, rest.subarray(0, NONCE), { authTagLength: TAG })
    .setAAD(aad)
    .setAuthTag(rest.subarray(NONCE, NONCE + TAG));
  try {
    return Buffer.concat([decipher.update(rest.subarray(NONCE + TAG)), decipher.final()]);
  } catch (error) {
    throw new WrongKey('sealed under another secret, or changed since', { cause: error });
  }
}

const aadOf = (purpose: string, head: Uint8Array): Buffer => Buffer.concat([Buffer.from(`${purpose}\0`), head]);

async function keyOf(
  secret: string,
  salt: Uint8Array,
  purpose: string,
  { logN, r, p }: SealCost,
): Promise<{ readonly key: Buffer; readonly id: Buffer }> {
  const N = 2 ** logN;
  const root = await new Promise<Buffer>((resolve, reject) => {
    scrypt(secret, salt, 32, { N, r, p, maxmem: 256 * N * r }, (error, derived) =>
      error ? reject(error) : resolve(derived),
    );
  });
  return {
    key: Buffer.from(hkdfSync('sha256', root, '', purpose, 32)),
    id: Buffer.from(hkdfSync('sha256', root, '', `${purpose} key id`, KEY_ID)),
  };
}
