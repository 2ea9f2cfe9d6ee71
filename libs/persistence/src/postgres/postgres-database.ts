import { inSpan, tracing, type SpanOptions } from '@bourse/platform';
import type pg from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { CommitUncertain, isRefusedByServer } from '../errors.js';
import { OUTBOX_COLUMNS, rowFromStored, type StoredOutboxRow } from '../outbox/outbox.js';
import { Database, type OutboxRow, type TransactionOptions, type Tx } from '../ports.js';
import { postgresTables } from '../tables/postgres-tables.js';
import type { LibraryTables } from '../tables/tables.js';
import { AtOnceTx } from '../transactions/at-once.js';
import { STALE_PLAN } from '../transactions/plans.js';
import { PostgresSession } from '../transactions/postgres-session.js';
import { mustBeSilent, transact, type DatabaseEvents } from '../transactions/transact.js';
import { run } from '../transactions/transaction.js';
import type { Pools } from './pools.js';

/** How busy the connections of a schema are. */
export interface PoolState {
  readonly schema: string;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The database of one schema: transactions on the shared pool, those of single writers on a pool of their own. */
export class PostgresDatabase extends Database {
  readonly tables: LibraryTables = postgresTables(this);

  constructor(
    readonly schema: string,
    private readonly source: DataSource,
    private readonly pools: Pools,
    private readonly events: DatabaseEvents,
    override readonly isExclusive = false,
  ) {
    super();
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return tracing.on
      ? inSpan('postgresql transaction', this.spanOptions('transaction'), () => this.runTransaction(work, options))
      : this.runTransaction(work, options);
  }

  private async runTransaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions): Promise<T> {
    if (options.atOnce) return this.atOnce(work, options.relaxed ?? false);
    const runner = this.source.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    return transact(new PostgresSession(runner, client, this.schema), this.schema, this.events, work, options);
  }

  /** One message to the server, one back. A connection that breaks in between leaves the outcome open. */
  private async atOnce<T>(work: (tx: Tx) => Promise<T>, relaxed: boolean): Promise<T> {
    const tx = new AtOnceTx();
    const client = await this.pools.writers.connect();
    let broken: Error | undefined;
    let sent = false;
    const working = work(tx);
    working.catch(() => undefined); // it is awaited below
    try {
      // If `work` fails before it waits for a result, no statement is sent.
      await Promise.race([
        working,
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
      ]);
      mustBeSilent({ relaxed }, await tx.writeOutbox());
      sent = true;
      await tx.send(client, { relaxed });
    } catch (error) {
      if (!sent) throw error;
      const certain = isRefusedByServer(error) || /^invariant/.test((error as Error).message);
      broken = certain && !(error as Error).message.includes(STALE_PLAN) ? undefined : (error as Error);
      if (certain) {
        await working;
        throw error;
      } // by the name that its sender gives the statement
      this.events.uncertain();
      throw new CommitUncertain(`commit on ${this.schema} got no answer`, { cause: error });
    } finally {
      client.release(broken);
    }
    const result = await working;
    tx.committed((error) => this.events.error(error, `callback after a commit on ${this.schema}`));
    const rows = await tx.writeOutbox();
    if (rows.length > 0) this.events.rows(rows);
    return result;
  }

  async query<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    return (await this.single(this.pools.shared, sql, params)).rows as R[];
  }

  override async queryByKey<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
    return (await this.single(this.pools.writers, sql, params)).rows as R[];
  }

  async execute(sql: string, params?: readonly unknown[]): Promise<number> {
    return (await this.single(this.pools.shared, sql, params)).rowCount ?? 0;
  }

  async rowsOf(stream: string, from: number, limit: number): Promise<OutboxRow[]> {
    const rows = await this.query<StoredOutboxRow>(
      `select ${OUTBOX_COLUMNS} from outbox where stream = $1 and number >= $2 order by number limit $3`,
      [stream, from, limit],
    );
    return rows.map(rowFromStored);
  }

  private single(pool: pg.Pool, sql: string, params: readonly unknown[] | undefined): Promise<pg.QueryResult> {
    return tracing.on
      ? inSpan('postgresql query', this.spanOptions(verbOf(sql)), () => this.runSingle(pool, sql, params))
      : this.runSingle(pool, sql, params);
  }

  private async runSingle(pool: pg.Pool, sql: string, params: readonly unknown[] | undefined): Promise<pg.QueryResult> {
    const client = await pool.connect();
    let broken: Error | undefined;
    try {
      return await run(client, sql, params);
    } catch (error) {
      // A statement prepared before a migration changed its table: this connection would fail on it for ever.
      if (error instanceof Error && error.message.includes(STALE_PLAN)) broken = error;
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** The span of a statement: the schema and its first word, never its values. */
  private spanOptions(operation: string): SpanOptions {
    return {
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.namespace': this.schema, 'db.operation.name': operation },
    };
  }

  /** Of both pools together. Null once it is closed. */
  poolState(): PoolState | null {
    if (!this.source.isInitialized) return null;
    const { shared, writers } = this.pools;
    return {
      schema: this.schema,
      total: shared.totalCount + writers.totalCount,
      idle: shared.idleCount + writers.idleCount,
      waiting: shared.waitingCount + writers.waitingCount,
    };
  }

  get manager(): EntityManager {
    return this.source.manager;
  }

  /** Ends all connections. */
  async end(): Promise<void> {
    if (this.source.isInitialized) await Promise.all([this.source.destroy(), this.pools.writers.end()]);
  }
}

const verbOf = (sql: string): string => /^\s*(\w{1,20})/.exec(sql)?.[1] ?? '';
