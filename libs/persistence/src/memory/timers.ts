import type { Tx } from '../ports.js';
import { TimerTable, type TimerRow } from '../tables/tables.js';
import { runnerOf, type SchemaRunner } from './statement-runner.js';

interface Timer extends TimerRow {
  readonly tries: number;
  readonly notBefore: number | null;
}

/** Timers, on a server in memory. */
export class MemoryTimers extends TimerTable {
  constructor(private readonly database: SchemaRunner) {
    super();
  }
  private get table(): string {
    return `${this.database.schema}.timer`;
  }

  set(tx: Tx, row: TimerRow): Promise<void> {
    return runnerOf(tx).statement('set a timer', (at) =>
      at.put(this.table, `${row.kind}\t${row.id}`, { ...row, tries: 0, notBefore: null } satisfies Timer),
    );
  }

  lock(tx: Tx, kind: string, id: string): Promise<void> {
    return runnerOf(tx).statement('lock a timer', async (at) => {
      await at.lock(this.table, `${kind}\t${id}`);
    });
  }

  cancel(tx: Tx, kind: string, id: string): Promise<number | null> {
    return runnerOf(tx).statement('cancel a timer', async (at) => {
      await at.lock(this.table, `${kind}\t${id}`);
      const timer = at.get<Timer>(this.table, `${kind}\t${id}`);
      if (!timer) return null;
      await at.put(this.table, `${kind}\t${id}`, null);
      return timer.dueAt;
    });
  }

  takeDue(tx: Tx, kinds: readonly string[], now: number, limit: number): Promise<readonly TimerRow[]> {
    return runnerOf(tx).statement('take due timers', async (at) => {
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
