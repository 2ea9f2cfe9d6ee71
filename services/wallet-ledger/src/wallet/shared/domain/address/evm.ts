import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

const HEX = /^0x[0-9a-fA-F]{40}$/;
const ZERO = '0x0000000000000000000000000000000000000000';

/** The last 20 bytes of the hash of a public key: the name of an account on Ethereum and TRON. */
export function accountBytes(publicKey: Uint8Array): Uint8Array {
  return keccak_256(secp256k1.Point.fromBytes(publicKey).toBytes(false).subarray(1)).subarray(-20);
}

/** Address of a key, with its checksum in the case of the letters (EIP-55). */
export const evmAddress = (publicKey: Uint8Array): string =>
  checksummed(Buffer.from(accountBytes(publicKey)).toString('hex'));

/**
 * The address with its checksum; null when it is invalid. Letters of one case carry no checksum and pass; mixed case
 * must match it. The zero address is refused: it has no key.
 */
export function readEvm(text: string): string | null {
  if (!HEX.test(text) || text === ZERO) return null;
  const body = text.slice(2);
  const checked = checksummed(body.toLowerCase());
  return body === body.toLowerCase() || body === body.toUpperCase() || checked === text ? checked : null;
}

/**
 * A letter is a capital where the hash of the lower-case text has a digit of 8 or more (EIP-55). `body`: 40 lower-case
 * hexadecimal digits.
 */
function checksummed(body: string): string {
  const hash = Buffer.from(keccak_256(Buffer.from(body))).toString('hex');
  const isCapital = (place: number): boolean => Number.parseInt(hash.charAt(place), 16) >= 8;
  return `0x${[...body].map((digit, place) => (isCapital(place) ? digit.toUpperCase() : digit)).join('')}`;
}
