import type { Tx } from '../ports.js';
import {
  AnswerTable,
  FactTable,
  OwnerTable,
  StreamTable,
  TimerTable,
  type AnswerRow,
  type LibraryTables,
  type OwnedRow,
  type OwnerKey,
  type PositionRow,
  type PositionStep,
  type StreamHead,
  type TimerRow,
  type Where,
} from '../tables/tables.js';
import { MemorySagas } from './sagas.js';
import { MemoryError, type Statement } from './server.js';

/** Whatever runs statements: a transaction, or a database where each has one of its own. */
interface Runs {
  statement<T>(what: string, work: (statement: Statement) => Promise<T>): Promise<T>;
}
interface Owner {
  readonly owner: string;
  readonly epoch: number;
  readonly leaseUntil: number;
  readonly kafkaOffset: string | null;
}
interface Member {
  readonly consumer: string;
  readonly seenUntil: number;
}
interface Timer extends TimerRow {
  readonly tries: number;
  readonly notBefore: number | null;
}
interface Answer {
  readonly bodyHash: string | null;
  readonly state: AnswerRow['state'];
  readonly answer: string | null;
  readonly createdAt: number;
  readonly until: number;
}

const DAY_MS = 86_400_000;
const runs = (where: Where): Runs => where as unknown as Runs;

/** The tables of every schema, on a server in memory. */
export function memoryTables(database: Runs & { readonly schema: string }): LibraryTables {
  return {
    owners: new MemoryOwners(database),
    streams: new MemoryStreams(database),
    answers: new MemoryAnswers(database),
    timers: new MemoryTimers(database),
    facts: new MemoryFacts(database),
    sagas: new MemorySagas(database),
  };
}

class MemoryOwners extends OwnerTable {
  constructor(private readonly database: Runs & { readonly schema: string }) {
    super();
  }
  private get owner(): string {
    return `${this.database.schema}.owner`;
  }
  private get position(): string {
    return `${this.database.schema}.position`;
  }
  private get member(): string {
    return `${this.database.schema}.member`;
  }

