import type { Tx } from '../ports.js';
import { POSTPONED_NAMED_MAX, SagaTable, type SagaRow, type SagasUnderWay } from '../tables/saga-table.js';
import { runnerOf, type SchemaRunner } from './statement-runner.js';

interface Stored extends SagaRow {
  readonly createdAt: number;
  readonly tries: number;
  readonly notBefore: number | null;
}

/** The table `saga` of a schema, on a server in memory. */
export class MemorySagas extends SagaTable {
  constructor(private readonly database: SchemaRunner) {
    super();
  }
  private get table(): string {
    return `${this.database.schema}.saga`;
  }

  begin(tx: Tx, row: SagaRow): Promise<boolean> {
    return runnerOf(tx).statement('begin a saga', async (at) => {
      const key = keyOf(row.name, row.object);
      await at.lock(this.table, key);
      if (at.get<Stored>(this.table, key)) return false;
      await at.put(this.table, key, { ...row, createdAt: at.began, tries: 0, notBefore: null } satisfies Stored);
      return true;
    });
  }

  async beginAll(tx: Tx, rows: readonly SagaRow[]): Promise<boolean> {
    let isNew = true;
    for (const row of rows) isNew = (await this.begin(tx, row)) && isNew;
    return isNew;
  }

  end(tx: Tx, name: string, object: string): Promise<SagaRow | null> {
    return runnerOf(tx).statement('end a saga', async (at) => {
      const key = keyOf(name, object);
      await at.lock(this.table, key);
      const row = at.get<Stored>(this.table, key);
      if (!row) return null;
      await at.put(this.table, key, null);
      return rowOf(row);
    });
  }

  async endAll(
    tx: Tx,
    name: string,
    objects: readonly string[],
    { notes } = { notes: false },
  ): Promise<readonly SagaRow[]> {
    const ended: SagaRow[] = [];
    for (const object of objects) {
      const row = await this.end(tx, name, object);
      if (row) ended.push(notes || row.waitsAs !== null ? row : { ...row, note: null });
    }
    return ended;
  }

  postpone(tx: Tx, name: string, object: string, secondsMax: number): Promise<number> {
    return runnerOf(tx).statement('postpone a saga', async (at) => {
      const key = keyOf(name, object);
      await at.lock(this.table, key);
      const row = at.get<Stored>(this.table, key);
      if (!row) return 0;
      const notBefore = at.began + Math.min(2 ** row.tries, secondsMax) * 1_000;
      await at.put(this.table, key, { ...row, tries: row.tries + 1, notBefore } satisfies Stored);
      return row.tries + 1;
    });
  }

  takeDue(tx: Tx, max: number): Promise<readonly SagaRow[]> {
    return runnerOf(tx).statement('take postponed sagas', async (at) => {
      const isDue = ({ notBefore }: Stored): boolean => notBefore !== null && notBefore <= at.began;
      const taken: SagaRow[] = [];
      for (const [key, seen] of at.rows<Stored>(this.table)) {
        if (taken.length === max) break;
        if (!isDue(seen) || !at.tryLock(this.table, key)) continue;
        const row = at.get<Stored>(this.table, key);
        if (!row || !isDue(row)) continue;
        await at.put(this.table, key, { ...row, notBefore: null } satisfies Stored);
        taken.push(rowOf(row));
      }
      return taken;
    });
  }

  underWay(): Promise<SagasUnderWay> {
    return this.database.statement('look at the sagas', async (at) => {
      const rows = at.rows<Stored>(this.table).map(([, row]) => row);
      const postponed = rows.filter(({ tries }) => tries > 0).toSorted((a, b) => a.createdAt - b.createdAt);
      return {
        count: rows.length,
        oldestMs: Math.max(0, ...rows.map(({ createdAt }) => at.began - createdAt)),
        postponed: postponed.length,
        postponedNames: postponed.slice(0, POSTPONED_NAMED_MAX).map(({ name, object }) => `${name} ${object}`),
      };
    });
  }

  isUnderWay(name: string, object: string): Promise<boolean> {
    return this.database.statement('look at a saga', async (at) =>
      Boolean(at.get<Stored>(this.table, keyOf(name, object))),
    );
  }
}

const keyOf = (name: string, object: string): string => `${name}\t${object}`;
const rowOf = ({ name, object, commandId, replyTo, waitsAs, note }: Stored): SagaRow => ({
  name,
  object,
  commandId,
  replyTo,
  waitsAs,
  note,
});
