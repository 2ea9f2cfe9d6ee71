import pg from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { SettingValueEntity } from './entities/setting-value.entity.js';
import { SnakeCaseNames } from './entities/snake-case-names.js';
import { AtOnceTx } from './transactions/at-once.js';
import { CommitUncertain, isRefusedByServer } from './errors.js';
import { markInstall, type InstallFacts } from './migrations/install.js';
import { dropReadDays, ensureOutboxDays, migrate } from './migrations/migrations.js';
import { OUTBOX_COLUMNS, rowFromStored, type StoredOutboxRow } from './outbox/outbox.js';
import { Database, Databases, type DatabaseSpec, type OutboxRow, type TransactionOptions, type Tx } from './ports.js';
import { postgresTables } from './tables/postgres-tables.js';
import { giveLogin, loginUrl, newPassword, roleOf } from './migrations/roles.js';
import type { LibraryTables } from './tables/tables.js';
import { EXCLUSIVE_LOCK } from './outbox/stream-comparison.js';
import { mustBeSilent, transact, type DatabaseEvents, type Session } from './transactions/transact.js';
import { PostgresTx, run } from './transactions/transaction.js';
import { DatabaseSetBack, Witness, type Asking } from './outbox/witness.js';

export interface DatabasesOptions {
  /**
   * The login: of one service, for its own schema alone, or of who may become the role of each schema. What is not
   * there yet it makes, if it may.
   */
  readonly url: string;
  /** Before the name of a schema, its role; `bourse_` unless told. */
  readonly rolePrefix?: string;
  /**
   * Each schema is used by a login of its own, with a password that nobody else knows and that is another one after
   * each start, so that no statement of a service can leave its schema. For one process alone on a database whose owner
   * `url` is.
   */
  readonly ownLogins?: boolean;
  /** One process only may use this database (embedded run): `lock()` refuses a second one. */
  readonly exclusive?: boolean;
  /**
   * What the process is to the install: checked by each schema's marks before its database is handed out. Without it
   * nothing is checked or marked (tests, tools).
   */
  readonly install?: InstallFacts;
  /** Told about failures of background work (maintenance, callbacks after a commit, a lost lock). */
  readonly onError?: (error: unknown, what: string) => void;
  /**
   * A file that remembers over restarts how far this process's streams had come, beyond the database that may be set
   * back.
   */
  readonly witnessFile?: string;
  /** The database lacks what it had acknowledged; null: it has it again. */
  readonly onSetBack?: (reason: string | null) => void;
  /** Called when the exclusive lock was lost to another process: this one must end. */
  readonly onLockLost?: () => void;
}

const POOL_MAX = 4;
const MAINTENANCE_MS = 3_600_000;
/**
 * What a planner may not do that believes a table to be as small as it was when the statement was prepared, or when its
 * statistics were made: with 50,000 open orders a commit of four would read all of them (decision 0059).
 */
const BY_KEY = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'] as const;
const STALE_PLAN = 'cached plan must not change result type';

/** One TypeORM data source per schema, each connected as the schema's own role (docs/decisions/0010, 0064). */
export class PostgresDatabases extends Databases {
  private readonly databases = new Map<string, Promise<PostgresDatabase>>();
  private readonly openedListeners: ((database: Database) => void)[] = [];
  private readonly rowListeners: ((rows: readonly OutboxRow[]) => void)[] = [];
  private readonly uncertainListeners: ((database: Database) => void)[] = [];
  private readonly ready: PostgresDatabase[] = [];
  /** By schema, the address it is used by. */
  private readonly urls = new Map<string, string>();
  private holder: pg.Client | undefined;
  private closing = false;
  private maintenance: NodeJS.Timeout | undefined;
  private readonly witness: Witness;
  /** Schemas whose database was found to be set back. */
  private readonly behind = new Set<string>();

  constructor(private readonly options: DatabasesOptions) {
    super();
    this.witness = new Witness(options.witnessFile ?? null, (error) =>
      this.report(error, 'what streams had come to could not be stored'),
    );
  }