  take(consumer: string, partition: number, owner: string, leaseMs: number): Promise<OwnedRow | null> {
    return this.database.statement('take a partition', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key) ?? { owner: '', epoch: 0, leaseUntil: -Infinity, kafkaOffset: null };
      if (!(row.leaseUntil < at.clock || row.owner === owner)) return null;
      await at.put(this.owner, key, {
        owner,
        epoch: row.epoch + 1,
        leaseUntil: at.clock + leaseMs,
        kafkaOffset: row.kafkaOffset,
      } satisfies Owner);
      return { epoch: row.epoch + 1, kafkaOffset: row.kafkaOffset };
    });
  }

  renew(asked: readonly OwnerKey[], leaseMs: number): Promise<ReadonlyMap<string, number>> {
    return this.database.statement('renew leases', async (at) => {
      const epochs = new Map<string, number>();
      for (const { consumer, partition, epoch } of asked) {
        const key = `${consumer}/${partition}`;
        const seen = at.get<Owner>(this.owner, key);
        if (!seen) continue;
        epochs.set(key, seen.epoch);
        if (seen.epoch === epoch && at.tryLock(this.owner, key))
          await at.put(this.owner, key, { ...seen, leaseUntil: at.clock + leaseMs } satisfies Owner);
      }
      return epochs;
    });
  }

  free({ consumer, partition, epoch }: OwnerKey): Promise<void> {
    return this.database.statement('free a partition', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key);
      if (row?.epoch === epoch) await at.put(this.owner, key, { ...row, leaseUntil: -Infinity } satisfies Owner);
    });
  }

  positions(consumer: string): Promise<readonly PositionRow[]> {
    return this.database.statement('positions', async (at) =>
      at
        .rows<PositionRow>(this.position)
        .filter(([key]) => key.startsWith(`${consumer}\t`))
        .map(([, row]) => row),
    );
  }

  advance(
    tx: Tx,
    {
      consumer,
      partition,
      epoch,
      kafkaOffset,
      kafkaFrom,
      leaseMs,
    }: OwnerKey & { readonly kafkaOffset: string | null; readonly kafkaFrom?: string | null; readonly leaseMs: number },
    steps: readonly PositionStep[],
  ): Promise<{ owned: boolean; moved: number }> {
    return runs(tx).statement('advance', async (at) => {
      const key = `${consumer}/${partition}`;
      await at.lock(this.owner, key);
      const row = at.get<Owner>(this.owner, key);
      const owned = row?.epoch === epoch && (kafkaFrom === undefined || row.kafkaOffset === kafkaFrom);
      if (owned)
        await at.put(this.owner, key, {
          ...row,
          leaseUntil: at.clock + leaseMs,
          kafkaOffset: kafkaOffset ?? row.kafkaOffset,
        } satisfies Owner);
      let moved = 0;
      for (const { stream, expected, number, hash } of steps) {
        await at.lock(this.position, `${consumer}\t${stream}`);
        const position =
          at.get<PositionRow>(this.position, `${consumer}\t${stream}`) ?? (expected === 0 ? { number: 0 } : undefined);
        if (position?.number !== expected) continue;
        await at.put(this.position, `${consumer}\t${stream}`, { stream, number, hash } satisfies PositionRow);
        moved += 1;
      }
      return { owned, moved };
    });
  }

  registerInstance(consumer: string, instance: string, leaseMs: number): Promise<number> {
    return this.database.statement('meet the members', async (at) => {
      await at.put(this.member, `${consumer}\t${instance}`, {
        consumer,
        seenUntil: at.clock + leaseMs,
      } satisfies Member);
      return at.rows<Member>(this.member).filter(([, row]) => row.consumer === consumer && row.seenUntil > at.clock)
        .length;
    });
  }

  unregisterInstance(consumer: string, instance: string): Promise<void> {
    return this.database.statement('leave the members', (at) => at.put(this.member, `${consumer}\t${instance}`, null));
  }
}

class MemoryStreams extends StreamTable {
  constructor(private readonly database: Runs & { readonly schema: string }) {
    super();
  }

  heads(prefix = ''): Promise<readonly StreamHead[]> {
    return this.database.statement('heads', async (at) =>
      at
        .rows<{ next: number; hash: string }>(`${this.database.schema}.stream`)
        .filter(([name]) => name.startsWith(prefix))
        .map(([name, { next, hash }]) => ({ name, next, hash })),
    );
  }

  relayed(): Promise<ReadonlyMap<string, number>> {
    return this.database.statement(
      'relay cursors',
      async (at) =>
        new Map(at.rows<{ sent: number }>(`${this.database.schema}.relay`).map(([stream, { sent }]) => [stream, sent])),
    );
  }

  saveRelayed(cursors: readonly (readonly [stream: string, sent: number])[]): Promise<void> {
    return this.database.statement('save relay cursors', async (at) => {
      for (const [stream, sent] of cursors) {
        await at.lock(`${this.database.schema}.relay`, stream);
        await at.put(`${this.database.schema}.relay`, stream, {
          sent: Math.max(sent, at.get<{ sent: number }>(`${this.database.schema}.relay`, stream)?.sent ?? 0),
        });
      }
    });
  }
}

class MemoryAnswers extends AnswerTable {
  constructor(private readonly database: Runs & { readonly schema: string }) {
    super();
  }
  private get table(): string {
    return `${this.database.schema}.answers`;
  }

