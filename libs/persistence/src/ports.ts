import type { EntityManager } from 'typeorm';
import type { LibraryTables } from './tables/tables.js';

/**
 * A message for a log, emitted inside a transaction; see @bourse/events. Structural, so that this library knows no
 * trading words.
 */
export interface OutgoingMessage {
  readonly type: string;
  readonly key: string;
  readonly body: unknown;
  readonly context?: unknown;
  /** Trace to which it belongs, as `traceparent`. */
  readonly trace?: string;
}

/**
 * The row that one commit adds to a stream for one partition, numbered without gaps, chained by hash (architecture §3).
 */
export interface OutboxRow {
  /** `<schema>><topic>/<partition>`. */
  readonly stream: string;
  readonly number: number;
  readonly topic: string;
  readonly partition: number;
  readonly previousHash: string;
  readonly hash: string;
  /** JSON array of messages. */
  readonly payload: string;
  /** The same messages, where the row has never left the process that wrote it. They must not be changed. */
  readonly messages?: readonly OutgoingMessage[];
}

/** One PostgreSQL transaction of one service. */
export interface Tx {
  query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  /** Number of rows changed: conditional updates check it. */
  execute(sql: string, params?: readonly unknown[]): Promise<number>;
  /** Entities, on the same connection and in the same transaction (decision 0089). */
  readonly manager: EntityManager;
  /** Adds a message to this transaction's outbox; numbered by the last statements before the commit. */
  emit(topic: string, partition: number, message: OutgoingMessage): void;
  /**
   * For single writers that number in memory (`StreamHeads`): rows are inserted as they are and passed to the relay
   * after the commit.
   */
  emitRows(rows: readonly OutboxRow[]): Promise<void>;
  /** Runs after the commit has succeeded, never after a rollback. */
  afterCommit(run: () => void): void;
  /** Part of the transaction that may fail alone: a throw undoes what it wrote and emitted, and is passed on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>;
}

export type Isolation = 'read committed' | 'repeatable read';
export interface TransactionOptions {
  readonly isolation?: Isolation;
  /**
   * The commit does not wait for the disk: for views, which a crash of the server may set back by moments together with
   * their position, so that the same messages come again. Such a transaction sends nothing: others would have read what
   * was then lost.
   */
  readonly relaxed?: boolean;
  /**
   * All statements travel in one message and commit with its end. They are issued before the first result is awaited,
   * whatever must hold is refused by a statement, and nothing is sent by `emit`: for single writers, whose batches
   * decide everything beforehand.
   */
  readonly atOnce?: boolean;
  /**
   * Its statements find rows by their keys alone, so no plan may read a table or a whole index, whatever the planner
   * estimates as their size. A transaction `atOnce` has this anyway.
   */
  readonly byKey?: boolean;
}

/** How long a lease lasts in a database of several processes. Ms. */
export const LEASE_MS = 4_000;

/** A service's database: its own schema, through its own role. */
export abstract class Database {
  abstract readonly schema: string;
  /** Whether no other process can use it meanwhile. */
  readonly isExclusive: boolean = false;
  /** The tables every schema has. */
  abstract readonly tables: LibraryTables;
  /** Runs in one transaction; commits when the promise resolves. Statement timeout 3 s, lock timeout 2 s. */
  abstract transaction<T>(run: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A single read (or autocommitted statement) outside of a transaction. */
  abstract query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]>;
  abstract execute(sql: string, params?: readonly unknown[]): Promise<number>;
  /**
   * Entities outside of a transaction: for single reads, and single statements that need no transaction (decision
   * 0089).
   */
  abstract readonly manager: EntityManager;
  /**
   * A single read that finds its rows by their keys alone (`TransactionOptions.byKey`), such as a single writer's query
   * before each batch.
   */
  queryByKey<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    return this.query<R>(sql, params);
  }
  /** Committed outbox rows of one of this schema's streams, from a number on, in order. For logs and relays. */
  abstract rowsOf(stream: string, from: number, limit: number): Promise<OutboxRow[]>;
}

/**
 * Opens the database of each service in this process. Created on first use: role, schema, library tables, then the
 * service's migrations.
 */
export abstract class Databases {
  abstract open(spec: DatabaseSpec): Promise<Database>;
  abstract close(): Promise<void>;
  /** The databases open in this process so far. */
  abstract opened(): readonly Database[];
  /** Calls back for each database that is open already, and for each that opens later. */
  abstract onOpened(listener: (database: Database) => void): void;
  /**
   * Rows of every commit in this process, right after it. Two commits on one connection pool may call back in another
   * order than they committed.
   */
  abstract onRows(listener: (rows: readonly OutboxRow[]) => void): void;
  /**
   * `read` decides, by how far a stream has been read, which old days of an outbox may be dropped: called with the last
   * number of the day. Without it nothing is dropped.
   */
  abstract keepUnless(read: (stream: string, number: number) => Promise<boolean>): void;
  /** A commit got no answer: its rows may be there without a call of `onRows`. */
  abstract onUncertain(listener: (database: Database) => void): void;
}
export interface DatabaseSpec {
  readonly schema: string;
  /** TypeORM entity classes of the tables whose rows are read and written one by one (decision 0089). */
  readonly entities?: readonly (new () => object)[];
  /** In order; each runs once, in a transaction, under an advisory lock. Never edited after it landed. */
  readonly migrations: readonly Migration[];
  readonly poolMax?: number;
}
/** Plain SQL, forward only. `id` is `0001-orders`. */
export interface Migration {
  readonly id: string;
  readonly sql: string;
  /**
   * It removes or narrows something that earlier versions use, so none of them starts on the schema any more. Without
   * this flag the previous version keeps running beside it, and a rollback to it is possible (decision 0130).
   */
  readonly breaks?: true;
}