  open(spec: DatabaseSpec): Promise<Database> {
    let database = this.databases.get(spec.schema);
    if (!database) {
      database = this.prepare(spec);
      this.databases.set(spec.schema, database);
      // A failed opening is not remembered, so that a later try may succeed.
      database.catch(() => this.databases.delete(spec.schema));
    }
    return database;
  }

  private async prepare(spec: DatabaseSpec): Promise<PostgresDatabase> {
    if (this.options.exclusive) await this.lock();
    const { rolePrefix } = this.options;
    await migrate(this.options.url, spec, rolePrefix);
    const url = this.options.ownLogins ? await this.ownLogin(spec.schema) : this.options.url;
    this.urls.set(spec.schema, url);
    // The role comes with the connection, so no transaction can forget it and none pays a round trip for it
    // (docs/decisions).
    const options =
      `-c role=${roleOf(spec.schema, rolePrefix)} -c search_path=${spec.schema},public -c ` +
      'statement_timeout=3000 -c lock_timeout=2000 -c idle_in_transaction_session_timeout=5000';
    const pooling = {
      max: spec.poolMax ?? POOL_MAX,
      idleTimeoutMillis: 4_000,
      // Longer than a start that reads many open orders keeps the process busy: its timers run before its sockets.
      connectionTimeoutMillis: 10_000,
      // Statements that do not wait for one another share a round trip: `Promise.all` over a transaction's statements.
      pipeline: true,
      onConnect: (client: pg.ClientBase) => this.connected(spec.schema, client),
    };
    // While closing, a server that stops too may end a connection before it has read our goodbye.
    const lost = (error: unknown): void => {
      if (!this.closing) this.report(error, `idle connection of ${spec.schema}`);
    };
    // TypeORM makes one pool of these options; single statements and the gauges of the pool use the same one.
    let pool: pg.Pool | undefined;
    class SharedPool extends pg.Pool {
      constructor(config: pg.PoolConfig) {
        super(config);
        // eslint-disable-next-line @typescript-eslint/no-this-alias -- the only way to the pool that TypeORM makes
        pool = this;
      }
    }
    const source = new DataSource({
      type: 'postgres',
      driver: { ...pg, Pool: SharedPool },
      url,
      schema: spec.schema,
      // Beside its own, each schema has the settings of its service.
      entities: [SettingValueEntity, ...(spec.entities ?? [])],
      namingStrategy: new SnakeCaseNames(),
      synchronize: false,
      logging: false,
      installExtensions: false,
      applicationName: `bourse ${spec.schema}`,
      extra: { ...pooling, options },
      poolErrorHandler: lost,
    });
    await source.initialize();
    if (!pool) throw new Error('invariant: TypeORM has made no pool');
    // Connections of the single writers: their plans go by keys (`BY_KEY`). Readers and auditors of the same schema
    // need their joins.
    const byKey = new pg.Pool({
      ...pooling,
      connectionString: url,
      application_name: `bourse ${spec.schema} by key`,
      options: `${options} ${BY_KEY.map((setting) => `-c ${setting}=off`).join(' ')}`,
    });
    byKey.on('error', lost);
    const database = new PostgresDatabase(
      spec.schema,
      source,
      { shared: pool, writers: byKey },
      {
        rows: (rows) => {
          this.witness.note(spec.schema, rows);
          for (const listener of this.rowListeners) listener(rows);
        },
        uncertain: () => {
          for (const listener of this.uncertainListeners) listener(database);
        },
        error: (error, what) => this.report(error, what),
      },
    );
    if (this.options.install) await markInstall(database, this.options.install);
    this.ready.push(database);
    for (const listener of this.openedListeners) listener(database);
    this.maintenance ??= setInterval(() => void this.maintain(), MAINTENANCE_MS).unref();
    return database;
  }

  /** A new password for the schema's role: the address by which it logs in. */
  private async ownLogin(schema: string): Promise<string> {
    const { url, rolePrefix } = this.options;
    const password = newPassword();
    const client = new pg.Client({ connectionString: url, application_name: `bourse login ${schema}` });
    client.on('error', () => undefined); // its query fails too
    await client.connect();
    try {
      await giveLogin(client, schema, password, rolePrefix);
    } finally {
      await client.end();
    }
    return loginUrl(url, schema, password, rolePrefix);
  }

