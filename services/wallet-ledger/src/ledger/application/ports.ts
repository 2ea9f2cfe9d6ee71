import type { AuditFlow, CauseNet } from '@bourse/messaging';
import type { LedgerReply, StoredAnswer } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { AccountState, HoldState, Owner } from '../domain/index.js';

/** An account or a hold that a batch touches. */
export interface AccountRef {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
}
export interface HoldRef extends AccountRef {
  readonly hold: string;
}

/** One row of the journal table: what a journal did to one owner. */
export interface JournalRow {
  readonly partition: number;
  readonly number: number;
  readonly part: number;
  readonly owner: Owner;
  readonly id: string;
  readonly causeType: string;
  readonly causeId: string;
  readonly entries: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly at: number;
}
/** The last row of a partition's journal: the next one is chained to it. */
export interface ChainHead {
  readonly number: number;
  readonly hash: string;
}

/** An answer as it is kept. */
export interface CommandRow {
  readonly id: string;
  readonly secondKey: string | null;
  readonly bodyHash: string | null;
  readonly answer: StoredAnswer;
  readonly held: string | null;
}

/** What a batch needs to know before it is applied, and the database's time then, ms. */
export interface Found {
  readonly at: number;
  readonly accounts: readonly AccountState[];
  readonly holds: readonly HoldState[];
  readonly commands: readonly CommandRow[];
  readonly secondKeys: readonly CommandRow[];
}
/** What a batch has changed. */
export interface Changes {
  readonly partition: number;
  readonly at: number;
  readonly accounts: readonly AccountState[];
  readonly holds: readonly HoldState[];
  readonly journals: readonly JournalRow[];
  readonly commands: readonly CommandRow[];
}

/** Tables of the writer. Nobody else writes them. */
export abstract class WriterStore {
  /** The end of a partition's journal; number 0 and an empty hash before the first. */
  abstract chainHead(partition: number): Promise<ChainHead>;
  abstract find(names: {
    readonly accounts: readonly AccountRef[];
    readonly holds: readonly HoldRef[];
    readonly commandIds: readonly string[];
    readonly secondKeys: readonly string[];
  }): Promise<Found>;
  abstract save(tx: Tx, changes: Changes): Promise<void>;
  /**
   * Throws `BatchTooOld` when the batch was read more than 5 s ago by the database's clock: its commands may have
   * expired.
   */
  abstract checkAge(tx: Tx, at: number): Promise<void>;
}
/** Between reading and committing a batch too much time has passed; it is taken again. */
export class BatchTooOld extends Error {}

export interface LogFilter {
  readonly owner: Owner;
  readonly state?: 'available' | 'held';
  readonly account?: string;
  readonly currency?: number;
  readonly from?: number;
  readonly to?: number;
  readonly causeType?: string;
}
/** One line of a statement, as stored. Amounts are decimal texts of the database. */
export interface LogRow {
  readonly partition: number;
  readonly number: number;
  readonly place: number;
  readonly journalId: string;
  readonly causeType: string;
  readonly causeId: string;
  readonly at: number;
  readonly account: string;
  readonly currency: number;
  readonly state: 'available' | 'held';
  readonly amount: string;
  readonly after: string;
  readonly fee: boolean;
}
export interface BalanceRow {
  readonly currency: number;
  readonly account: string;
  readonly available: string;
  readonly held: string;
}
export interface HoldRow {
  readonly currency: number;
  readonly account: string;
  readonly remaining: string;
  readonly name: string;
  readonly causeType: string;
  readonly causeId: string;
}
export interface TransferRow {
  readonly transferId: string;
  readonly currency: number;
  readonly from: string;
  readonly to: string;
  readonly amount: string;
  readonly at: number;
}
export interface CheckRow {
  readonly account: string;
  readonly state: 'available' | 'held';
  readonly currency: number;
  readonly balance: string;
  readonly sum: string;
  readonly equal: boolean;
}

/** What callers may read. */
export abstract class LedgerReader {
  /**
   * What people have available in an account of a currency, and what the house has in one of its own, over all
   * partitions: one snapshot, decimal text.
   */
  abstract availableOf(
    account: string,
    house: string,
    currency: number,
    userIds: readonly number[],
  ): Promise<{ readonly balances: Readonly<Record<string, string>>; readonly house: string }>;

