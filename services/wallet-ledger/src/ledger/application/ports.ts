import type { Rows } from '@bourse/contract';
import type { AuditFlow, CauseNet, NeededHold } from '@bourse/messaging';
import type { LedgerReply, StoredAnswer } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { AccountState, HoldState, Owner } from '../domain/journal.js';

/** An account or a hold that a batch touches. */
export interface AccountRef {
  readonly owner: Owner;
  readonly account: string;
  readonly currency: number;
}
export interface HoldRef extends AccountRef {
  readonly hold: string;
}

/** One row of the journal table: the effect of a journal on one owner. */
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
/** The last row of a partition's journal; the next row is chained to it. */
export interface ChainHead {
  readonly number: number;
  readonly hash: string;
}

/** A stored answer. */
export interface CommandRow {
  readonly id: string;
  readonly secondKey: string | null;
  readonly bodyHash: string | null;
  readonly answer: StoredAnswer;
  readonly held: string | null;
}

/** The stored state that a batch needs before it is applied, and the database's time at the read, ms. */
export interface Found {
  readonly at: number;
  readonly accounts: readonly AccountState[];
  readonly holds: readonly HoldState[];
  readonly commands: readonly CommandRow[];
  readonly secondKeys: readonly CommandRow[];
}
/** The changes of a batch. */
export interface Changes {
  readonly partition: number;
  readonly at: number;
  readonly accounts: readonly AccountState[];
  readonly holds: readonly HoldState[];
  readonly journals: readonly JournalRow[];
  readonly commands: readonly CommandRow[];
}

/** Tables of the writer, which alone writes them. */
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
/** Too much time has passed between reading and committing a batch; it is read again. */
export class BatchTooOld extends Error {}

export interface LogFilter {
  readonly owner: Owner;
  readonly state?: 'available' | 'held';
  readonly account?: string;
  readonly currency?: number;
  readonly from?: number;
  readonly to?: number;
  readonly causeType?: string;
  readonly causeId?: string;
}
/** Journals with a line that fits the filter; without `holds` only those that change the total of such an account. */
export interface JournalFilter extends LogFilter {
  readonly holds: boolean;
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
/** The sum of the lines of a day: both states of all accounts together. Holds and transfers cancel out. */
export interface DayMove {
  /** Its beginning, ms. */
  readonly day: number;
  readonly currency: number;
  readonly causeType: string;
  readonly fee: boolean;
  readonly amount: string;
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

/** Reads for callers. */
export abstract class LedgerReader {
  /**
   * Available balances of people in an account of a currency, and of the house in one of its accounts over all
   * partitions: one snapshot, decimal text.
   */
  abstract availableOf(
    account: string,
    house: string,
    currency: number,
    userIds: readonly number[],
  ): Promise<{ readonly balances: Readonly<Record<string, string>>; readonly house: string }>;

  /** Free and held of the house in one of its accounts over all partitions, decimal text. */
  abstract houseTotal(account: string, currency: number): Promise<string>;

  abstract balances(owner: Owner): Promise<readonly BalanceRow[]>;
  abstract holds(owner: Owner, currency?: number): Promise<readonly HoldRow[]>;
  /**
   * Newest first. `total` is exact without a filter by time or cause; with one it is a lower bound, counted up to a
   * limit.
   */
  abstract logs(filter: LogFilter, page: { readonly size: number; readonly offset: number }): Promise<Rows<LogRow>>;
  /** Journals of an object of its owner, oldest first. */
  abstract journalsOf(
    owner: Owner,
    causeType: string,
    causeId: string,
  ): Promise<readonly { readonly number: number; readonly partition: number }[]>;
  /** Totals that the journals of objects have moved, in no particular order; sums of zero are left out. */
  abstract netsOf(causeType: string, causeIds: readonly string[]): Promise<readonly CauseNet[]>;
  /** Journals with all their lines, newest first. */
  abstract journals(
    filter: JournalFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<readonly LogRow[]>>;
  /** All lines, oldest first, read in pieces. */
  abstract allLogs(filter: LogFilter): AsyncGenerator<readonly LogRow[]>;
  /** Amounts that moved in and out of the accounts of an owner since a time, by day (UTC), currency, cause and fee. */
  abstract dayMoves(owner: Owner, since: number): Promise<readonly DayMove[]>;
  /** Operators' notes on adjustments, by the id of the adjustment. */
  abstract notes(adjustments: readonly number[]): Promise<ReadonlyMap<string, string>>;
  abstract transfers(
    owner: Owner,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<TransferRow>>;
  /** Balance and sum of lines of each account of an owner, in one snapshot. */
  abstract check(owner: Owner): Promise<readonly CheckRow[]>;
  /** The stored answer of a command; `common.keyReused` if it belongs to another body than this one. */
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
/** A consistent snapshot: all its reads see one instant. */
export interface Snapshot {
  /** Heads and positions of this service's streams. */
  flow(): Promise<AuditFlow>;
  accounts(): Promise<readonly AuditedAccount[]>;
  clearing(): Promise<readonly AuditedAccount[]>;
  totals(): Promise<readonly CurrencyTotals[]>;
  /** Whether some account may be negative or no number; the database checks roughly, the rows decide. */
  overdrawn(): Promise<boolean>;
  /** The first account whose held amount is not the sum of its holds, as a sentence. */
  holdMismatch(): Promise<string | null>;
  /** Numbers of a partition's first and last journal that are kept; 0 and 0 without one. */
  bounds(partition: number): Promise<{ readonly first: number; readonly last: number }>;
  /** All rows of a span's journals, in order. */
  journals(span: JournalSpan): Promise<readonly AuditedRow[]>;
  /** Fingerprint over the full content of a span's rows. */
  fingerprint(span: JournalSpan): Promise<string>;
  /** Holds of these buckets, by name and currency. */
  holdLines(prefix: string, buckets: readonly number[]): Promise<readonly NeededHold[]>;
}
export abstract class AuditReads {
  abstract inSnapshot<T>(look: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /**
   * Holds for orders as one digest per bucket of their names; spot-matching computes the same digests from its open
   * orders.
   */
  abstract holdDigests(prefix: string): Promise<readonly string[]>;
}
/** Maintenance of the tables: partitions for the coming weeks, and facts of the install. */
export abstract class LedgerMaintenance {
  abstract createPartitions(): Promise<void>;
  /**
   * Adds the next journals of a partition, `max` at most, to the sums of people's lines. Returns their number; 0 also
   * while another process does it.
   */
  abstract sumLines(partition: number, max: number): Promise<number>;
  abstract isSeeded(): Promise<boolean>;
  /** True if the ledger has no journal that is not a seed. */
  abstract isUntouched(): Promise<boolean>;
  abstract markSeeded(): Promise<void>;
}
