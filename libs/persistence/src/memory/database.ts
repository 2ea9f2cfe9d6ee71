import type { EntityManager } from 'typeorm';
import { chainHash, gatherByPartition } from '../outbox/outbox.js';
import { OutgoingTx } from '../outbox/outgoing.js';
import { Database, Databases, type DatabaseSpec, type OutboxRow, type TransactionOptions, type Tx } from '../ports.js';
import type { LibraryTables } from '../tables/tables.js';
import { transact, type DatabaseEvents, type Session } from '../transactions/transact.js';
import { StreamForked } from '../errors.js';
import { MemoryServer, ServerSession, type Statement } from './server.js';
import { memoryTables } from './tables.js';

/** The way between a process and the server. The simulator's one loses, delays and cuts; this one does nothing. */
export abstract class MemoryLink {
  /** Carries one request over and its answer back. A test that cuts the connection ends `session`. */
  abstract call<T>(what: string, session: ServerSession, serve: () => Promise<T>): Promise<T>;
}
class DirectLink extends MemoryLink {
  call<T>(_what: string, _session: ServerSession, serve: () => Promise<T>): Promise<T> {
    return serve();
  }
}

interface HeadRow {
  readonly next: number;
  readonly hash: string;
  readonly previousHash: string;
}
const NO_SQL = 'a database in memory knows no SQL; its tables are reached through ports';

/** A transaction on the server in memory. Stores in memory run their statements through `statement`. */
export class MemoryTx extends OutgoingTx {
  constructor(
    private readonly session: ServerSession,
    private readonly link: MemoryLink,
    private readonly schema: string,
  ) {
    super();
  }

  get manager(): EntityManager {
    throw new Error(NO_SQL);
  }
  query(): Promise<never> {
    return Promise.reject(new Error(NO_SQL));
  }
  execute(): Promise<never> {
    return Promise.reject(new Error(NO_SQL));
  }

  async statement<T>(what: string, work: (statement: Statement) => Promise<T>): Promise<T> {
    this.mustBeOpen();
    return this.link.call(what, this.session, () => this.session.run(work));
  }

  protected mark(what: 'savepoint' | 'release' | 'rollback'): Promise<void> {
    return this.link.call(what, this.session, async () => {
      if (what === 'savepoint') this.session.savepoint();
      else if (what === 'release') this.session.releaseSavepoint();
      else this.session.rollBackToSavepoint();
    });
  }

  async emitRows(rows: readonly OutboxRow[]): Promise<void> {
    if (rows.length === 0) return;
    const heads = await this.statement('outbox rows', async (at) => {
      let moved = 0;
      for (const row of rows) {
        await at.lock(`${this.schema}.stream`, row.stream);
        const head = at.get<HeadRow>(`${this.schema}.stream`, row.stream);
        if (head && (head.next !== row.number || head.hash !== row.previousHash)) continue;
        await at.put(`${this.schema}.stream`, row.stream, {
          next: row.number + 1,
          hash: row.hash,
          previousHash: row.previousHash,
        } satisfies HeadRow);
        moved += 1;
      }
      for (const row of rows) await at.put(`${this.schema}.outbox`, `${row.stream}#${row.number}`, stored(row));
      return moved;
    });
    if (heads !== rows.length)
      throw new StreamForked(`heads of ${rows.map((row) => `${row.stream} #${row.number}`).join(', ')} have moved`);
    this.written.push(...rows);
  }

  async writeOutbox(): Promise<readonly OutboxRow[]> {
    for (const { stream, topic, partition, payload, messages } of gatherByPartition(this.schema, this.emissions)) {
      const row = await this.statement('outbox', async (at) => {
        await at.lock(`${this.schema}.stream`, stream);
        const head = at.get<HeadRow>(`${this.schema}.stream`, stream) ?? { next: 1, hash: '' };
        const row: OutboxRow = {
          stream,
          number: head.next,
          topic,
          partition,
          previousHash: head.hash,
          hash: chainHash(head.hash, payload),
          payload,
        };
        await at.put(`${this.schema}.stream`, stream, {
          next: row.number + 1,
          hash: row.hash,
          previousHash: row.previousHash,
        } satisfies HeadRow);
        await at.put(`${this.schema}.outbox`, `${stream}#${row.number}`, row);
        return row;
      });
      this.written.push({ ...row, messages });
    }
    this.emissions = [];
    return this.written;
  }
}

/** The columns of an outbox row that the table stores: not the messages themselves, which are in the payload. */
const stored = ({ stream, number, topic, partition, previousHash, hash, payload }: OutboxRow): OutboxRow => ({
  stream,
  number,
  topic,
  partition,
  previousHash,
  hash,
  payload,
});

class MemorySession implements Session {
  readonly tx: MemoryTx;
  constructor(
    private readonly session: ServerSession,
    private readonly link: MemoryLink,
    schema: string,
  ) {
    this.tx = new MemoryTx(session, link, schema);
  }