  claim(commandId: string, bodyHash: string | null, pendingSeconds: number, openSeconds: number): Promise<boolean> {
    return this.database.statement('claim an answer', async (at) => {
      await at.lock(this.table, commandId);
      const row = at.get<Answer>(this.table, commandId);
      if (
        row &&
        !(row.state === 'pending' && row.bodyHash === bodyHash && row.createdAt < at.began - pendingSeconds * 1_000)
      )
        return false;
      await at.put(this.table, commandId, {
        bodyHash,
        state: 'pending',
        answer: null,
        createdAt: at.began,
        until: at.began + openSeconds * 1_000,
      } satisfies Answer);
      return true;
    });
  }

  open(tx: Tx, commandId: string, bodyHash: string | null): Promise<boolean> {
    return runs(tx).statement('open an answer', async (at) => {
      await at.lock(this.table, commandId);
      const row = at.get<Answer>(this.table, commandId);
      if (row && !(row.state === 'pending' && row.bodyHash === bodyHash)) return false;
      await at.put(this.table, commandId, {
        bodyHash,
        state: 'open',
        answer: null,
        createdAt: row?.createdAt ?? at.began,
        until: Infinity,
      } satisfies Answer);
      return true;
    });
  }

  conclude(tx: Tx, commandId: string, answer: string, keptDays: number): Promise<void> {
    return runs(tx).statement('conclude an answer', (at) =>
      this.store(at, commandId, { bodyHash: null, answer, keptDays, from: ['pending', 'open'] }),
    );
  }

  drop(commandId: string): Promise<void> {
    return this.database.statement('drop a claim', async (at) => {
      await at.lock(this.table, commandId);
      if (at.get<Answer>(this.table, commandId)?.state === 'pending') await at.put(this.table, commandId, null);
    });
  }

  record(where: Where, commandId: string, answer: string, keptDays: number): Promise<void> {
    return runs(where).statement('record an answer', (at) =>
      this.store(at, commandId, { bodyHash: null, answer, keptDays, from: ['pending'] }),
    );
  }

  recordAll(
    tx: Tx,
    rows: readonly { readonly commandId: string; readonly bodyHash: string | null; readonly answer: string }[],
    keptDays: number,
  ): Promise<ReadonlyMap<string, string>> {
    return runs(tx).statement('record answers', async (at) => {
      const stood = new Map<string, string>();
      // PostgreSQL refuses a statement that names a row twice.
      if (new Set(rows.map(({ commandId }) => commandId)).size !== rows.length)
        throw new MemoryError('ON CONFLICT DO UPDATE command cannot affect row a second time', '21000');
      for (const { commandId, bodyHash, answer } of rows) {
        const before = at.get<Answer>(this.table, commandId);
        if (before?.state === 'done' && before.answer !== null) stood.set(commandId, before.answer);
        await this.store(at, commandId, { bodyHash, answer, keptDays, from: ['pending'] });
      }
      return stood;
    });
  }

  private async store(
    at: Statement,
    commandId: string,
    {
      bodyHash,
      answer,
      keptDays,
      from,
    }: {
      readonly bodyHash: string | null;
      readonly answer: string;
      readonly keptDays: number;
      readonly from: readonly AnswerRow['state'][];
    },
  ): Promise<void> {
    await at.lock(this.table, commandId);
    const row = at.get<Answer>(this.table, commandId);
    if (row && !from.includes(row.state)) return;
    await at.put(this.table, commandId, {
      bodyHash: row ? row.bodyHash : bodyHash,
      state: 'done',
      answer,
      createdAt: row?.createdAt ?? at.began,
      until: at.began + keptDays * DAY_MS,
    } satisfies Answer);
  }

  find(commandId: string): Promise<AnswerRow | null> {
    return this.database.statement('find an answer', async (at) => {
      const row = at.get<Answer>(this.table, commandId);
      return row ? { bodyHash: row.bodyHash, state: row.state, answer: row.answer, live: row.until > at.began } : null;
    });
  }
}

class MemoryTimers extends TimerTable {
  constructor(private readonly database: Runs & { readonly schema: string }) {
    super();
  }
  private get table(): string {
    return `${this.database.schema}.timer`;
  }