  /** A new connection, before anything is done on it. */
  private async connected(schema: string, client: pg.ClientBase): Promise<void> {
    // A connection that is lost while it is in use tells so to its query, and to nobody else: unheard, that would end
    // the process.
    client.on('error', () => undefined);
    try {
      await this.witness.check(schema, client as unknown as Asking);
      if (this.behind.delete(schema) && this.behind.size === 0) this.options.onSetBack?.(null);
    } catch (error) {
      if (error instanceof DatabaseSetBack) {
        this.behind.add(schema);
        this.options.onSetBack?.(error.message);
      }
      throw error;
    }
    // Another schema of the same database is not: so nothing of it can be trusted.
    if (this.behind.size > 0) throw new DatabaseSetBack('another schema of the database was set back in time');
  }

  opened(): readonly Database[] {
    return this.ready;
  }

  /** Connections of each schema: all, those that nobody uses, and how many wait for one. */
  pools(): readonly PoolState[] {
    return this.ready.flatMap((database) => database.poolState() ?? []);
  }

  onOpened(listener: (database: Database) => void): void {
    this.openedListeners.push(listener);
    for (const database of this.ready) listener(database);
  }

  onRows(listener: (rows: readonly OutboxRow[]) => void): void {
    this.rowListeners.push(listener);
  }

  onUncertain(listener: (database: Database) => void): void {
    this.uncertainListeners.push(listener);
  }

  keepUnless(read: (stream: string, number: number) => Promise<boolean>): void {
    this.isRead = read;
  }
  private isRead: ((stream: string, number: number) => Promise<boolean>) | undefined;

  /**
   * Takes the lock that keeps a second embedded process off this database. A process that was just killed may hold it
   * for moments: waits 5 s.
   */
  async lock(): Promise<void> {
    this.locking ??= this.takeLock(Date.now() + 5_000);
    return this.locking;
  }
  private locking: Promise<void> | undefined;

