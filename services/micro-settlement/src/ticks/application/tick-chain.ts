import { createHash, createPublicKey, verify } from 'node:crypto';
import type { MarketTick } from '@bourse/events';
import type { SignedTick } from './ports.js';

/** A tick of the log as it is kept here. */
export const tickOf = (tick: MarketTick): SignedTick => ({
  symbol: tick.symbol,
  id: BigInt(tick.id),
  time: tick.time,
  at: tick.tick_version === 2 ? tick.at : null,
  price: tick.price,
  prevHash: tick.prev_hash,
  hash: tick.hash,
  signature: tick.signature,
  publicKey: tick.public_key,
});

/** SHA-256 of `prev_hash|id|symbol|time|price|at`, in hex; of version 1 without `at` (rules §4). */
export const hashOf = ({ prevHash, id, symbol, time, price, at }: Omit<SignedTick, 'hash'>): string =>
  createHash('sha256')
    .update([prevHash, id, symbol, time, price, ...(at === null ? [] : [at])].join('|'))
    .digest('hex');

/** Returns the fault of a tick by itself: its hash, its second, its signature. Null: none. */
export function tickFault(tick: SignedTick): string | null {
  const { id, symbol, time, hash, signature, publicKey } = tick;
  if (hashOf(tick) !== hash) return `tick ${id} of ${symbol} does not have the hash of what it says`;
  if (time % 1_000 !== 0) return `tick ${id} of ${symbol} does not lie on a full second`;
  if (!isSigned(hash, signature, publicKey)) return `tick ${id} of ${symbol} is not signed by the key that it names`;
  return null;
}

function isSigned(hash: string, signature: string, publicKey: string): boolean {
  try {
    const x = Buffer.from(publicKey, 'base64').toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, Buffer.from(hash, 'hex'), key, Buffer.from(signature, 'base64'));
  } catch {
    // An invalid key or signature proves nothing.
    return false;
  }
}
