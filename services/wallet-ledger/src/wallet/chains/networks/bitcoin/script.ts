import { bech32, bech32m, createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { FAMILY, type BitcoinLike } from '../../../shared/domain/address/bitcoin.js';

const base58check = createBase58check(sha256);
const DUP_HASH160 = [0x76, 0xa9, 0x14];
const EQUALVERIFY_CHECKSIG = [0x88, 0xac];
const HASH160 = [0xa9, 0x14];
const EQUAL = 0x87;
const VERSION_1 = 0x51;

/**
 * The address that an output script pays, in the form of the chain's wallets; null for scripts without one (bare keys,
 * data).
 */
export function addressOfScript(chain: BitcoinLike, script: Uint8Array): string | null {
  const { keyHash, scriptHashes, segwit } = FAMILY[chain];
  if (script.length === 25 && begins(script, DUP_HASH160) && begins(script.subarray(23), EQUALVERIFY_CHECKSIG))
    return base58check.encode(Uint8Array.of(keyHash, ...script.subarray(3, 23)));
  if (script.length === 23 && begins(script, HASH160) && script[22] === EQUAL)
    return base58check.encode(Uint8Array.of(scriptHashes[0]!, ...script.subarray(2, 22)));
  if (segwit === null) return null;
  if ((script.length === 22 || script.length === 34) && script[0] === 0 && script[1] === script.length - 2)
    return bech32.encode(segwit, [0, ...bech32.toWords(script.subarray(2))]);
  if (script.length === 34 && script[0] === VERSION_1 && script[1] === 32)
    return bech32m.encode(segwit, [1, ...bech32m.toWords(script.subarray(2))]);
  return null;
}

/** The output script that pays an address. @throws RangeError on a text that is no address of the chain. */
export function scriptOfAddress(chain: BitcoinLike, address: string): Uint8Array {
  const { keyHash, scriptHashes, segwit } = FAMILY[chain];
  if (segwit !== null && address.toLowerCase().startsWith(`${segwit}1`)) {
    for (const [version, coder] of [
      [0, bech32],
      [1, bech32m],
    ] as const) {
      const found = coder.decodeUnsafe(address);
      if (found?.prefix !== segwit || found.words[0] !== version) continue;
      const program = coder.fromWords(found.words.slice(1));
      return Uint8Array.of(version === 0 ? 0 : VERSION_1, program.length, ...program);
    }
    throw new RangeError(`no address of ${chain}: ${address}`);
  }
  const [version, ...hash] = base58check.decode(address);
  if (version === keyHash) return Uint8Array.of(...DUP_HASH160, ...hash, ...EQUALVERIFY_CHECKSIG);
  if (scriptHashes.includes(version ?? -1)) return Uint8Array.of(...HASH160, ...hash, EQUAL);
  throw new RangeError(`no address of ${chain}: ${address}`);
}

const begins = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, place) => bytes[place] === byte);