  private async takeLock(deadline: number): Promise<void> {
    const client = new pg.Client({
      connectionString: this.options.url,
      application_name: 'bourse exclusive lock',
      keepAlive: true,
    });
    client.on('error', (error) => {
      if (this.holder !== client) return; // still on its way: the query that waits for it fails
      this.holder = undefined;
      if (this.closing) return;
      this.report(error, 'connection that holds the exclusive lock');
      void this.retakeLock();
    });
    await client.connect();
    for (;;) {
      const { rows } = await client.query<{ ok: boolean }>('select pg_try_advisory_lock($1) as ok', [EXCLUSIVE_LOCK]);
      if (rows[0]?.ok) break;
      if (Date.now() > deadline) {
        await client.end();
        throw new ExclusiveLockTaken(
          'Another exchange process uses this database. Stop it first, or set DATABASE_URL to another database.',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    this.holder = client;
  }

  /** The lock ends with its connection: after a restart of PostgreSQL it is taken again, or this process must end. */
  private async retakeLock(): Promise<void> {
    for (let waitMs = 50; !this.closing; waitMs = Math.min(waitMs * 2, 2_000)) {
      try {
        await this.takeLock(Date.now());
        return;
      } catch (error) {
        if (error instanceof ExclusiveLockTaken) {
          this.options.onLockLost?.();
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
    }
  }

  /** Makes the coming days of each outbox, drops days that all have read, and forgets old answers. Runs each hour. */
  async maintain(): Promise<void> {
    for (const { schema } of this.ready) {
      const client = new pg.Client({
        connectionString: this.urls.get(schema) ?? this.options.url,
        application_name: `bourse maintenance ${schema}`,
      });
      client.on('error', () => undefined); // its query fails too, which is reported below
      try {
        await client.connect();
        await client.query(`set role ${roleOf(schema, this.options.rolePrefix)}`);
        await client.query(`set search_path = ${schema}, public`);
        await client.query('set lock_timeout = 2000');
        await ensureOutboxDays(client);
        if (this.isRead) await dropReadDays(client, this.isRead);
        await client.query('delete from answers where until < now()');
      } catch (error) {
        this.report(error, `maintenance of ${schema}`);
      } finally {
        await client.end();
      }
    }
  }

  private report(error: unknown, what: string): void {
    this.options.onError?.(error, what);
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.maintenance);
    this.witness.save();
    const databases = await Promise.allSettled(this.databases.values());
    for (const result of databases) if (result.status === 'fulfilled') await result.value.end();
    this.databases.clear();
    this.ready.length = 0;
    await this.holder?.end();
  }
}

/** How busy the connections of a schema are. */
export interface PoolState {
  readonly schema: string;
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

/** The database belongs to another living process. */
export class ExclusiveLockTaken extends Error {}

export class PostgresDatabase extends Database {
  readonly tables: LibraryTables = postgresTables(this);

  constructor(
    readonly schema: string,
    private readonly source: DataSource,
    private readonly pools: { readonly shared: pg.Pool; readonly writers: pg.Pool },
    private readonly events: DatabaseEvents,
  ) {
    super();
  }

  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (options.atOnce) return this.atOnce(work, options.relaxed ?? false);
    const runner = this.source.createQueryRunner();
    const client = (await runner.connect()) as pg.PoolClient;
    return transact(new PostgresSession(runner, client, this.schema), this.schema, this.events, work, options);
  }

  /** One message there, one back. A connection that breaks in between leaves the outcome open. */
  private async atOnce<T>(work: (tx: Tx) => Promise<T>, relaxed: boolean): Promise<T> {
    const tx = new AtOnceTx();
    const client = await this.pools.writers.connect();
    let broken: Error | undefined;
    let sent = false;
    const working = work(tx);
    working.catch(() => undefined); // told below
    try {
      // What fails before it waits for a result keeps everything from being sent.
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
      } // by the name that the statement's sender gives it
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

  override async lookUp<R = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<R[]> {
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

  private async single(pool: pg.Pool, sql: string, params: readonly unknown[] | undefined): Promise<pg.QueryResult> {
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

  /** Null once it is closed. */
  poolState(): PoolState | null {
    if (!this.source.isInitialized) return null;
    const { totalCount: total, idleCount: idle, waitingCount: waiting } = this.pools.shared;
    return { schema: this.schema, total, idle, waiting };
  }

  get manager(): EntityManager {
    return this.source.manager;
  }

  async end(): Promise<void> {
    if (this.source.isInitialized) await Promise.all([this.source.destroy(), this.pools.writers.end()]);
  }
}

/** One transaction on one connection of the pool. */
class PostgresSession implements Session {
  readonly tx: PostgresTx;

  constructor(
    private readonly runner: QueryRunner,
    private readonly client: pg.PoolClient,
    schema: string,
  ) {
    this.tx = new PostgresTx(client, runner, schema);
  }

  async begin({ isolation, relaxed, byKey }: TransactionOptions): Promise<void> {
    await this.runner.startTransaction(isolation === 'repeatable read' ? 'REPEATABLE READ' : undefined);
    const settings = [...(relaxed ? ['synchronous_commit'] : []), ...(byKey ? BY_KEY : [])];
    if (settings.length === 0) return;
    // Travels with the first statement; should it fail, so does each statement behind it.
    this.client.query(settings.map((setting) => `set local ${setting} = off`).join('; ')).catch(() => undefined);
  }

  commit(): Promise<void> {
    return this.runner.commitTransaction();
  }

  async rollBack(reason: unknown): Promise<void> {
    try {
      await this.runner.rollbackTransaction();
      // A statement prepared before a migration changed its table: this connection would fail on it for ever.
      if (reason instanceof Error && reason.message.includes(STALE_PLAN)) return await this.discard();
    } catch {
      await this.discard(); // the connection is gone, and the transaction with it
      return;
    }
    await this.release();
  }

  /** A connection that was ended is thrown away by the pool. */
  async discard(): Promise<void> {
    this.client.end().catch(() => undefined); // it may be gone
    await this.release();
  }

  release(): Promise<void> {
    return this.runner.release();
  }
}