  begin({ isolation }: TransactionOptions): Promise<void> {
    return this.link.call('begin', this.session, async () => this.session.begin(isolation));
  }
  commit(): Promise<void> {
    return this.link.call('commit', this.session, async () => this.session.commit());
  }
  async rollBack(): Promise<void> {
    try {
      await this.link.call('rollback', this.session, async () => this.session.rollBack());
    } catch {
      // The connection was lost, and with it the transaction.
    }
    this.session.end();
  }
  async discard(): Promise<void> {
    this.session.end();
  }
  async release(): Promise<void> {
    this.session.end();
  }
}

/** A service's schema on a server in memory. */
export class MemoryDatabase extends Database {
  readonly tables: LibraryTables = memoryTables(this);

  constructor(
    readonly schema: string,
    private readonly server: MemoryServer,
    private readonly link: MemoryLink,
    private readonly events: DatabaseEvents,
  ) {
    super();
  }

  transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return transact(
      new MemorySession(this.server.connect(), this.link, this.schema),
      this.schema,
      this.events,
      work,
      options,
    );
  }

  /** One statement in a transaction of its own. */
  async statement<T>(what: string, work: (statement: Statement) => Promise<T>): Promise<T> {
    const session = this.server.connect();
    try {
      return await this.link.call(what, session, () => session.run(work));
    } finally {
      session.end();
    }
  }

  get manager(): EntityManager {
    throw new Error(NO_SQL);
  }
  query(): Promise<never> {
    return Promise.reject(new Error(NO_SQL));
  }
  execute(): Promise<never> {
    return Promise.reject(new Error(NO_SQL));
  }

  rowsOf(stream: string, from: number, limit: number): Promise<OutboxRow[]> {
    return this.statement('rows of a stream', async (at) => {
      const rows: OutboxRow[] = [];
      for (let number = from; rows.length < limit; number += 1) {
        const row = at.get<OutboxRow>(`${this.schema}.outbox`, `${stream}#${number}`);
        if (row) rows.push(row);
        else if (number >= (at.get<HeadRow>(`${this.schema}.stream`, stream)?.next ?? 1)) break;
      }
      return rows;
    });
  }
}

/** The databases of one process on a server in memory. */
export class MemoryDatabases extends Databases {
  private readonly databases = new Map<string, MemoryDatabase>();
  private readonly openedListeners: ((database: Database) => void)[] = [];
  private readonly rowListeners: ((rows: readonly OutboxRow[]) => void)[] = [];
  private readonly uncertainListeners: ((database: Database) => void)[] = [];

  constructor(
    private readonly server: MemoryServer,
    private readonly link: MemoryLink = new DirectLink(),
    private readonly onError: (error: unknown, what: string) => void = () => undefined,
  ) {
    super();
  }

  open({ schema }: Pick<DatabaseSpec, 'schema'>): Promise<MemoryDatabase> {
    return Promise.resolve(this.at(schema));
  }

  at(schema: string): MemoryDatabase {
    const known = this.databases.get(schema);
    if (known) return known;
    const database: MemoryDatabase = new MemoryDatabase(schema, this.server, this.link, {
      rows: (rows) => {
        for (const listener of this.rowListeners) listener(rows);
      },
      uncertain: () => {
        for (const listener of this.uncertainListeners) listener(database);
      },
      error: this.onError,
    });
    this.databases.set(schema, database);
    for (const listener of this.openedListeners) listener(database);
    return database;
  }

  close(): Promise<void> {
    this.databases.clear();
    return Promise.resolve();
  }
  opened(): readonly Database[] {
    return [...this.databases.values()];
  }
  onOpened(listener: (database: Database) => void): void {
    this.openedListeners.push(listener);
    for (const database of this.databases.values()) listener(database);
  }
  onRows(listener: (rows: readonly OutboxRow[]) => void): void {
    this.rowListeners.push(listener);
  }
  onUncertain(listener: (database: Database) => void): void {
    this.uncertainListeners.push(listener);
  }
  /** Drops nothing, because a simulated day is short. */
  keepUnless(): void {
    /* nothing is ever dropped */
  }
}
