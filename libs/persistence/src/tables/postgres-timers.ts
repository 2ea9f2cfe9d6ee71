import type { Database, Tx } from '../ports.js';
import { TimerTable, type TimerRow } from './tables.js';

/** Timers, in PostgreSQL. */
export class PostgresTimers extends TimerTable {
  constructor(private readonly database: Database) {
    super();
  }

  set(tx: Tx, row: TimerRow): Promise<void> {
    return this.setAll(tx, [row]);
  }

  override async setAll(tx: Tx, rows: readonly TimerRow[]): Promise<void> {
    await tx.execute(
      `insert into timer (kind, id, due_at, payload)
        select kind, id, to_timestamp(due / 1000), payload
        from unnest($1::text[], $2::text[], $3::float8[], $4::text[]) as n(kind, id, due, payload)
       on conflict (kind, id)
       do update set due_at = excluded.due_at, payload = excluded.payload, tries = 0, not_before = null`,
      [
        rows.map(({ kind }) => kind),
        rows.map(({ id }) => id),
        rows.map(({ dueAt }) => dueAt),
        rows.map(({ payload }) => payload),
      ],
    );
  }

  async lock(tx: Tx, kind: string, id: string): Promise<void> {
    await tx.query('select 1 from timer where kind = $1 and id = $2 for update', [kind, id]);
  }

  async cancel(tx: Tx, kind: string, id: string): Promise<number | null> {
    const [row] = await tx.query<{ due: string }>(
      `delete from timer where kind = $1 and id = $2
       returning round(extract(epoch from due_at) * 1000)::bigint as due`,
      [kind, id],
    );
    return row ? Number(row.due) : null;
  }

  async takeDue(tx: Tx, kinds: readonly string[], now: number, limit: number): Promise<readonly TimerRow[]> {
    const rows = await tx.query<{ kind: string; id: string; due: string; payload: string }>(
      `with due as (
         select kind, id from timer
         where kind = any($1) and due_at <= to_timestamp($2::float8 / 1000)
           and (not_before is null or not_before <= now())
         order by due_at, kind, id limit $3 for update skip locked),
       taken as (delete from timer t using due
         where t.kind = due.kind and t.id = due.id
         returning t.kind, t.id, t.due_at, t.payload)
       select kind, id, round(extract(epoch from due_at) * 1000)::bigint as due, payload
       from taken
       order by due_at, kind, id`,
      [[...kinds], now, limit],
    );
    return rows.map((row) => ({ kind: row.kind, id: row.id, dueAt: Number(row.due), payload: row.payload }));
  }

  async next(kinds: readonly string[]): Promise<{ dueAt: number | null; retryInMs: number | null }> {
    const [row] = await this.database.query<{ due: string | null; retry: string | null }>(
      `select
         (select round(extract(epoch from due_at) * 1000)::bigint from timer
          where kind = any($1) and (not_before is null or not_before <= now()) order by due_at limit 1) as due,
         (select ceil(extract(epoch from min(not_before) - now()) * 1000)::bigint from timer
          where kind = any($1) and not_before > now()) as retry`,
      [[...kinds]],
    );
    return {
      dueAt: row?.due === null || row?.due === undefined ? null : Number(row.due),
      retryInMs: row?.retry === null || row?.retry === undefined ? null : Number(row.retry),
    };
  }

  async postpone(kind: string, id: string, secondsMax: number): Promise<void> {
    await this.database.execute(
      `update timer
        set tries = tries + 1, not_before = now() + least(power(2, tries), ${secondsMax}) * interval '1 second'
        where kind = $1 and id = $2`,
      [kind, id],
    );
  }
}
