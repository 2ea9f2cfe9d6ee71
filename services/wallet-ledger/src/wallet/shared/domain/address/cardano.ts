import { blake2b } from '@noble/hashes/blake2.js';
import { bech32 } from '@scure/base';

const READABLE = 'addr';
const MAIN_NETWORK = 1;
const HASH_BYTES = 28;
/**
 * Kind of address (first four bits, CIP-19) to its length in bytes: a payment part with a stake part, or alone.
 * Pointers (4, 5) can no longer be paid to, stake addresses (14, 15) never could.
 */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 57],
  [1, 57],
  [2, 57],
  [3, 57],
  [6, 29],
  [7, 29],
]);
const KEY_ALONE = 6;
const LENGTH_MAX = 120;

/**
 * Address of a payment key alone, without a stake part: nothing in it links the exchange's depositors to one another.
 */
export function cardanoAddress(publicKey: Uint8Array): string {
  return bech32.encode(
    READABLE,
    bech32.toWords(Uint8Array.of((KEY_ALONE << 4) | MAIN_NETWORK, ...blake2b(publicKey, { dkLen: HASH_BYTES }))),
    LENGTH_MAX,
  );
}

/** A Shelley address of the main network, in lower case; null when it is invalid. */
export function readCardano(text: string): string | null {
  const found = bech32.decodeUnsafe(text, LENGTH_MAX);
  if (found?.prefix !== READABLE) return null;
  const bytes = bech32.fromWordsUnsafe(found.words);
  const head = bytes?.[0];
  if (!bytes || head === undefined || (head & 0x0f) !== MAIN_NETWORK) return null;
  return LENGTHS.get(head >> 4) === bytes.length ? text.toLowerCase() : null;
}
