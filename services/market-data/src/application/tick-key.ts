import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import type { DataSeal } from '@bourse/platform';

const PURPOSE = 'tick key';

/** An Ed25519 key that signs ticks. */
export interface TickKey {
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** Ed25519 over the 32 bytes of a hash (hex), base64. */
  sign(hash: string): string;
}

/** A random key, and its private part as it is stored: sealed, and openable as the one of this public key only. */
export function makeTickKey(seal: DataSeal): { readonly key: TickKey; readonly sealed: Buffer } {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const publicKey = Buffer.from(x as string, 'base64url').toString('base64');
  const privateKey = Buffer.from(d as string, 'base64url');
  return { key: keyOf(publicKey, privateKey), sealed: seal.seal(PURPOSE, privateKey, publicKey) };
}

/** The key of a stored private part. Throws `SealBroken` under another secret. */
export const openTickKey = (seal: DataSeal, publicKey: string, sealed: Uint8Array): TickKey =>
  keyOf(publicKey, seal.open(PURPOSE, sealed, publicKey));

function keyOf(publicKey: string, bytes: Buffer): TickKey {
  const [d, x] = [bytes.toString('base64url'), Buffer.from(publicKey, 'base64').toString('base64url')];
  const key: KeyObject = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  return { publicKey, sign: (hash) => sign(null, Buffer.from(hash, 'hex'), key).toString('base64') };
}

/** Whether a key has signed a hash; all as texts of a tick. */
export function isTickSigned(publicKey: string, hash: string, signature: string): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'base64'));
}
