import type { Tx } from '../ports.js';
import type { SagaTable } from './saga-table.js';

/** Runs a statement: in a transaction, or by itself on a database. */
export type Where = Pick<Tx, 'execute'>;

export interface OwnedRow {
  readonly epoch: number;
  readonly kafkaOffset: string | null;
  /** Offset of the first row before `kafkaOffset` that was not applied; null: there is none. */
  readonly heldOffset: string | null;
}
export interface PositionRow {
  readonly stream: string;
  readonly number: number;
  readonly hash: string;
}
/** One stream's step in a transaction: compare-and-set from `expected` to `number`. */
export interface PositionStep {
  readonly stream: string;
  readonly expected: number;
  readonly number: number;
  readonly hash: string;
}
export interface OwnerKey {
  readonly consumer: string;
  readonly partition: number;
  readonly epoch: number;
}
/** An owner's step in the log: it stores `kafkaOffset`, unless that is null, and `heldOffset`. */
export interface OwnerStep extends OwnerKey {
  readonly kafkaOffset: string | null;
  readonly kafkaFrom?: string | null;
  readonly heldOffset?: string | null;
  readonly leaseMs: number;
}

/**
 * The owner of each partition of each consumer, its position, and the instances that want partitions (invariants §2.3).
 * Times are the database's.
 */
export abstract class OwnerTable {
  /**
   * Takes a partition whose lease has run out or whose owner bears this name, under the next epoch. Null while another
   * instance owns it.
   */
  abstract take(consumer: string, partition: number, owner: string, leaseMs: number): Promise<OwnedRow | null>;
  /**
   * Renews the leases that still have the given epoch; a row that a transaction holds is skipped. Returns the epoch of
   * each requested partition, by `<consumer>/<partition>`.
   */
  abstract renew(asked: readonly OwnerKey[], leaseMs: number): Promise<ReadonlyMap<string, number>>;
  /** Ends the lease at once, if the epoch is still valid. */
  abstract free(key: OwnerKey): Promise<void>;
  abstract positions(consumer: string): Promise<readonly PositionRow[]>;
  /**
   * In the consumer's transaction: renews the lease and stores the offsets if the epoch is valid, and moves the
   * positions that are where they are expected. Returns both results. With `kafkaFrom` the stored offset must equal it:
   * a commit that a crash of the database took back is detected by the next one, whichever stream that one is of.
   */
  abstract advance(
    tx: Tx,
    key: OwnerStep,
    steps: readonly PositionStep[],
  ): Promise<{ readonly owned: boolean; readonly moved: number }>;
  /** Registers an instance that wants partitions; returns how many are live. */
  abstract registerInstance(consumer: string, instance: string, leaseMs: number): Promise<number>;
  abstract unregisterInstance(consumer: string, instance: string): Promise<void>;
}

/** Head of a stream: the number that comes next, and the hash of the row before it. */
export interface StreamHead {
  readonly name: string;
  readonly next: number;
  readonly hash: string;
}

/** How far the relay has sent a stream, where the partition in Kafka ended then, and when that was; null: not known. */
export interface RelayCursor {
  readonly sent: number;
  readonly kafkaEnd: string | null;
  readonly sentAt: number | null;
}

/**
 * The streams that this schema sends: their heads, and how far its relay has sent them. Rows are written by `Tx.emit`
 * and `Tx.emitRows`, and read by `Database.rowsOf`.
 */
export abstract class StreamTable {
  /** Heads of all streams, or of those whose name begins so. */
  abstract heads(prefix?: string): Promise<readonly StreamHead[]>;
  abstract relayed(): Promise<ReadonlyMap<string, RelayCursor>>;
  /** Notes how far the relay has sent; never backwards. */
  abstract saveRelayed(cursors: ReadonlyMap<string, RelayCursor>): Promise<void>;
}

/**
 * `live`: the answer is still valid. An expired answer waits for deletion; an expired claim belongs to a crashed call.
 */
export interface AnswerRow {
  readonly bodyHash: string | null;
  readonly state: 'pending' | 'open' | 'done';
  readonly answer: string | null;
  readonly live: boolean;
}

/** A call that is open, and its final answer as text. */
export interface Concluded {
  readonly commandId: string;
  readonly answer: string;
}

