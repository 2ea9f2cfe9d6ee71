import type { ChainName } from '@bourse/contract';

/** The fields of a block that the wallet reads. */
export interface ChainBlock {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
  /** Its time as its producer wrote it, ms; null: the block is computed. */ readonly at: number | null;
}

/** A successful payment in a block to one of our addresses. */
export interface IncomingTransfer {
  readonly txId: string;
  /**
   * Output index, or log index of a token transfer; -1 for a plain coin transfer on an account chain. A log index
   * counts the logs of the block: it changes when the transaction is mined again in another block.
   */
  readonly output: number;
  readonly address: string;
  readonly memo: string;
  /** Contract of the token as the chain writes it; empty for the chain's own coin. */
  readonly contract: string;
  /** Smallest units of the chain (satoshi, wei). */
  readonly amount: bigint;
}

/**
 * A payment out of the hot wallet. `reference` names its purpose (`withdrawal:42`) and does not appear on the chain.
 */
export interface Payment {
  readonly reference: string;
  readonly to: string;
  readonly memo: string;
  readonly contract: string;
  /** Smallest units of the chain. */ readonly amount: bigint;
  /** Whether it is signed, if it can be, although the chain would refuse it now. */ readonly mayFail?: boolean;
}

/**
 * A payment, signed once. Every resend sends the same bytes. `spends` names the nonce or outputs it uses up
 * (`nonce:<address>:<n>`, `output:<txid>:<n>`): no other payment may be signed with the same, except one that replaces
 * it.
 */
export interface SignedPayment {
  readonly txId: string;
  readonly bytes: string;
  readonly spends: readonly string[];
  /** Fee of the network, in units of the chain's own coin. */ readonly networkFee: bigint;
}

/** A signature as it is stored. */
export interface Signature extends SignedPayment {
  /** 0 for the first one; each with a higher fee counts one more. */
  readonly attempt: number;
  /** Real time, ms. */ readonly at: number;
}

export type PaymentStatus =
  /** The node does not know the transaction: send the same bytes again. */
  | { readonly state: 'unknown' }
  | { readonly state: 'pending' }
  /** `success` false: it is in a block and moved nothing (a reverted call). */
  | { readonly state: 'mined'; readonly height: number; readonly confirmations: number; readonly success: boolean };

/** The chain cannot be queried right now, so nothing is decided. */
export class ChainUnavailable extends Error {}
/** The node's answer about our own money cannot be parsed: an operator must act. */
export class ChainUnreadable extends ChainUnavailable {}
/** The hot wallet cannot pay this now: its balance does not cover the payment or the network's fee. Retried later. */
export class HotWalletShort extends Error {}
/**
 * The chain would mine this payment now, for its fee, and move nothing, as its recipient or its token refuses it; or no
 * one transaction can carry it.
 */
export class PaymentRefused extends Error {}
/** Nodes pass on no payment of so little, now or later: it is never signed. */
export class PaymentTooSmall extends Error {}
/** The network's fee would be above our limit: this payment waits, and stops no other one. Retried later. */
export class FeeAboveLimit extends Error {}

/**
 * One chain, behind its node. Only `send` moves money here; the ledger is booked separately. Implementations keep no
 * state of their own: the caller stores signatures and reservations before `send` (invariants §2.7).
 */
export abstract class Chain {
  abstract readonly name: ChainName;
  /** Coins of a simulated chain are no assets, and solvency reports them as simulated. */
  abstract readonly simulated: boolean;
  /** Mean time between two blocks, ms. */
  abstract readonly blockMs: number;
  /** The smallest amount that a payment can carry, in smallest units of its coin or token. */
  get leastPayment(): bigint {
    return 1n;
  }

  abstract tip(): Promise<ChainBlock>;
  /** Block of the best chain at a height; null beyond the tip. */
  abstract blockAt(height: number): Promise<ChainBlock | null>;
  /**
   * Height up to which all blocks above `from` are empty, so that the watcher can skip them; `from` itself when the
   * next block may have content. The default has every block read.
   */
  quietUntil(from: number): Promise<number> {
    return Promise.resolve(from);
  }
  /**
   * Payments of a block to our addresses, successful ones only. `ours` returns the subset of addresses that belong to
   * us. Throws `ChainUnavailable` when the block is gone.
   */
  abstract incoming(
    block: ChainBlock,
    ours: (addresses: readonly string[]) => Promise<ReadonlySet<string>>,
  ): Promise<readonly IncomingTransfer[]>;

  /**
   * Signs a payment without sending it. `reserved`: the spends of signed payments that are not final. Throws
   * `HotWalletShort`, `FeeAboveLimit`, `PaymentTooSmall` and `PaymentRefused`.
   */
  abstract sign(payment: Payment, reserved: ReadonlySet<string>): Promise<SignedPayment>;
  /**
   * As much of `wanted` units of the coin as one payment to an address can carry now, with room for raised fees; 0 when
   * that is not worth its fee. `reserved` as for `sign`.
   */
  payableAtOnce(_to: string, wanted: bigint, _reserved: ReadonlySet<string>): Promise<bigint> {
    return Promise.resolve(wanted);
  }
  /**
   * Signs the payment again with a higher network fee, spending the same nonce or one of the same outputs, so that at
   * most one of the two can ever be mined. Throws `HotWalletShort` and `FeeAboveLimit`.
   */
  abstract raiseFee(payment: Payment, signed: SignedPayment): Promise<SignedPayment>;
  /** Broadcasts the bytes. Resolves also when the network has them already. */
  abstract send(signed: SignedPayment): Promise<void>;
  abstract status(txId: string): Promise<PaymentStatus>;
  /**
   * Id of a transaction with at least `confirmations` that has used up one of `spends` and is none of `ownTxIds`; null
   * while there is none. Only such a transaction makes a payment fail.
   */
  abstract conflictingSpend(
    spends: readonly string[],
    ownTxIds: readonly string[],
    confirmations: number,
  ): Promise<string | null>;
  /**
   * The network's fee for a mined transaction that makes exactly this payment; null when it makes another. A payment
   * may be mined under an id that we do not hold: its signature was lost with a restore, or somebody changed the form
   * of a signature without a witness on its way.
   */
  abstract feeIfPaid(payment: Payment, txId: string): Promise<bigint | null>;

  /** Confirmed total of all our addresses in the coin (`contract` empty) or a token, in smallest units. */
  abstract holdings(contract: string): Promise<bigint>;
}

/** The chains of this install. The networks of a chain that is not configured take no deposits and pay nothing out. */
export abstract class Chains {
  abstract get(name: ChainName): Chain | undefined;
  abstract all(): readonly Chain[];
}
