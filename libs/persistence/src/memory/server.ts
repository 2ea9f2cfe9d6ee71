import type { Isolation } from '../ports.js';

/** An error with the code of PostgreSQL, so that callers can distinguish transient ones. */
export class MemoryError extends Error {
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

export interface MemoryServerOptions {
  /** The server's clock, ms. */
  readonly now?: () => number;
  /** The server's own timers: they run whatever happens to its clients. Returns what cancels it. */
  readonly timer?: (ms: number, fire: () => void) => () => void;
  /** Sees each commit before it is applied: its writes, by `<table>\n<key>`. */
  readonly onCommit?: (writes: ReadonlyMap<string, object | null>) => void;
}

const LOCK_MS = 2_000;
const IDLE_MS = 5_000;

type Row = object;
type Table = Map<string, Row>;
interface Waiter {
  readonly session: ServerSession;
  got(): void;
  failed(error: Error): void;
}
interface Lock {
  holder: ServerSession;
  readonly queue: Waiter[];
}
/** A write not yet committed; null: deleted. */
type Overlay = Map<string, Row | null>;

/**
 * A database server in memory with the behaviour of PostgreSQL that our transactions rely on: statements see what was
 * committed before them (READ COMMITTED, or one snapshot), written rows are locked until the end, a commit applies
 * whole or not at all, a session that dies or idles in a transaction for 5 s is rolled back, a statement that waits 2 s
 * for a lock fails. Rows are never changed in place.
 */
export class MemoryServer {
  private readonly tables = new Map<string, Table>();
  private readonly locks = new Map<string, Lock>();
  private readonly sessions = new Set<ServerSession>();
  /** How many commits have changed something: a count over the tables is valid until this changes. */
  commits = 0;
  readonly now: () => number;
  readonly timer: (ms: number, fire: () => void) => () => void;
  constructor(private readonly options: MemoryServerOptions = {}) {
    this.now = options.now ?? (() => Date.now());
    this.timer =
      options.timer ??
      ((ms, fire) => {
        const timer = setTimeout(fire, ms).unref();
        return () => clearTimeout(timer);
      });
  }

  connect(): ServerSession {
    const session = new ServerSession(this);
    this.sessions.add(session);
    return session;
  }

  /** Ends all sessions, as a restart of the server does. */
  restart(): void {
    for (const session of [...this.sessions]) session.end('57P01');
  }

  /** Committed rows of a table, for observers outside of all transactions. */
  rows<R extends Row>(table: string): readonly R[] {
    return [...this.table(table).values()] as R[];
  }
  entries<R extends Row>(table: string): [key: string, row: R][] {
    return [...this.table(table)] as [string, R][];
  }
  row<R extends Row>(table: string, key: string): R | undefined {
    return this.tables.get(table)?.get(key) as R | undefined;
  }

  table(name: string): Table {
    let table = this.tables.get(name);
    if (!table) this.tables.set(name, (table = new Map<string, Row>()));
    return table;
  }
  snapshot(): Map<string, Table> {
    return new Map([...this.tables].map(([name, table]): [string, Table] => [name, new Map(table)]));
  }
  forget(session: ServerSession): void {
    this.sessions.delete(session);
  }

  commit(writes: Overlay): void {
    if (writes.size === 0) return;
    this.commits += 1;
    this.options.onCommit?.(writes);
    for (const [name, row] of writes) {
      const at = name.indexOf('\n');
      this.apply(name.slice(0, at), name.slice(at + 1), row);
    }
  }

  private apply(table: string, key: string, row: Row | null): void {
    if (row === null) this.table(table).delete(key);
    else this.table(table).set(key, row);
  }

  lockedBy(name: string): ServerSession | undefined {
    return this.locks.get(name)?.holder;
  }

  lock(name: string, session: ServerSession): Promise<void> | null {
    const lock = this.locks.get(name);
    if (!lock) {
      this.locks.set(name, { holder: session, queue: [] });
      return null;
    }
    if (lock.holder === session) return null;
    return new Promise((resolve, reject) => {
      const cancel = this.timer(LOCK_MS, () =>
        waiter.failed(new MemoryError('canceling statement due to lock timeout', '55P03')),
      );
      const leave = (): void => {
        cancel();
        const at = lock.queue.indexOf(waiter);
        if (at >= 0) lock.queue.splice(at, 1);
        session.waiting = undefined;
      };
      const waiter: Waiter = {
        session,
        got: () => {
          leave();
          resolve();
        },
        failed: (error) => {
          leave();
          reject(error);
        },
      };
      lock.queue.push(waiter);
      session.waiting = waiter;
    });
  }