/** Answers of money calls, by command id (invariants §2.1). */
export abstract class AnswerTable {
  /**
   * Claims an id for a call that begins. False if it has an answer or is claimed; a claim older than `pendingSeconds`
   * for the same body is taken over. It lives for `openSeconds`. An expired answer counts as absent, here and wherever
   * answers are stored, even before its row is deleted [ANSWER-009].
   */
  abstract claim(
    commandId: string,
    bodyHash: string | null,
    pendingSeconds: number,
    openSeconds: number,
  ): Promise<boolean>;
  /**
   * In the transaction that begins an effect whose outcome comes later (architecture §7): the call is open until
   * `conclude`, and no repeat takes it over. False when it has an answer, is open, or another body claims its id.
   */
  abstract open(tx: Tx, commandId: string, bodyHash: string | null): Promise<boolean>;
  /** Stores the final answer of a call that `open` has opened, unless there is one. */
  abstract conclude(tx: Tx, commandId: string, answer: string, keptDays: number): Promise<void>;
  /** The same for many calls. */
  async concludeAll(tx: Tx, rows: readonly Concluded[], keptDays: number): Promise<void> {
    for (const { commandId, answer } of rows) await this.conclude(tx, commandId, answer, keptDays);
  }
  /** Drops a claim without a result. */
  abstract drop(commandId: string): Promise<void>;
  /** Stores a final answer, unless there is one: then false. */
  abstract record(where: Where, commandId: string, answer: string, keptDays: number): Promise<boolean>;
  /**
   * Stores final answers with the hashes of their bodies, each id once. Returns the answers that were stored already,
   * by id: these stay.
   */
  abstract recordAll(
    tx: Tx,
    rows: readonly { readonly commandId: string; readonly bodyHash: string | null; readonly answer: string }[],
    keptDays: number,
  ): Promise<ReadonlyMap<string, string>>;
  abstract find(commandId: string): Promise<AnswerRow | null>;
}

export interface TimerRow {
  readonly kind: string;
  readonly id: string;
  /** Business time, ms. */ readonly dueAt: number;
  /** JSON. */ readonly payload: string;
}

/** Deadlines as rows (invariants §2.6). */
export abstract class TimerTable {
  abstract set(tx: Tx, row: TimerRow): Promise<void>;
  /** The same for many, each of which is another one. */
  async setAll(tx: Tx, rows: readonly TimerRow[]): Promise<void> {
    for (const row of rows) await this.set(tx, row);
  }
  /** Locks the row until the transaction ends, if there is one. */
  abstract lock(tx: Tx, kind: string, id: string): Promise<void>;
  /** When it was due; null if there was none. */
  abstract cancel(tx: Tx, kind: string, id: string): Promise<number | null>;
  /**
   * Removes the earliest timers of these kinds that are due at `now` and that no other transaction holds, at most
   * `limit`, in the order in which they fell due.
   */
  abstract takeDue(tx: Tx, kinds: readonly string[], now: number, limit: number): Promise<readonly TimerRow[]>;
  /**
   * When the next timer of these kinds falls due (business time, ms; in the past: it is due now), and in how many ms
   * of real time the next one that has failed is tried again. Null: there is none.
   */
  abstract next(
    kinds: readonly string[],
  ): Promise<{ readonly dueAt: number | null; readonly retryInMs: number | null }>;
  /** A timer has failed: it waits 1, 2, 4 … seconds before it is tried again, at most `secondsMax`. */
  abstract postpone(kind: string, id: string, secondsMax: number): Promise<void>;
}

/** Facts of the install, and messages that views could not apply. */
export abstract class FactTable {
  /** Stores a fact unless there is one under this name, and returns the stored one. */
  abstract claim(name: string, value: string): Promise<string>;
  abstract deadLetter(
    tx: Tx,
    letter: {
      readonly consumer: string;
      readonly stream: string;
      readonly number: number;
      readonly message: string;
      readonly error: string;
    },
  ): Promise<void>;
}

/**
 * Tables that every schema has, without their SQL: in PostgreSQL, and in memory for the simulator. One suite holds for
 * both (`test/tables-suite.ts`).
 */
export interface LibraryTables {
  readonly owners: OwnerTable;
  readonly streams: StreamTable;
  readonly answers: AnswerTable;
  readonly timers: TimerTable;
  readonly facts: FactTable;
  readonly sagas: SagaTable;
}
