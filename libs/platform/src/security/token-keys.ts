import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { sameText } from './same-text.js';

/** A secret that signs tokens. Its id is in the header of each token under it and reveals nothing about it. */
export interface TokenKey {
  readonly id: string;
  /** A key object, not the text: for a text, each verification would first try to read a public key in it. */
  readonly secret: KeyObject;
}

const ID_LENGTH = 11;

/**
 * Secrets that tokens are verified by: new ones are signed under the present one, earlier ones remain valid while their
 * secret is listed in `JWT_SECRETS_OLD`, so that the secret is changed without signing anybody out [HARD-320].
 */
export class TokenKeys {
  /** The key that signs new tokens. */
  readonly newest: TokenKey;
  private readonly secrets: ReadonlyMap<string, KeyObject>;

  constructor({ jwtSecret, jwtSecretsOld }: { readonly jwtSecret: string; readonly jwtSecretsOld: readonly string[] }) {
    const keys = [jwtSecret, ...jwtSecretsOld].map((text) => createSecretKey(text, 'utf8'));
    this.newest = { id: idOf(keys[0]!), secret: keys[0]! };
    this.secrets = new Map(keys.map((key) => [idOf(key), key]));
  }

  /**
   * The secret that a token must be verified under; null: the one that its header names is not there. Tokens of earlier
   * releases name none: the one whose signature they bear.
   */
  secretOf(token: string): KeyObject | null {
    const id = keyIdOf(token);
    if (id !== undefined) return this.secrets.get(id) ?? null;
    for (const secret of this.secrets.values()) if (isSignedUnder(secret, token)) return secret;
    return null;
  }
}

/** Undefined for an invalid header and for one that names no key. */
function keyIdOf(token: string): string | undefined {
  try {
    const header: unknown = JSON.parse(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'));
    const { kid } = header as { kid?: unknown };
    return typeof kid === 'string' ? kid : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
}

function isSignedUnder(secret: KeyObject, token: string): boolean {
  const end = token.lastIndexOf('.');
  const signature = createHmac('sha256', secret).update(token.slice(0, end)).digest('base64url');
  return sameText(signature, token.slice(end + 1));
}

const idOf = (secret: KeyObject): string =>
  createHmac('sha256', secret).update('bourse token key id').digest('base64url').slice(0, ID_LENGTH);