  unlock(names: Iterable<string>): void {
    for (const name of names) {
      const lock = this.locks.get(name);
      const next = lock?.queue[0];
      if (!lock || !next) {
        this.locks.delete(name);
        continue;
      }
      lock.holder = next.session;
      next.session.holds(name);
      next.got();
    }
  }
}

/** The operations of a statement. Keys are texts; a row belongs to one key for ever. */
export interface Statement {
  /** clock_timestamp(), ms. */
  readonly clock: number;
  /** now(): when the transaction began, ms. */
  readonly began: number;
  get<R extends Row>(table: string, key: string): R | undefined;
  rows<R extends Row>(table: string): [key: string, row: R][];
  /** Waits for the row's lock; later reads return the newest committed row. */
  lock(table: string, key: string): Promise<void>;
  /** False if another transaction holds it. */
  tryLock(table: string, key: string): boolean;
  /** Writes a row; takes its lock first. Null deletes it. */
  put(table: string, key: string, row: Row | null): Promise<void>;
}

/** One connection, on the server's side. */
export class ServerSession implements Statement {
  private overlay: Overlay | null = null;
  private saved: Overlay | null = null;
  private snapshot: Map<string, Table> | null = null;
  private failed = false;
  private ended: string | null = null;
  private readonly held = new Set<string>();
  private stopIdling: () => void = () => undefined;
  waiting: Waiter | undefined;
  began = 0;

  constructor(private readonly server: MemoryServer) {}

  get clock(): number {
    return this.server.now();
  }

  begin(isolation: Isolation | undefined): void {
    this.awake();
    this.overlay = new Map();
    this.snapshot = isolation === 'repeatable read' ? this.server.snapshot() : null;
    this.began = this.server.now();
    this.idle();
  }

  /** Runs one statement: in the open transaction, or in one of its own. */
  async run<T>(work: (statement: Statement) => Promise<T>): Promise<T> {
    this.awake();
    const alone = this.overlay === null;
    if (alone) {
      this.overlay = new Map();
      this.began = this.server.now();
    }
    if (this.failed)
      throw new MemoryError('current transaction is aborted, commands ignored until end of transaction block', '25P02');
    try {
      const result = await work(this);
      if (alone) this.commit();
      else this.idle();
      return result;
    } catch (error) {
      if (alone) this.rollBack();
      else {
        this.failed = true;
        this.idle();
      }
      throw error;
    }
  }

  /** As PostgreSQL does, the commit of a transaction that has failed rolls it back without a word. */
  commit(): void {
    this.awake();
    if (this.overlay && !this.failed) this.server.commit(this.overlay);
    this.close();
  }

  rollBack(): void {
    this.stopIdling();
    this.close();
  }

  savepoint(): void {
    this.awake();
    this.saved = new Map(this.overlay);
    this.idle();
  }
  releaseSavepoint(): void {
    this.awake();
    this.saved = null;
    this.idle();
  }
  rollBackToSavepoint(): void {
    this.awake();
    this.overlay = new Map(this.saved);
    this.failed = false;
    this.idle();
  }

  /** The connection is gone. */
  end(code = '08006'): void {
    if (this.ended !== null) return;
    this.ended = code;
    this.stopIdling();
    this.server.forget(this);
    this.waiting?.failed(new MemoryError('Connection terminated unexpectedly', code));
    this.close();
  }

  get<R extends Row>(table: string, key: string): R | undefined {
    const own = this.overlay?.get(`${table}\n${key}`);
    if (own !== undefined) return (own ?? undefined) as R | undefined;
    return (this.snapshot ? this.snapshot.get(table)?.get(key) : this.server.row(table, key)) as R | undefined;
  }

  rows<R extends Row>(table: string): [string, R][] {
    const seen = this.snapshot ? (this.snapshot.get(table) ?? new Map<string, Row>()) : this.server.table(table);
    if (!this.overlay?.size) return [...seen] as [string, R][];
    const merged = new Map<string, Row>(seen);
    for (const [name, row] of this.overlay) {
      if (!name.startsWith(`${table}\n`)) continue;
      if (row === null) merged.delete(name.slice(table.length + 1));
      else merged.set(name.slice(table.length + 1), row);
    }
    return [...merged] as [string, R][];
  }

  async lock(table: string, key: string): Promise<void> {
    const name = `${table}\n${key}`;
    const wait = this.server.lock(name, this);
    if (wait) await wait;
    this.awake();
    this.held.add(name);
  }

  tryLock(table: string, key: string): boolean {
    const name = `${table}\n${key}`;
    const holder = this.server.lockedBy(name);
    if (holder !== undefined && holder !== this) return false;
    void this.server.lock(name, this);
    this.held.add(name);
    return true;
  }

  async put(table: string, key: string, row: Row | null): Promise<void> {
    await this.lock(table, key);
    this.overlay?.set(`${table}\n${key}`, row);
  }

  holds(name: string): void {
    this.held.add(name);
  }

  private awake(): void {
    if (this.ended !== null) throw new MemoryError('Connection terminated unexpectedly', this.ended);
    this.stopIdling();
  }

  private idle(): void {
    this.stopIdling();
    if (this.ended !== null) return;
    this.stopIdling = this.server.timer(IDLE_MS, () => this.end('25P03'));
  }

  private close(): void {
    this.stopIdling();
    this.overlay = this.saved = this.snapshot = null;
    this.failed = false;
    const held = [...this.held];
    this.held.clear();
    this.server.unlock(held);
  }
}
