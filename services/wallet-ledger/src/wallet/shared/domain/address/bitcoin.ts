import { schnorr } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bech32, bech32m, createBase58check } from '@scure/base';
import { decoded } from './tron.js';

const base58check = createBase58check(sha256);
/** Prefixes of a chain of the Bitcoin family. */
interface Family {
  readonly keyHash: number;
  readonly scriptHashes: readonly number[];
  /** Readable part of segwit addresses; null: the chain has none. */ readonly segwit: string | null;
}

export const FAMILY: Readonly<Record<'bitcoin' | 'litecoin' | 'dogecoin', Family>> = {
  bitcoin: { keyHash: 0x00, scriptHashes: [0x05], segwit: 'bc' },
  // Litecoin script addresses once began with 3, as those of Bitcoin still do. Such a text does not identify its chain,
  // so it is refused here.
  litecoin: { keyHash: 0x30, scriptHashes: [0x32], segwit: 'ltc' },
  dogecoin: { keyHash: 0x1e, scriptHashes: [0x16], segwit: null },
};
export type BitcoinLike = keyof typeof FAMILY;

const BECH32_MAX = 90;
const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes));

/**
 * Address of a compressed public key: version 0 segwit if the chain has it (BIP-84), else the hash of the key (BIP-44).
 */
export function bitcoinAddress(chain: BitcoinLike, publicKey: Uint8Array): string {
  const { keyHash, segwit } = FAMILY[chain];
  const hash = hash160(publicKey);
  return segwit === null
    ? base58check.encode(Uint8Array.of(keyHash, ...hash))
    : bech32.encode(segwit, [0, ...bech32.toWords(hash)]);
}

/** The address, segwit in lower case; null when it is invalid. */
export function readBitcoin(chain: BitcoinLike, text: string): string | null {
  const { keyHash, scriptHashes, segwit } = FAMILY[chain];
  if (segwit !== null && text.toLowerCase().startsWith(`${segwit}1`))
    return isWitness(text, segwit) ? text.toLowerCase() : null;
  const bytes = decoded(text);
  return bytes?.length === 21 && [keyHash, ...scriptHashes].includes(bytes[0] ?? -1) ? text : null;
}

/**
 * Version 0 with 20 or 32 bytes in bech32 (BIP-173), version 1 with a key on the curve in bech32m (BIP-350, BIP-341).
 * Later versions are not defined yet: anyone could spend money sent there.
 */
function isWitness(text: string, readable: string): boolean {
  const [zero, one] = [words(bech32, text, readable), words(bech32m, text, readable)];
  if (zero?.version === 0) return zero.program.length === 20 || zero.program.length === 32;
  return one?.version === 1 && one.program.length === 32 && isOnCurve(one.program);
}

function words(coder: typeof bech32, text: string, readable: string): { version: number; program: Uint8Array } | null {
  const found = coder.decodeUnsafe(text, BECH32_MAX);
  if (found?.prefix !== readable) return null;
  const [version = -1, ...rest] = found.words;
  const program = coder.fromWordsUnsafe(rest);
  return program ? { version, program } : null;
}

function isOnCurve(key: Uint8Array): boolean {
  try {
    schnorr.utils.lift_x(BigInt(`0x${Buffer.from(key).toString('hex')}`));
    return true;
  } catch {
    return false;
  }
}
