import { Logger, Module, type DynamicModule, type OnApplicationShutdown, type Type } from '@nestjs/common';
import {
  bodiesOf,
  decode,
  referenceOwner,
  ReferenceRowV1,
  TOPICS,
  type Message,
  type ReferenceKind,
  type ReferenceRow,
} from '@bourse/events';
import { Database, type Tx } from '@bourse/persistence';
import { Readiness } from '@bourse/platform';
import { delay } from '../log/delay.js';
import { Log, Reference } from '../ports.js';

interface StoredRow {
  kind: string;
  id: string;
  row: unknown;
  change: string;
}

/**
 * Other instances of the service write the copy too; their changes are read this often. A process without other
 * instances reads after each of its writes, and again only if that read failed.
 */
const REREAD_MS = { shared: 1_000, alone: 10_000 };
/** At a start a dozen owners publish all their rows within a second: rows that come together are stored together. */
const GATHER_MS = 250;

/**
 * The service's copy of the reference data: a table of its schema, written by whichever instance owns the topic, and a
 * map in memory.
 */
export class ServiceReference extends Reference implements OnApplicationShutdown {
  private readonly logger = new Logger('Reference');
  private readonly rows = new Map<string, Map<string, unknown>>();
  private readonly listeners: ((kind: string, id: string) => void)[] = [];
  private readonly filled: Promise<void>;
  private readonly stopping = new AbortController();
  private fill: () => void = () => undefined;
  private lastChange = 0;
  private handle: { stop(): Promise<void> } | undefined;

  /** `service` names the consumer (`<service>.reference`) and the condition of readiness. */
  constructor(
    private readonly log: Log,
    private readonly database: Database,
    private readonly service: string,
    private readonly readiness?: Readiness,
  ) {
    super();
    this.filled = new Promise((resolve) => {
      this.fill = resolve;
    });
    this.readiness?.demand(`${service}.reference`);
    void this.run();
  }

  all<T>(kind: ReferenceKind): readonly T[] {
    return [...(this.rows.get(kind)?.values() ?? [])] as T[];
  }
  get<T>(kind: ReferenceKind, id: string): T | undefined {
    return this.rows.get(kind)?.get(id) as T | undefined;
  }
  onChange(listener: (kind: string, id: string) => void): void {
    this.listeners.push(listener);
  }
  ready(): Promise<void> {
    return this.filled;
  }

  private async run(): Promise<void> {
    this.handle = this.log.consume({
      consumer: `${this.service}.reference`,
      topic: TOPICS.reference,
      database: this.database,
      gatherMs: GATHER_MS,
      refuses: (message, author) => {
        const decoded = decode(ReferenceRowV1, message);
        return decoded.ok && referenceOwner(decoded.body) !== author;
      },
      handle: (messages, tx) => this.store(messages, tx),
    });
    while (!this.stopping.signal.aborted) {
      try {
        await this.read();
      } catch (error) {
        this.logger.warn(`the copy of ${this.service} could not be read: ${(error as Error).message}`);
      }
      await delay(this.log.shared ? REREAD_MS.shared : REREAD_MS.alone, this.stopping.signal);
    }
  }

  private async store(messages: readonly Message[], tx: Tx): Promise<void> {
    let rows = new Map<string, ReferenceRow>();
    let changed = 0;
    for (const body of bodiesOf(ReferenceRowV1, messages)) {
      const key = JSON.stringify([body.kind, body.id]);
      // One statement changes a row once.
      if (rows.has(key)) {
        changed += await this.write(rows, tx);
        rows = new Map();
      }
      rows.set(key, body);
    }
    changed += await this.write(rows, tx);
    if (changed === 0) return;
    tx.afterCommit(
      () =>
        void this.read().catch((error: unknown) =>
          this.logger.warn(`the copy of ${this.service} could not be read: ${(error as Error).message}`),
        ),
    );
  }

  /**
   * Owners publish all their rows at each start: most of them are here already, and one statement finds that. Returns
   * how many were not.
   */
  private async write(rows: ReadonlyMap<string, ReferenceRow>, tx: Tx): Promise<number> {
    const written = [...rows.values()];
    if (written.length === 0) return 0;
    return tx.execute(
      `insert into reference as r (kind, id, version, row)
         select * from unnest($1::text[], $2::text[], $3::bigint[], $4::jsonb[])
       on conflict (kind, id)
       do update set version = excluded.version, row = excluded.row, change = nextval('reference_change')
       where r.row->>'owner' is not distinct from excluded.row->>'owner'
         and excluded.version >= r.version and (excluded.version, excluded.row) is distinct from (r.version, r.row)`,
      [
        written.map(({ kind }) => kind),
        written.map(({ id }) => id),
        written.map(({ version }) => version),
        written.map(({ row }) => JSON.stringify(row)),
      ],
    );
  }

  /** One writer at a time owns the topic, so changes become visible in the order of their numbers. */
  private async read(): Promise<void> {
    const rows = await this.database.query<StoredRow>(
      'select kind, id, row, change from reference where change > $1 order by change',
      [this.lastChange],
    );
    const changed: StoredRow[] = [];
    for (const row of rows) {
      if (Number(row.change) <= this.lastChange) continue; // read twice at the same time
      this.lastChange = Number(row.change);
      const ofKind = this.rows.get(row.kind) ?? new Map<string, unknown>();
      this.rows.set(row.kind, ofKind.set(row.id, row.row));
      changed.push(row);
    }
    for (const { kind, id } of changed) for (const listener of this.listeners) this.notifyListener(listener, kind, id);
    if (this.rows.has('currency') && this.rows.has('pair')) {
      this.readiness?.set(`${this.service}.reference`, true);
      this.fill();
    }
  }

  private notifyListener(listener: (kind: string, id: string) => void, kind: string, id: string): void {
    try {
      listener(kind, id);
    } catch (error) {
      this.logger.error(`a listener to ${kind} ${id} failed: ${(error as Error).stack ?? String(error)}`);
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.handle?.stop();
  }
}

/**
 * Provides `Reference` inside a service's module: `imports: [ReferenceModule.forSchema(SpotDatabase, 'spot',
 * [SpotDatabaseModule])]`.
 */
@Module({})
export class ReferenceModule {
  /** `database` is the injection token of the service's database; `imports` are the modules that export it. */
  static forSchema(
    database: Type<Database> | (abstract new (...args: never[]) => Database) | symbol | string,
    service: string,
    imports: NonNullable<DynamicModule['imports']> = [],
  ): DynamicModule {
    return {
      module: ReferenceModule,
      imports,
      providers: [
        {
          provide: Reference,
          inject: [Log, database as Type<Database>, Readiness],
          useFactory: (log: Log, opened: Database, readiness: Readiness) =>
            new ServiceReference(log, opened, service, readiness),
        },
      ],
      exports: [Reference],
    };
  }
}
