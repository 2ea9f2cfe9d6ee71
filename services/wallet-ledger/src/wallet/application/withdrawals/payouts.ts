import type { ChainName } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';

/**
 * A payment that the house owes on a chain. `reference` names it for ever (`withdrawal:42`): the part before the colon
 * says who settles it.
 */
export interface NewPayout {
  readonly reference: string;
  /** Whose freeze keeps it in; null: the house pays itself. */
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
}

/**
 * How a payout ended. `failed`: another confirmed transaction has used up what it spends, or it was mined and moved
 * nothing; the money is still ours.
 */
export type PayoutEnd =
  | { readonly state: 'done'; readonly txId: string; readonly confirmations: number }
  | { readonly state: 'failed'; readonly reason: string };

/**
 * What became of a payout. `held`: its person was frozen before anything of it was signed; it is no payout any more,
 * and who asked for it decides what it waits for. The same reference may be owed again.
 */
export type PayoutOutcome = PayoutEnd | { readonly state: 'held'; readonly reason: 'frozen' };

/** Books what became of a payout, in the transaction that ends it. Called once for each time it was owed. */
export type PayoutSettler = (tx: Tx, reference: string, outcome: PayoutOutcome) => Promise<void>;

/**
 * What the house pays out on the chains: each payment signed once, sent until it is known to be final, never twice
 * (invariants §2.7).
 */
export abstract class Payouts {
  /** In the transaction that decides to pay. The same reference again does nothing. */
  abstract enqueue(tx: Tx, payout: NewPayout): Promise<void>;
  /** Names who settles references that begin with `kind`; before the sender starts. */
  abstract settle(kind: string, settler: PayoutSettler): void;
}
