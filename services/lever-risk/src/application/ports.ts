import type { Rows } from '@bourse/contract';
import type { Direction, LeverScales } from '@bourse/formulas';
import type { NeededHolds } from '@bourse/messaging';
import { Database, type Tx } from '@bourse/persistence';
import type { Marks } from '../domain/account.js';
import type { Position, Status } from '../domain/position.js';

/** The database of this service: schema `lever`. */
export abstract class LeverDatabase extends Database {}

/** A user and a quote currency: the unit of cross margin. */
export interface AccountName {
  readonly userId: number;
  readonly quote: number;
}
/** An account with its one debit in flight. */
export interface InFlight extends AccountName {
  readonly inFlight: string;
}
/** An account as stored, with the version of its row. */
export interface AccountRow extends AccountName {
  readonly version: number;
}

/** The claimant of an account: a call of its owner, or liquidation, stops, targets and trigger orders. */
export type Claimant = 'call' | 'risk';

/** Claims of accounts (architecture §7), timed by the clock of the database. */
export abstract class AccountStore {
  /**
   * Claims an account that is free and has nothing in flight, else null. A call does not get an account that is
   * reserved for risk; a claim for risk ends the reservation.
   */
  abstract claim(account: AccountName, token: string, forMs: number, by: Claimant): Promise<AccountRow | null>;
  /** Reserves an account for risk: no call claims it within `forMs`. The reservation changes no version. */
  abstract reserve(account: AccountName, forMs: number): Promise<void>;
  /** Ends a claim without a decision. */
  abstract release(account: AccountName, token: string): Promise<void>;
  /**
   * Ends the claim in the transaction of the decision and stores what is in flight. False if the claim has expired or
   * the account has changed: then the transaction must write nothing.
   */
  abstract commit(tx: Tx, account: AccountRow, token: string, inFlight: string | null): Promise<boolean>;
  /** Clears what was in flight; an account with another debit in flight is left alone. */
  abstract settleInFlight(tx: Tx, accounts: readonly InFlight[]): Promise<void>;
  /** Locks accounts and raises their versions without a claim, so that a concurrent claim on them is refused. */
  abstract touch(tx: Tx, accounts: readonly AccountName[]): Promise<void>;
  /** Accounts of a partition that changed within `withinMs`; null: all that have a live position. */
  abstract changed(partition: Partition, withinMs: number | null): Promise<readonly AccountRow[]>;
}
/** One of `of` equal partitions of all users. */
export interface Partition {
  readonly part: number;
  readonly of: number;
}

/** A position before and after a change. */
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

/** Times of a close, ms, both inclusive. */
export interface ClosedFilter {
  readonly pairIds?: readonly number[] | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Positions of one pair that were open at a moment, as a sum in which short ones are negative. */
export interface OpenSum {
  /** Index of the moment. */
  readonly at: number;
  readonly pairId: number;
  readonly quote: number;
  readonly scales: Pick<LeverScales, 'numberScale' | 'quoteScale'>;
  readonly lots: bigint;
  readonly notional: bigint;
}

/** Positions and the open notional. */
export abstract class PositionStore {
  abstract insert(tx: Tx, position: Position): Promise<void>;
  /** Deletes a position that the ledger has refused. */
  abstract drop(tx: Tx, id: string): Promise<void>;
  /** Replaces `before` by `after`; false if the stored position is no longer `before`. */
  abstract change(tx: Tx, before: Position, after: Position): Promise<boolean>;
  /** The same for many; false if one has changed: then the transaction must be rolled back. */
  abstract changeAll(tx: Tx, changes: readonly Change[]): Promise<boolean>;
  abstract find(id: string, userId?: number): Promise<Position | null>;
  /** The newest position of a user with this client id. */
  abstract findByClientId(clientId: string, userId: number): Promise<Position | null>;
  /** Reads positions and locks them until the transaction ends. */
  abstract lock(tx: Tx, ids: readonly string[]): Promise<readonly Position[]>;
  /** The accounts of these positions, each once. */
  abstract accountsOf(tx: Tx, ids: readonly string[]): Promise<readonly AccountName[]>;
  /** Positions of these settlements that are not booked yet, locked. */
  abstract settling(tx: Tx, settlements: readonly string[]): Promise<readonly Position[]>;
  /** Pending, open and closing positions of accounts, the oldest first. */
  abstract liveOf(accounts: readonly AccountName[]): Promise<readonly Position[]>;
  /** Quotes in which a user has an open position, in one direction if it is given. */
  abstract openQuotes(userId: number, direction?: Direction): Promise<readonly number[]>;
  /** Open positions of a user before each of these moments, ms, rising; a close that is not booked yet is open. */
  abstract openSums(userId: number, moments: readonly number[]): Promise<readonly OpenSum[]>;
  abstract list(filter: PositionFilter, offset: number, size: number): Promise<Rows<Position>>;
  /** All closed positions of a user by the time of their close, the oldest first, in pieces. */
  abstract allClosed(userId: number, filter: ClosedFilter): AsyncGenerator<readonly Position[]>;
  /** Counts the outcomes of positions in the transaction that closes them. */
  abstract countOutcomes(tx: Tx, ended: readonly Position[]): Promise<void>;
  /** Adds to the open notional of a quote. False, without effect, if that would exceed `most`; null: no limit. */
  abstract addOpenNotional(tx: Tx, quote: number, notional: bigint, most: bigint | null): Promise<boolean>;
  abstract openNotional(quote: number): Promise<bigint>;
}

/** The reads of the auditor. */
export abstract class LeverAuditReads {
  abstract holdDigests(): Promise<readonly string[]>;
  abstract holdLines(buckets: readonly number[]): Promise<NeededHolds>;
  /**
   * Quotes whose open notional differs from that of their positions, and positions in a contradictory state, such as a
   * closed one with unpaid overnight fees, or an open one without a timer for the next midnight.
   */
  abstract wrongs(): Promise<readonly string[]>;
  /** Count of positions by outcome (`outcomeOf`). */
  abstract outcomes(): Promise<Readonly<Record<string, number>>>;
  /** Total unrealised gains at these marks, in units of the quote, by quote. Losing positions count 0. */
  abstract gains(marks: Marks): Promise<ReadonlyMap<number, bigint>>;
}

/** Balances of users and of the house in the ledger, as decimal text. */
export interface LeverBalances {
  readonly balances: Readonly<Record<string, string>>;
  readonly house: string;
}
/** Asks the ledger. */
export abstract class Balances {
  /** Available lever balances of users in a quote, and the balance of `h.lever`. */
  abstract of(quote: number, userIds: readonly number[]): Promise<LeverBalances>;
}

/** Asks what stops new positions of a person: what stops `lever/submit` stops their trigger orders too (rules §3). */
export abstract class Openings {
  /** False if the breaker, a freeze or an alarm stops them, or if that cannot be learnt. */
  abstract areOpen(userId: number): Promise<boolean>;
}
