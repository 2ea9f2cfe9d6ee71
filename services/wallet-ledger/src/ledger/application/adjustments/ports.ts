import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';

export type AdjustmentState = 'waiting' | 'posting' | 'approved' | 'rejected';
/** The operator who acts, and the details for the audit trail. */
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
/** The command to the ledger that books an adjustment's share of one partition. */
export interface Part {
  readonly part: number;
  readonly partition: number;
  readonly amount: string;
  readonly state: 'sent' | 'done' | 'refused';
}
/** Available balance of a house account in one partition. */
export interface PartitionBalance {
  readonly partition: number;
  readonly available: string;
}
export interface AdjustmentFilter {
  readonly state?: 'waiting' | 'approved' | 'rejected';
  readonly userId?: number;
}

/** Adjustments and their commands to the ledger. */
export abstract class AdjustmentStore {
  abstract insert(tx: Tx, row: NewAdjustment, by: Actor, at: number): Promise<number>;
  /** Locks the adjustment. Null: it does not exist. */
  abstract lock(tx: Tx, id: number): Promise<Adjustment | null>;
  abstract find(id: number): Promise<Adjustment | null>;
  /** The oldest waiting movement between the same house accounts, of the same currency and amount. */
  abstract sameFund(row: NewAdjustment): Promise<Adjustment | null>;
  /** Newest first. */
  abstract list(
    filter: AdjustmentFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<Adjustment>>;
  /** Sets the state of a locked adjustment; `waiting` clears who decided it. */
  abstract decide(tx: Tx, id: number, state: AdjustmentState, by: Actor | null, at: number): Promise<void>;
  abstract addParts(tx: Tx, id: number, parts: readonly Pick<Part, 'partition' | 'amount'>[]): Promise<void>;
  abstract parts(id: number, tx?: Tx): Promise<readonly Part[]>;
  abstract markPart(id: number, part: number, state: 'done' | 'refused'): Promise<void>;
  /** Adjustments that are approved and not known to be booked. */
  abstract posting(): Promise<readonly number[]>;
  abstract balances(account: string, currencyId: number): Promise<readonly PartitionBalance[]>;
}
