import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto';
import type { PushKeyPair } from '../../application/push-key.js';
import type { DeviceKeys } from '../../domain/push.js';

const CURVE = 'prime256v1';
const SALT_BYTES = 16;
const RECORD_BYTES = 4096;
/** Ends the last record. */
const LAST = 2;
const SIGNED_FOR_S = 12 * 3_600;

/** Random inputs of one message; a test gives those of the RFC. */
export interface RandomInputs {
  readonly salt: Buffer;
  /** Private key of the sender for this message. */
  readonly secret: Buffer | null;
}

/**
 * Encrypts a text for a device as one record (RFC 8291, `aes128gcm` of RFC 8188).
 * @throws an error with the code `ERR_CRYPTO_ECDH_INVALID_PUBLIC_KEY` for a key that is no point of the curve
 */
export function encryptFor(
  { p256dh, auth }: DeviceKeys,
  text: string,
  { salt, secret }: RandomInputs = { salt: randomBytes(SALT_BYTES), secret: null },
): Buffer {
  const sender = createECDH(CURVE);
  if (secret === null) sender.generateKeys();
  else sender.setPrivateKey(secret);
  const device = Buffer.from(p256dh, 'base64url');
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), device, sender.getPublicKey()]);
  const shared = sender.computeSecret(device);
  const material = Buffer.from(hkdfSync('sha256', shared, Buffer.from(auth, 'base64url'), info, 32));
  const derive = (purpose: string, bytes: number): Buffer =>
    Buffer.from(hkdfSync('sha256', material, salt, `Content-Encoding: ${purpose}\0`, bytes));
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12));
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([
    salt,
    size,
    Buffer.from([sender.getPublicKey().length]),
    sender.getPublicKey(),
    cipher.update(text, 'utf8'),
    cipher.update(Buffer.from([LAST])),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

/**
 * The `Authorization` header by which a push service knows the sender (RFC 8292).
 * @param audience origin of the push service
 * @param now real time, ms
 */
export function authorizationFor(
  { publicKey, privateKey }: PushKeyPair,
  audience: string,
  subject: string,
  now: number,
): string {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: privateKey }, format: 'jwk' });
  const encode = (content: object): string => Buffer.from(JSON.stringify(content)).toString('base64url');
  const claims = { aud: audience, exp: Math.floor(now / 1_000) + SIGNED_FOR_S, sub: subject };
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
