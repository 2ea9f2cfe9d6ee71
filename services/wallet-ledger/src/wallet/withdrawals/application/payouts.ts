import type { ChainName } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';

/**
 * A payment that the house owes on a chain. `reference` identifies it for ever (`withdrawal:42`); the part before the
 * colon names its settler.
 */
export interface NewPayout {
  readonly reference: string;
  /** The person whose freeze holds it back; null: the house pays for itself. */
  readonly userId: number | null;
  readonly chain: ChainName;
  readonly to: string;
  readonly memo: string;
  /** Contract of the token as the chain writes it; empty for the chain's own coin. */
  readonly contract: string;
  /** Smallest units of the chain. */
  readonly amount: bigint;
  /** Depth at which it counts as done. */
  readonly confirmations: number;
  /**
   * Whether it is signed although the chain would refuse it now, because an operator has decided so. Absent: it is not,
   * because the house pays the fee of each refusal.
   */
  readonly mayFail?: boolean;
}

/**
 * The end of a payout. `failed`: another confirmed transaction has used up its spends, or it was mined and moved
 * nothing; the money is still ours.
 */
export type PayoutEnd =
  | { readonly state: 'done'; readonly txId: string; readonly confirmations: number }
  | {
      readonly state: 'failed';
      readonly reason: string;
      /** The mined one whose fee the house paid; absent: none is known. */ readonly txId?: string;
    };

/**
 * Why an unsigned payout is removed. `held`: its person was frozen. `refused`: the chain would refuse it now. In both
 * cases its requester decides when to pay again, under the same reference if need be. `unpayable`: the chain can never
 * carry it.
 */
export type PayoutRecall =
  | { readonly state: 'held'; readonly reason: 'frozen' }
  | { readonly state: 'refused' | 'unpayable'; readonly reason: string };

/** The outcome of a payout. */
export type PayoutOutcome = PayoutEnd | PayoutRecall;

/** Books the outcome of a payout, in the transaction that ends it. Called once per payout. */
export type PayoutSettler = (tx: Tx, reference: string, outcome: PayoutOutcome) => Promise<void>;

/**
 * Payments of the house on the chains: each signed once, sent until it is known to be final, never twice
 * (invariants §2.7).
 */
export abstract class Payouts {
  /** Runs in the transaction that decides to pay. The same reference again does nothing. */
  abstract enqueue(tx: Tx, payout: NewPayout): Promise<void>;
  /** Registers the settler of references that begin with `kind`; before the sender starts. */
  abstract settle(kind: string, settler: PayoutSettler): void;
}
