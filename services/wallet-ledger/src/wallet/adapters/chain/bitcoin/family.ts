import type { Network } from 'bitcoinjs-lib';
import { FAMILY, type BitcoinLike } from '../../../domain/address/bitcoin.js';

export type { BitcoinLike };

/** What a chain of the family does in its own way. Rates in smallest units for a virtual byte. */
export interface FamilyRules {
  /** Hash of its first block: a node of another chain is known by it. */
  readonly genesis: string;
  /** Smaller outputs are not passed on by nodes. */
  readonly dust: bigint;
  /** Never less, whatever the node estimates; never more, so that no mistake of an estimate empties the wallet. */
  readonly rateMin: bigint;
  readonly rateMax: bigint;
  /** What a replacement has to pay more than what it replaces, for each virtual byte. */
  readonly rateStep: bigint;
}

export const RULES: Readonly<Record<BitcoinLike, FamilyRules>> = {
  bitcoin: {
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    dust: 546n,
    rateMin: 1n,
    rateMax: 500n,
    rateStep: 1n,
  },
  litecoin: {
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    dust: 5_460n,
    rateMin: 1n,
    rateMax: 1_000n,
    rateStep: 1n,
  },
  // Dogecoin's own recommendation is 0.01 DOGE for 1000 bytes, and as much for the smallest output.
  dogecoin: {
    genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    dust: 1_000_000n,
    rateMin: 1_000n,
    rateMax: 100_000n,
    rateStep: 100n,
  },
};

/** The chain as bitcoinjs-lib names its letters. Its extended keys are of no use here: keys stay behind the signer. */
export const networkOf = (chain: BitcoinLike): Network => ({
  messagePrefix: '',
  bech32: FAMILY[chain].segwit ?? '',
  bip32: { public: 0x0488b21e, private: 0x0488ade4 },
  pubKeyHash: FAMILY[chain].keyHash,
  scriptHash: FAMILY[chain].scriptHashes[0]!,
  wif: 0x80,
});
