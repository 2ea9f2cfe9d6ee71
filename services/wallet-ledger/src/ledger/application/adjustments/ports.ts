import type { Tx } from '@bourse/persistence';

export type AdjustmentState = 'waiting' | 'posting' | 'approved' | 'rejected';
/** Who acts, and what the trail is to say about it. */
export interface Actor {
  readonly operatorId: number;
  readonly operator: string;
  readonly reason: string;
}
/**
 * Money to (positive) or from a person's account, or between two accounts of the house (`toAccount`). Amounts are
 * decimal text of the coin's scale, times business ms.
 */
export interface Adjustment {
  readonly id: number;
  readonly userId: number | null;
  readonly account: string;
  readonly toAccount: string | null;
  readonly currencyId: number;
  readonly amount: string;
  readonly reasonCode: string;
  readonly note: string;
  readonly state: AdjustmentState;
  readonly createdBy: number;
  readonly createdByName: string;
  readonly createdAt: number;
  readonly decidedBy: number | null;
  readonly decidedByName: string;
  readonly decisionReason: string;
}
export type NewAdjustment = Pick<
  Adjustment,
  'userId' | 'account' | 'toAccount' | 'currencyId' | 'amount' | 'reasonCode' | 'note'
>;
/** One command to the ledger: what of an adjustment happens in a partition. */
export interface Part {
  readonly part: number;
  readonly partition: number;
  readonly amount: string;
  readonly state: 'sent' | 'done' | 'refused';
}
/** What a house account has in one partition. */
export interface PartitionBalance {
  readonly partition: number;
  readonly available: string;
}
export interface AdjustmentFilter {
  readonly state?: 'waiting' | 'approved' | 'rejected';
  readonly userId?: number;
}

/** Adjustments and the commands they have become. */
export abstract class AdjustmentStore {
  abstract insert(tx: Tx, row: NewAdjustment, by: Actor, at: number): Promise<number>;
  /** Null: there is none. Locks it. */
  abstract lock(tx: Tx, id: number): Promise<Adjustment | null>;
  abstract find(id: number): Promise<Adjustment | null>;
  /** A waiting movement between house accounts of exactly this kind and size, the oldest one. */
  abstract sameFund(row: NewAdjustment): Promise<Adjustment | null>;
  /** Newest first. */
  abstract list(
    filter: AdjustmentFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly Adjustment[]; readonly total: number }>;
  /** Decides one that is locked; back to `waiting` nobody has decided. */
  abstract decide(tx: Tx, id: number, state: AdjustmentState, by: Actor | null, at: number): Promise<void>;
  abstract addParts(tx: Tx, id: number, parts: readonly Pick<Part, 'partition' | 'amount'>[]): Promise<void>;
  abstract parts(id: number, tx?: Tx): Promise<readonly Part[]>;
  abstract markPart(id: number, part: number, state: 'done' | 'refused'): Promise<void>;
  /** Decided and not known to be booked. */
  abstract posting(): Promise<readonly number[]>;
  abstract balances(account: string, currencyId: number): Promise<readonly PartitionBalance[]>;
}