  abstract balances(owner: Owner): Promise<readonly BalanceRow[]>;
  abstract holds(owner: Owner, currency?: number): Promise<readonly HoldRow[]>;
  /**
   * Newest first. `total` is exact, but with a filter by time or cause it is counted up to a limit only: it is at least
   * that many.
   */
  abstract logs(
    filter: LogFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly LogRow[]; readonly total: number }>;
  /** Journals of an object of its owner, oldest first. */
  abstract journalsOf(
    owner: Owner,
    causeType: string,
    causeId: string,
  ): Promise<readonly { readonly number: number; readonly partition: number }[]>;
  /** What the journals of objects have moved in all, in the order of no object; what comes to zero is left out. */
  abstract netsOf(causeType: string, causeIds: readonly string[]): Promise<readonly CauseNet[]>;
  /** All lines, oldest first, read in pieces. */
  abstract allLogs(filter: LogFilter): AsyncGenerator<readonly LogRow[]>;
  /** What operators wrote about corrections, by the id of the correction. */
  abstract notes(adjustments: readonly number[]): Promise<ReadonlyMap<string, string>>;
  abstract transfers(
    owner: Owner,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly rows: readonly TransferRow[]; readonly total: number }>;
  /** Balance and sum of lines of each account of an owner, in one snapshot. */
  abstract check(owner: Owner): Promise<readonly CheckRow[]>;
  /** The stored answer of a command; `common.keyReused` when it was given for another body than this one. */
  abstract answer(commandId: string, bodyHash?: string | null): Promise<LedgerReply | null>;
}

export type AuditedRow = JournalRow;
export interface AuditedAccount {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
  readonly available: string;
  readonly held: string;
  readonly availableSequence: number;
  readonly heldSequence: number;
  readonly holds: string;
}
/** Whole journals of a partition, numbers in (from, to]. */
export interface JournalSpan {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
}
/**
 * Sums over all accounts of a currency, in units of 1e-18: available, held, lines of both states, and both amounts
 * weighted by the account's name.
 */
export interface CurrencyTotals {
  readonly currency: number;
  readonly available: string;
  readonly held: string;
  readonly lines: readonly [string, string];
  readonly byName: string;
}
/** One consistent look at all money: what is read through it belongs to one instant. */
export interface Snapshot {
  /** How far this service has written and read. */
  flow(): Promise<AuditFlow>;
  accounts(): Promise<readonly AuditedAccount[]>;
  clearing(): Promise<readonly AuditedAccount[]>;
  totals(): Promise<readonly CurrencyTotals[]>;
  /** Whether some account may be below zero or no number; the database checks roughly, its rows say. */
  overdrawn(): Promise<boolean>;
  /** The first account whose held amount is not the sum of its holds, as a sentence. */
  holdMismatch(): Promise<string | null>;
  /** Numbers of a partition's first and last journal that are kept; 0 and 0 without one. */
  bounds(partition: number): Promise<{ readonly first: number; readonly last: number }>;
  /** All rows of a span's journals, in order. */
  journals(span: JournalSpan): Promise<readonly AuditedRow[]>;
  /** Of all that the rows of a span say. */
  fingerprint(span: JournalSpan): Promise<string>;
  /** Holds of these buckets, by name and currency. */
  holdLines(prefix: string, buckets: readonly number[]): Promise<readonly HeldFor[]>;
}
export abstract class AuditReads {
  abstract inSnapshot<T>(look: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /**
   * Holds for orders as one digest per bucket of their names: another service makes the same of what its orders need.
   */
  abstract holdDigests(prefix: string): Promise<readonly string[]>;
}
/** One hold: its name, its currency, what remains of it. */
export interface HeldFor {
  readonly hold: string;
  readonly currency: number;
  readonly amount: string;
}

/** Upkeep of the tables: room for the coming weeks, and facts of the install. */
export abstract class LedgerMaintenance {
  abstract createPartitions(): Promise<void>;
  /**
   * Adds the next journals of a partition to the sums of people's lines, at most `max`; how many it were. 0 also while
   * another process does it.
   */
  abstract sumLines(partition: number, max: number): Promise<number>;
  abstract isSeeded(): Promise<boolean>;
  /** True if the ledger has no journal that is not a seed. */
  abstract isUntouched(): Promise<boolean>;
  abstract markSeeded(): Promise<void>;
}
