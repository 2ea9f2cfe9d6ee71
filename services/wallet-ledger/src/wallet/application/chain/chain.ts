import type { ChainName } from '@bourse/contract';

/** A block of a chain, as far as the wallet looks at it. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
}

/**
 * A successful payment that a block brought to one of our addresses. Named for ever by chain, contract, transaction and
 * output.
 */
export interface IncomingTransfer {
  readonly txId: string;
  /** Output index, or log index of a token transfer; of a plain coin transfer on an account chain -1. */
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  /** Contract of the token as the chain writes it; empty for the chain's own coin. */
  readonly contract: string;
  /** Smallest units of the chain (satoshi, wei). */
  readonly amount: bigint;
}

/**
 * A payment out of the hot wallet. `reference` names what it is for (`withdrawal:42`); nothing of it goes on the chain.
 */
export interface Payment {
  readonly reference: string;
  readonly to: string;
  readonly memo: string;
  readonly contract: string;
  /** Smallest units of the chain. */ readonly amount: bigint;
}

/**
 * A payment as it was signed, once. Whoever sends it again sends the same bytes. `spends` names what it uses up
 * (`nonce:<address>:<n>`, `output:<txid>:<n>`): no other payment may be signed with the same, except one that replaces
 * it.
 */
export interface SignedPayment {
  readonly txId: string;
  readonly bytes: string;
  readonly spends: readonly string[];
  /** What the network takes, in units of the chain's own coin. */ readonly networkFee: bigint;
}

export type PaymentStatus =
  /** The node knows nothing of it: send the same bytes again. */
  | { readonly state: 'unknown' }
  | { readonly state: 'pending' }
  /** `success` false: it is in a block and moved nothing (a reverted call). */
  | { readonly state: 'mined'; readonly height: number; readonly confirmations: number; readonly success: boolean };

/** The chain cannot be asked right now. Nothing is decided because of it. */
export class ChainUnavailable extends Error {}
/** The node's answer about our own money cannot be parsed: an operator must act. */
export class ChainUnreadable extends ChainUnavailable {}
/** The hot wallet cannot pay this now: too little in it, or too little for the network's fee. Tried again later. */
export class HotWalletShort extends Error {}

/**
 * One chain, behind its node. Money only moves here by `send`; the ledger never follows it by itself. Implementations
 * keep no state that matters: what was signed and reserved is stored by the caller before `send` (invariants §2.7).
 */
export abstract class Chain {
  abstract readonly name: ChainName;
  /** Coins of a simulated chain are no assets: solvency says so. */
  abstract readonly simulated: boolean;

  abstract tip(): Promise<ChainBlock>;
  /** Block of the best chain at a height; null beyond the tip. */
  abstract blockAt(height: number): Promise<ChainBlock | null>;
  /**
   * Height up to which no block above `from` holds anything: the watcher need not look into these. `from` itself when
   * the next one may. A chain that cannot tell has every block looked into.
   */
  quietUntil(from: number): Promise<number> {
    return Promise.resolve(from);
  }
  /**
   * Payments of a block to addresses of ours, successful ones only. `ours` tells which of the addresses of the block
   * belong to us. Throws `ChainUnavailable` when the block is gone.
   */
  abstract incoming(
    block: ChainBlock,
    ours: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly IncomingTransfer[]>;

  /**
   * Signs a payment without sending it. `reserved`: what signed payments that are not final have used up already.
   * Throws `HotWalletShort`.
   */
  abstract sign(payment: Payment, reserved: ReadonlySet<string>): Promise<SignedPayment>;
  /**
   * Signs it again with a higher network fee, spending the same nonce or one of the same outputs, so that at most one
   * of the two can ever be mined.
   */
  abstract raiseFee(payment: Payment, signed: SignedPayment): Promise<SignedPayment>;
  /** Hands the bytes to the network. Resolves also when the network has them already. */
  abstract send(signed: SignedPayment): Promise<void>;
  abstract status(txId: string): Promise<PaymentStatus>;
  /**
   * Id of a transaction with at least `confirmations` that has used up something of `spends` and is none of `ownTxIds`;
   * null while there is none. Only then is a payment failed.
   */
  abstract conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null>;

  /** What all our addresses hold of the coin (`contract` empty) or a token, confirmed, in smallest units. */
  abstract holdings(contract: string): Promise<bigint>;
}

/**
 * The chains of this install. A chain that is not configured is not there: its networks take no deposits and pay
 * nothing out.
 */
export abstract class Chains {
  abstract get(name: ChainName): Chain | undefined;
  abstract all(): readonly Chain[];
}