  set(tx: Tx, row: TimerRow): Promise<void> {
    return runs(tx).statement('set a timer', (at) =>
      at.put(this.table, `${row.kind}\t${row.id}`, { ...row, tries: 0, notBefore: null } satisfies Timer),
    );
  }

  cancel(tx: Tx, kind: string, id: string): Promise<boolean> {
    return runs(tx).statement('cancel a timer', async (at) => {
      await at.lock(this.table, `${kind}\t${id}`);
      if (!at.get<Timer>(this.table, `${kind}\t${id}`)) return false;
      await at.put(this.table, `${kind}\t${id}`, null);
      return true;
    });
  }

  takeDue(tx: Tx, kinds: readonly string[], now: number, limit: number): Promise<readonly TimerRow[]> {
    return runs(tx).statement('take due timers', async (at) => {
      const due = at
        .rows<Timer>(this.table)
        .filter(
          ([, row]) =>
            kinds.includes(row.kind) && row.dueAt <= now && (row.notBefore === null || row.notBefore <= at.began),
        )
        .sort(
          ([, a], [, b]) => a.dueAt - b.dueAt || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.id < b.id ? -1 : 1),
        );
      const taken: TimerRow[] = [];
      for (const [key] of due) {
        if (taken.length === limit) break;
        if (!at.tryLock(this.table, key)) continue;
        const row = at.get<Timer>(this.table, key);
        if (!row) continue;
        await at.put(this.table, key, null);
        taken.push({ kind: row.kind, id: row.id, dueAt: row.dueAt, payload: row.payload });
      }
      return taken;
    });
  }

  next(kinds: readonly string[]): Promise<{ dueAt: number | null; retryInMs: number | null }> {
    return this.database.statement('next timer', (at) => {
      const rows = at.rows<Timer>(this.table).flatMap(([, row]) => (kinds.includes(row.kind) ? [row] : []));
      const least = (values: readonly number[]): number | null => (values.length === 0 ? null : Math.min(...values));
      const waits = ({ notBefore }: Timer): boolean => notBefore !== null && notBefore > at.began;
      const retryAt = least(rows.flatMap((row) => (waits(row) ? [row.notBefore ?? 0] : [])));
      return Promise.resolve({
        dueAt: least(rows.flatMap((row) => (waits(row) ? [] : [row.dueAt]))),
        retryInMs: retryAt === null ? null : retryAt - at.began,
      });
    });
  }

  postpone(kind: string, id: string, secondsMax: number): Promise<void> {
    return this.database.statement('postpone a timer', async (at) => {
      await at.lock(this.table, `${kind}\t${id}`);
      const row = at.get<Timer>(this.table, `${kind}\t${id}`);
      if (row)
        await at.put(this.table, `${kind}\t${id}`, {
          ...row,
          tries: row.tries + 1,
          notBefore: at.began + Math.min(2 ** row.tries, secondsMax) * 1_000,
        } satisfies Timer);
    });
  }
}

class MemoryFacts extends FactTable {
  private letters = 0;
  constructor(private readonly database: Runs & { readonly schema: string }) {
    super();
  }

  claim(name: string, value: string): Promise<string> {
    return this.database.statement('claim a fact', async (at) => {
      await at.lock(`${this.database.schema}.meta`, name);
      const row = at.get<{ value: string }>(`${this.database.schema}.meta`, name);
      if (row) return row.value;
      await at.put(`${this.database.schema}.meta`, name, { value });
      return value;
    });
  }

  deadLetter(
    tx: Tx,
    letter: {
      readonly consumer: string;
      readonly stream: string;
      readonly number: number;
      readonly message: string;
      readonly error: string;
    },
  ): Promise<void> {
    return runs(tx).statement('dead letter', (at) =>
      at.put(`${this.database.schema}.dead_letter`, `${letter.stream}#${letter.number}.${(this.letters += 1)}`, letter),
    );
  }
}
