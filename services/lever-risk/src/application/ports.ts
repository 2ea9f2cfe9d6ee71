import type { Direction } from '@bourse/formulas';
import type { NeededHolds } from '@bourse/messaging';
import { Database, type Tx } from '@bourse/persistence';
import type { Marks } from '../domain/account.js';
import type { Position, Status } from '../domain/position.js';

/** The database of this service: schema `lever`. */
export abstract class LeverDatabase extends Database {}

/** A person and a quote: what risk is judged of. */
export interface AccountName {
  readonly userId: number;
  readonly quote: number;
}
/** The one debit that an account has under way. */
export interface InFlight extends AccountName {
  readonly inFlight: string;
}
/** An account as its row has it. */
export interface AccountRow extends AccountName {
  readonly version: number;
}

/** Who claims an account: a call of its owner, or liquidation, stops, targets and touch orders. */
export type Claimant = 'call' | 'risk';

/** Rows of the judge of risk (architecture §7). Limits of time are the database's. */
export abstract class AccountStore {
  /**
   * Claims an account that nobody has and that has nothing in flight; null while it is taken. A call does not get one
   * that is reserved for risk; a claim for risk ends the reservation.
   */
  abstract claim(account: AccountName, token: string, forMs: number, by: Claimant): Promise<AccountRow | null>;
  /** Reserves an account for risk: no call claims it within `forMs`. The reservation changes no version. */
  abstract reserve(account: AccountName, forMs: number): Promise<void>;
  /** Gives a claim back that was not used. */
  abstract release(account: AccountName, token: string): Promise<void>;
  /**
   * In the transaction of what was decided: ends the claim and marks what is in flight. False when the claim has ended
   * or the account has changed since: then nothing may be done.
   */
  abstract enter(tx: Tx, account: AccountRow, token: string, inFlight: string | null): Promise<boolean>;
  /** What was in flight has come to its end. Nothing is done where it is something else. */
  abstract land(tx: Tx, accounts: readonly InFlight[]): Promise<void>;
  /** Changes without a claim: nobody who has claimed the accounts may go on with what they have read. Locks them. */
  abstract touch(tx: Tx, accounts: readonly AccountName[]): Promise<void>;
  /** Accounts of a share that have changed within so long by the database's clock, or all that have something open. */
  abstract changed(share: Share, withinMs: number | null): Promise<readonly AccountRow[]>;
}
/** One of `of` equal shares of all people. */
export interface Share {
  readonly part: number;
  readonly of: number;
}

/** A position as it was read, and what becomes of it. */
export interface Change {
  readonly before: Position;
  readonly after: Position;
}

export interface PositionFilter {
  readonly userId?: number | undefined;
  readonly status?: Status | undefined;
  readonly quote?: number | undefined;
  readonly pairIds?: readonly number[] | undefined;
}

/** Positions, and how much of them is open. */
export abstract class PositionStore {
  abstract insert(tx: Tx, position: Position): Promise<void>;
  /** Forgets one that the ledger has refused. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Writes `after` over `before`, unless somebody else has changed it since: then false. */
  abstract change(tx: Tx, before: Position, after: Position): Promise<boolean>;
  /** The same for many; false when one of them has changed: then the transaction must not stand. */
  abstract changeAll(tx: Tx, changes: readonly Change[]): Promise<boolean>;
  abstract find(id: string, userId?: number): Promise<Position | null>;
  /** The newest position of a person with this client id. */
  abstract findByClientId(clientId: string, userId: number): Promise<Position | null>;
  /** In a transaction: locks it, so that what is read stays. */
  abstract lock(tx: Tx, ids: readonly string[]): Promise<readonly Position[]>;
  /** Whose positions these are, each once. */
  abstract accountsOf(tx: Tx, ids: readonly string[]): Promise<readonly AccountName[]>;
  /** Positions of a settlement that are not booked yet, locked. */
  abstract settling(tx: Tx, settlements: readonly string[]): Promise<readonly Position[]>;
  /** Pending, open and closing positions of accounts, the oldest first. */
  abstract liveOf(accounts: readonly AccountName[]): Promise<readonly Position[]>;
  /** Quotes in which a person has an open position, of one direction where it is given. */
  abstract openQuotes(userId: number, direction?: Direction): Promise<readonly number[]>;
  abstract list(
    filter: PositionFilter,
    offset: number,
    size: number,
  ): Promise<{ readonly rows: readonly Position[]; readonly total: number }>;
  /** Counts how positions came out, in the transaction in which they are closed. */
  abstract countOutcomes(tx: Tx, ended: readonly Position[]): Promise<void>;
  /** Adds to the open notional, where it stays within `most` (null: whatever it comes to). False when it does not. */
  abstract expose(tx: Tx, quote: number, notional: bigint, most: bigint | null): Promise<boolean>;
  abstract exposed(quote: number): Promise<bigint>;
}

/** What the auditor reads. */
export abstract class LeverAuditReads {
  abstract holdDigests(): Promise<readonly string[]>;
  abstract holdLines(buckets: readonly number[]): Promise<NeededHolds>;
  /**
   * Quotes whose open notional is not that of their positions, and positions in states that contradict themselves: one
   * that has ended and owes for a night, one that is open and for which no midnight will come, among them.
   */
  abstract wrongs(): Promise<readonly string[]>;
  /** How often positions came out in which way (`outcomeOf`). */
  abstract outcomes(): Promise<Readonly<Record<string, number>>>;
  /** What open positions that are ahead would be paid at these marks, in units of their quote, by quote. */
  abstract gains(marks: Marks): Promise<ReadonlyMap<number, bigint>>;
}

/** What the ledger has of an account, and of the house for it, in decimal text. */
export interface LeverBalances {
  readonly balances: Readonly<Record<string, string>>;
  readonly house: string;
}
/** Asks the ledger. */
export abstract class Balances {
  /** Available lever balances of people in a quote, and what the house has in `h.lever`. */
  abstract of(quote: number, userIds: readonly number[]): Promise<LeverBalances>;
}
