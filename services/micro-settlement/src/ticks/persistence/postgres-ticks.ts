import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import type { Tick, TickHead } from '../domain/tick.js';
import { MicroDatabase } from '../../shared/application/database.js';
import { TickStore, type SignedTick, type TickWindow } from '../application/ports.js';

const MS = (column: string): string => `round(extract(epoch from ${column}) * 1000)::bigint`;
const AT = (parameter: string): string => `to_timestamp(${parameter}::float8 / 1000)`;
const DAY_MS = 86_400_000;
/** Days created ahead of time. */
const DAYS_AHEAD = 3;

interface StoredTick {
  readonly symbol: string;
  readonly id: string;
  readonly time: string;
  readonly price: string;
  readonly at: string | null;
  readonly prev_hash: string;
  readonly hash: string;
}
interface StoredHead extends Record<string, unknown> {
  readonly symbol: string;
  readonly id: string;
  readonly time: string;
  readonly hash: string;
  readonly broken: boolean;
}
const tickOf = (row: StoredTick): Tick => ({
  symbol: row.symbol,
  id: BigInt(row.id),
  time: Number(row.time),
  price: row.price,
  at: row.at === null ? null : Number(row.at),
  prevHash: row.prev_hash,
  hash: row.hash,
});

@Injectable()
export class PostgresTicks extends TickStore {
  /** Days whose partitions are known to exist. */
  private readonly days = new Set<number>();

  constructor(private readonly database: MicroDatabase) {
    super();
  }

  async heads(tx?: Tx): Promise<readonly TickHead[]> {
    const rows = await (tx ?? this.database).query<StoredHead>(
      `select symbol, id::text, ${MS('time')} as time, hash, broken
       from tick_head order by symbol${tx ? ' for update' : ''}`,
    );
    return rows.map(({ id, time, ...row }) => ({ ...row, id: BigInt(id), time: Number(time) }));
  }

  async append(tx: Tx, ticks: readonly SignedTick[]): Promise<void> {
    const heads = [...new Map(ticks.map((tick) => [tick.symbol, tick])).values()];
    const times = ticks.map(({ time }) => time);
    await this.makeDays(tx, Math.min(...times), Math.max(...times));
    await tx.execute(
      `insert into tick (symbol, id, time, price, prev_hash, hash, signature, public_key, at)
       select s, i, ${AT('t')}, p, v, h, g, k, ${AT('a')}
       from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::bigint[]) as n(s, i, t, p, v, h, g, k, a)`,
      [
        ticks.map(({ symbol }) => symbol),
        ticks.map(({ id }) => String(id)),
        times,
        ticks.map(({ price }) => price),
        ticks.map(({ prevHash }) => prevHash),
        ticks.map(({ hash }) => hash),
        ticks.map(({ signature }) => signature),
        ticks.map(({ publicKey }) => publicKey),
        ticks.map(({ at }) => at),
      ],
    );
    await tx.execute(
      `insert into tick_head (symbol, id, time, hash)
       select s, i, ${AT('t')}, h from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) as n(s, i, t, h)
       on conflict (symbol) do update
         set id = excluded.id, time = excluded.time, hash = excluded.hash, broken = false`,
      [
        heads.map(({ symbol }) => symbol),
        heads.map(({ id }) => String(id)),
        heads.map(({ time }) => time),
        heads.map(({ hash }) => hash),
      ],
    );
  }

  async markBroken(tx: Tx, symbols: readonly string[]): Promise<void> {
    await tx.execute('update tick_head set broken = true where symbol = any($1::text[])', [symbols]);
  }

  /** The business clock may be moved by days: the days of a batch are made with it. */
  private async makeDays(tx: Tx, first: number, last: number): Promise<void> {
    const wanted = [first, last].map((time) => Math.floor(time / DAY_MS));
    if (wanted.every((day) => this.days.has(day))) return;
    await tx.query(`select make_tick_days(${AT('$1')}, ${AT('$1')}), make_tick_days(${AT('$2')}, ${AT('$2')})`, [
      first,
      last,
    ]);
    tx.afterCommit(() => {
      for (const day of wanted) this.days.add(day);
    });
  }

  async within(windows: readonly TickWindow[], tx?: Tx): Promise<readonly SignedTick[]> {
    const rows = await (tx ?? this.database).query<StoredTick & { signature: string; public_key: string }>(
      `select distinct on (t.symbol, t.time) t.symbol, t.id::text, ${MS('t.time')} as time, t.price, t.prev_hash,
         ${MS('t.at')} as at, t.hash, t.signature, t.public_key
       from unnest($1::text[], $2::bigint[], $3::bigint[]) as w(symbol, after, until)
       cross join lateral (
         select * from tick where symbol = w.symbol and time > ${AT('w.after')} and time <= ${AT('w.until')}) t
       order by t.symbol, t.time`,
      [windows.map(({ symbol }) => symbol), windows.map(({ after }) => after), windows.map(({ until }) => until)],
    );
    return rows.map((row) => ({ ...tickOf(row), signature: row.signature, publicKey: row.public_key }));
  }

  async keep(tx: Tx, ticks: readonly Tick[]): Promise<void> {
    if (ticks.length === 0) return;
    const sorted = ticks.toSorted((a, b) =>
      a.symbol === b.symbol ? Number(a.id - b.id) : a.symbol < b.symbol ? -1 : 1,
    );
    await tx.execute(
      `insert into kept_tick (symbol, id, time, price, prev_hash, hash, at)
       select s, i, ${AT('t')}, p, v, h, ${AT('a')}
       from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[])
         as n(s, i, t, p, v, h, a)
       on conflict (symbol, id) do nothing`,
      [
        sorted.map(({ symbol }) => symbol),
        sorted.map(({ id }) => String(id)),
        sorted.map(({ time }) => time),
        sorted.map(({ price }) => price),
        sorted.map(({ prevHash }) => prevHash),
        sorted.map(({ hash }) => hash),
        sorted.map(({ at }) => at),
      ],
    );
  }

  async kept(symbol: string, ids: readonly bigint[]): Promise<readonly Tick[]> {
    const rows = await this.database.query<StoredTick & Record<string, unknown>>(
      `select symbol, id::text, ${MS('time')} as time, price, ${MS('at')} as at, prev_hash, hash from kept_tick
       where symbol = $1 and id = any($2::bigint[]) order by id`,
      [symbol, ids.map(String)],
    );
    return rows.map(tickOf);
  }

  async maintain(now: number, keptSince: number): Promise<void> {
    await this.database.query(`select make_tick_days(${AT('$1')}, ${AT('$2')})`, [now, now + DAYS_AHEAD * DAY_MS]);
    const old = await this.database.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'tick'::regclass
         and c.relname < 'tick_' || to_char(${AT('$1')} at time zone 'UTC', 'YYYYMMDD')`,
      [keptSince],
    );
    // Names of our own making, read from the catalog of the database.
    for (const { name } of old) if (/^tick_\d{8}$/.test(name)) await this.database.execute(`drop table ${name}`);
  }
}
