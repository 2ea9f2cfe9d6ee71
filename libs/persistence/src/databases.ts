import pg from 'pg';
import { markInstall, type InstallFacts } from './migrations/install.js';
import { maintainSchema, prepareOutbox, type SchemaAddress } from './migrations/maintenance.js';
import { migrate, requireMigrated } from './migrations/migrations.js';
import { giveLogin, loginUrl, newPassword } from './migrations/roles.js';
import { DatabaseSetBack, Witness, type Asking } from './outbox/witness.js';
import { Databases, type Database, type DatabaseSpec, type OutboxRow } from './ports.js';
import { ExclusiveLock } from './postgres/exclusive-lock.js';
import { openPools } from './postgres/pools.js';
import { PostgresDatabase, type PoolState } from './postgres/postgres-database.js';

export interface DatabasesOptions {
  /**
   * The login: of one service, for its own schema alone, or one that may become the role of each schema. Missing
   * schemas are created, if the login may.
   */
  readonly url: string;
  /** Before the name of a schema, its role; by default `bourse_`. */
  readonly rolePrefix?: string;
  /**
   * Each schema is used by a login of its own, with a secret password that changes at each start, so that no statement
   * of a service can leave its schema. For a process that is alone on a database and whose `url` is that of the owner.
   */
  readonly ownLogins?: boolean;
  /** Only one process may use this database (embedded run): `lock()` refuses a second one. */
  readonly exclusive?: boolean;
  /**
   * The facts of this process, checked against the marks of each schema before its database is returned. Without them
   * nothing is checked or marked (tests, tools).
   */
  readonly install?: InstallFacts;
  /** Called with failures of background work (maintenance, callbacks after a commit, a lost lock). */
  readonly onError?: (error: unknown, what: string) => void;
  /** False: the schemas were prepared by `bourse migrate --apply`, and one that was not is refused. */
  readonly migrates?: boolean;
  /** Called when a newer version has migrated a schema already, beside which this one may run. */
  readonly onNewer?: (schema: string, migrations: readonly string[]) => void;
  /**
   * A file that remembers over restarts how far this process's streams had come, beyond the database that may be set
   * back.
   */
  readonly witnessFile?: string;
  /** Called with the fault when the database lacks acknowledged commits, and with null when it has them again. */
  readonly onSetBack?: (reason: string | null) => void;
  /** Called when the exclusive lock was lost to another process: this one must end. */
  readonly onLockLost?: () => void;
}

const MAINTENANCE_MS = 3_600_000;

/** One TypeORM data source per schema, each connected as the schema's own role (docs/decisions/0010, 0064). */
export class PostgresDatabases extends Databases {
  private readonly databases = new Map<string, Promise<PostgresDatabase>>();
  private readonly openedListeners: ((database: Database) => void)[] = [];
  private readonly rowListeners: ((rows: readonly OutboxRow[]) => void)[] = [];
  private readonly uncertainListeners: ((database: Database) => void)[] = [];
  private readonly ready: PostgresDatabase[] = [];
  /** The address of each schema, with its login. */
  private readonly urls = new Map<string, string>();
  private readonly exclusiveLock: ExclusiveLock;
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
    this.exclusiveLock = new ExclusiveLock({
      url: options.url,
      onError: (error) => this.report(error, 'connection that holds the exclusive lock'),
      onLost: () => options.onLockLost?.(),
    });
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
    const newer = await (this.options.migrates === false
      ? requireMigrated(this.options.url, spec)
      : migrate(this.options.url, spec, rolePrefix));
    if (newer.length > 0) this.options.onNewer?.(spec.schema, newer);
    const url = this.options.ownLogins ? await this.ownLogin(spec.schema) : this.options.url;
    this.urls.set(spec.schema, url);
    // Migrating makes the days of the outbox too.
    if (this.options.migrates === false) await prepareOutbox(this.addressOf(spec.schema));
    const { source, pools } = await openPools(spec, {
      url,
      ...(rolePrefix === undefined ? {} : { rolePrefix }),
      onConnect: (client) => this.connected(spec.schema, client),
      // A server that stops at the same time may end a connection before the client does.
      onLost: (error) => {
        if (!this.closing) this.report(error, `idle connection of ${spec.schema}`);
      },
    });
    const database = new PostgresDatabase(
      spec.schema,
      source,
      pools,
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
      this.options.exclusive ?? false,
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
    // A connection that is lost while it is in use fails its query. The error event comes as well, and without a
    // listener it would end the process.
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
    // Another schema of the same database was set back: none of them can be trusted.
    if (this.behind.size > 0) throw new DatabaseSetBack('another schema of the database was set back in time');
  }

  opened(): readonly Database[] {
    return this.ready;
  }

  /** Connections of each schema: all, the idle ones, and how many wait for one. */
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
    return this.exclusiveLock.hold();
  }

  /** Creates the coming days of each outbox, drops days that all have read, and deletes old answers. Runs each hour. */
  async maintain(): Promise<void> {
    for (const { schema } of this.ready)
      await maintainSchema({
        ...this.addressOf(schema),
        ...(this.isRead ? { isRead: this.isRead } : {}),
        onError: (error) => this.report(error, `maintenance of ${schema}`),
      });
  }

  private addressOf(schema: string): SchemaAddress {
    const { url, rolePrefix } = this.options;
    return {
      schema,
      url: this.urls.get(schema) ?? url,
      ...(rolePrefix === undefined ? {} : { rolePrefix }),
    };
  }

  private report(error: unknown, what: string): void {
    this.options.onError?.(error, what);
  }

  async close(): Promise<void> {
    this.closing = true;
    this.exclusiveLock.willClose();
    clearInterval(this.maintenance);
    this.witness.save();
    const databases = await Promise.allSettled(this.databases.values());
    for (const result of databases) if (result.status === 'fulfilled') await result.value.end();
    this.databases.clear();
    this.ready.length = 0;
    await this.exclusiveLock.close();
  }
}
