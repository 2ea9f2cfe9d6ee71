import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const SALT = 16;
const NONCE = 12;
const TAG = 16;

/** Text of which the seal was made is not what opens it. */
export class WrongKey extends Error {}

/** AES-256-GCM under a key derived from the secret (HKDF-SHA-256). Version, salt, nonce, tag, content. `purpose` is bound in: a sealed thing opens only as what it was sealed for. */
export function seal(secret: string, purpose: string, content: Uint8Array): Buffer {
  const salt = randomBytes(SALT);
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret, salt, purpose), nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), salt, nonce, cipher.getAuthTag(), sealed]);
}

/** @throws WrongKey when the secret is another one, or a byte has changed. */
export function open(secret: string, purpose: string, sealed: Uint8Array): Buffer {
  const bytes = Buffer.from(sealed);
  if (bytes[0] !== VERSION || bytes.length < 1 + SALT + NONCE + TAG) throw new WrongKey('not a sealed content');
  const [salt, nonce, tag] = [
    bytes.subarray(1, 1 + SALT),
    bytes.subarray(1 + SALT, 1 + SALT + NONCE),
    bytes.subarray(1 + SALT + NONCE, 1 + SALT + NONCE + TAG),
  ];
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret, salt, purpose), nonce)
    .setAAD(Buffer.from(purpose))
    .setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(bytes.subarray(1 + SALT + NONCE + TAG)), decipher.final()]);
  } catch (error) {
    throw new WrongKey('sealed under another secret, or changed since', { cause: error });
  }
}

const keyOf = (secret: string, salt: Uint8Array, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32));
