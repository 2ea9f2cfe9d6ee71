import type { Network } from 'bitcoinjs-lib';
import { FAMILY, type BitcoinLike } from '../../../shared/domain/address/bitcoin.js';

export type { BitcoinLike };

/** Rules in which the chains of the family differ. Rates in smallest units per virtual byte. */
export interface FamilyRules {
  /** Hash of the genesis block, which identifies the node's chain. */
  readonly genesis: string;
  /** Nodes do not relay smaller outputs. */
  readonly dust: bigint;
  /** Lower and upper bound of the rate, whatever the node estimates: a wrong estimate must not empty the wallet. */
  readonly rateMin: bigint;
  readonly rateMax: bigint;
  /** Minimum by which a replacement must exceed the replaced rate, per virtual byte. */
  readonly rateStep: bigint;
  /** Mean time between two blocks, ms. */
  readonly blockMs: number;
}

export const RULES: Readonly<Record<BitcoinLike, FamilyRules>> = {
  bitcoin: {
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    dust: 546n,
    rateMin: 1n,
    rateMax: 500n,
    rateStep: 1n,
    blockMs: 600_000,
  },
  litecoin: {
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
    dust: 5_460n,
    rateMin: 1n,
    rateMax: 1_000n,
    rateStep: 1n,
    blockMs: 150_000,
  },
  // Dogecoin recommends 0.01 DOGE per 1000 bytes, and the same amount for the smallest output.
  dogecoin: {
    genesis: '1a91e3dace36e2be3bf030a65679fe821aa1d6ef92e7c9902eb318182c355691',
    dust: 1_000_000n,
    rateMin: 1_000n,
    rateMax: 100_000n,
    rateStep: 100n,
    blockMs: 60_000,
  },
};

/** The chain's address formats as bitcoinjs-lib expects them. Extended keys are unused: keys stay behind the signer. */
export const networkOf = (chain: BitcoinLike): Network => ({
  messagePrefix: '',
  bech32: FAMILY[chain].segwit ?? '',
  bip32: { public: 0x0488b21e, private: 0x0488ade4 },
  pubKeyHash: FAMILY[chain].keyHash,
  scriptHash: FAMILY[chain].scriptHashes[0]!,
  wif: 0x80,
});
