import { createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { accountBytes } from './evm.js';

const base58check = createBase58check(sha256);
/** First byte of every address of the main network, which makes its text start with T. */
const MAIN_NETWORK = 0x41;
const LENGTH = 34;

/** Address of a key (TRON's documentation, "Account"). */
export const tronAddress = (publicKey: Uint8Array): string =>
  base58check.encode(Uint8Array.of(MAIN_NETWORK, ...accountBytes(publicKey)));

/** The address; null when it is invalid. */
export function readTron(text: string): string | null {
  if (text.length !== LENGTH) return null;
  const bytes = decoded(text);
  return bytes?.length === 21 && bytes[0] === MAIN_NETWORK && bytes.subarray(1).some((byte) => byte !== 0)
    ? text
    : null;
}

/** Bytes of a text with a right checksum, or null. The library throws on anything else. */
export function decoded(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    return null;
  }
}
