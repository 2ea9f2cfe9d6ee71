import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/** The bytes before the 32 bytes of a private key in PKCS #8 (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const KEY = /^[A-Za-z0-9_-]{43}$/;

/** Whether a text has the form of a key: 32 bytes as base64url. */
export const isServiceKey = (text: string): boolean => KEY.test(text);

/** A new private key of a service, 32 random bytes as base64url. */
export function makeServiceKey(): string {
  const { d } = generateKeyPairSync('x25519').privateKey.export({ format: 'jwk' });
  return d as string;
}

/** The public half of a private key, base64url. */
export function publicKeyOf(privateKey: string): string {
  const { x } = createPublicKey(privateOf(privateKey)).export({ format: 'jwk' });
  return x as string;
}

/**
 * The keys by which a service authenticates itself to the others (docs/decisions/0064): a private key that it alone
 * has, and the public keys of all. Each two services have a secret in common by X25519 that no one else can compute,
 * not even the other services: an attacker in one service can act as that service alone. With that secret an HMAC
 * proves the author of a message, at a twentieth of the cost of a signature.
 */
export class ServiceKeys {
  private readonly own: KeyObject;
  private readonly shared = new Map<string, KeyObject | null>();

  /**
   * `publicKeys` by service. @throws RangeError for an invalid private key, or one that the own public key does not
   * belong to.
   */
  constructor(
    readonly service: string,
    privateKey: string,
    private readonly publicKeys: Readonly<Record<string, string>>,
  ) {
    if (!isServiceKey(privateKey)) throw new RangeError('the private key is not 32 bytes as base64url');
    if (publicKeyOf(privateKey) !== publicKeys[service])
      throw new RangeError(`the private key does not belong to the public key of ${service}`);
    this.own = privateOf(privateKey);
  }

  /** The secret of this service and another one for one purpose; null when no service of that name is known. */
  with(other: string, purpose: string): KeyObject | null {
    const name = `${purpose} ${other}`;
    let key = this.shared.get(name);
    if (key === undefined) {
      const publicKey = Object.hasOwn(this.publicKeys, other) ? this.publicKeys[other] : undefined;
      if (publicKey === undefined) return null; // not remembered: names come from outside
      key = this.derive(other, publicKey, purpose);
      this.shared.set(name, key);
    }
    return key;
  }

  private derive(other: string, x: string, purpose: string): KeyObject {
    const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
    const secret = diffieHellman({ privateKey: this.own, publicKey });
    const pair = [this.service, other].sort().join(' ');
    return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `bourse ${purpose} ${pair}`, 32)));
  }
}

const privateOf = (privateKey: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(privateKey, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  });
