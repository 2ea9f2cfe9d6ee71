import { Injectable, Logger } from '@nestjs/common';
import { MarketTickV1, TOPICS } from '@bourse/events';
import { Replies, SingleRunner, type Lease } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import {
  TickStore,
  type SignedTick,
  type StoredTick,
  type StoredTickKey,
  type TickKeyPeriod,
} from '../../application/tick-store.js';
import type { TickHead } from '../../domain/tick-chain.js';
import { MarketDatabase } from './market-database.js';
import { TICK_COLUMNS, tickOf, type StoredTickRow } from './tick-rows.js';

const LEASE = 'market.ticks';
const DAY_MS = 24 * 3_600_000;
/** Row of `meta` by which `bourse tick-key --rotate` requests another key. */
export const KEY_REQUEST = 'tick-key:asked';
const MS = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/** Recorded prices and the keys that sign them, in PostgreSQL. */
@Injectable()
export class PostgresTickStore extends TickStore {
  private readonly logger = new Logger('TickStore');

  constructor(
    private readonly database: MarketDatabase,
    private readonly replies: Replies,
  ) {
    super();
  }

  lead(work: (lease: Lease) => Promise<void>): { stop(): Promise<void> } {
    const runner = new SingleRunner(this.database, LEASE, this.replies.instance);
    runner.start(work);
    return runner;
  }

  async heads(tx?: Tx): Promise<Map<number, TickHead>> {
    const rows = await (tx ?? this.database).query<{ pair_id: number; id: string; time: string; hash: string }>(
      `select pair_id, id, ${MS('time')} as time, encode(hash, 'hex') as hash from tick_head`,
    );
    return new Map(rows.map(({ pair_id, id, time, hash }) => [pair_id, { id: Number(id), time: Number(time), hash }]));
  }

  async currentKey(): Promise<StoredTickKey | null> {
    const [row] = await this.database.query<{ id: number; key: string; sealed: Buffer }>(
      `select id, encode(public_key, 'base64') as key, sealed from tick_key where valid_until is null`,
    );
    return row ? { id: row.id, publicKey: row.key, sealed: row.sealed } : null;
  }

  async keys(): Promise<readonly TickKeyPeriod[]> {
    const rows = await this.database.query<{ key: string; from: string; until: string | null }>(
      `select encode(public_key, 'base64') as key, ${MS('valid_from')} as from, ${MS('valid_until')} as until
        from tick_key
        order by valid_from`,
    );
    return rows.map(({ key, from, until }) => ({
      publicKey: key,
      from: Number(from),
      until: until === null ? null : Number(until),
    }));
  }

  async makeRoom(now: number, keptSince: number): Promise<void> {
    const today = dayOf(now);
    await this.database.query('select tick_room($1::date, $2::date)', [today, dayOf(now + DAY_MS)]);
    const past = await this.database.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'tick'::regclass and c.relname < 'tick_' || to_char($1::date, 'YYYYMMDD')
        order by 1`,
      [dayOf(keptSince)],
    );
    for (const { name } of past)
      await this.database
        .execute(`drop table ${name}`)
        // A long read holds its lock beyond the lock timeout: the partition is dropped on a later day.
        .catch((error: unknown) => this.logger.warn(`${name} could not be dropped: ${(error as Error).message}`));
  }

  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.transaction(work);
  }

  async takeKeyRequest(tx: Tx): Promise<boolean> {
    return (await tx.execute('delete from meta where name = $1', [KEY_REQUEST])) > 0;
  }

  async changeKey(tx: Tx, time: number, publicKey: string, sealed: Buffer): Promise<number> {
    await tx.execute('update tick_key set valid_until = to_timestamp($1::bigint / 1000.0) where valid_until is null', [
      time,
    ]);
    const [row] = await tx.query<{ id: number }>(
      `insert into tick_key (public_key, sealed, valid_from)
        values (decode($1, 'base64'), $2, to_timestamp($3::bigint / 1000.0))
        returning id`,
      [publicKey, sealed, time],
    );
    return row!.id;
  }

  async append(tx: Tx, { id, publicKey }: Omit<StoredTickKey, 'sealed'>, ticks: readonly SignedTick[]): Promise<void> {
    const moved = await tx.execute(
      `with given as (
         select pair_id, id, to_timestamp(time / 1000.0) as time, price, kind, decode(prev_hash, 'hex') as prev_hash,
           decode(hash, 'hex') as hash, decode(signature, 'base64') as signature, to_timestamp(at / 1000.0) as at
         from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::numeric[], $5::text[], $6::text[], $7::text[],
           $8::text[], $9::bigint[]) as t(pair_id, id, time, price, kind, prev_hash, hash, signature, at)),
       rows as (
         insert into tick (pair_id, time, id, price, kind, prev_hash, hash, signature, key_id, at)
         select pair_id, time, id, price, kind, prev_hash, hash, signature, $10, at from given),
       begun as (insert into tick_head (pair_id, id, time, hash) select pair_id, id, time, hash from given where id = 1
         returning pair_id),
       moved as (
         update tick_head h set id = g.id, time = g.time, hash = g.hash from given g
         where h.pair_id = g.pair_id and h.id = g.id - 1 and h.hash = g.prev_hash and h.time < g.time
         returning h.pair_id)
       select pair_id from begun union all select pair_id from moved`,
      [
        ticks.map(({ pairId }) => pairId),
        ticks.map((tick) => tick.id),
        ticks.map(({ time }) => time),
        ticks.map(({ price }) => price),
        ticks.map(({ kind }) => kind),
        ticks.map(({ prevHash }) => prevHash),
        ticks.map(({ hash }) => hash),
        ticks.map(({ signature }) => signature),
        ticks.map(({ at }) => at),
        id,
      ],
    );
    if (moved !== ticks.length) throw new Error(`heads of ticks have moved: ${moved} of ${ticks.length} are as known`);
    for (const tick of ticks)
      tx.emit(
        TOPICS.marketTicks,
        0,
        MarketTickV1.encode({
          id: String(tick.id),
          symbol: tick.symbol,
          time: tick.time,
          at: tick.at,
          price: tick.price,
          prev_hash: tick.prevHash,
          hash: tick.hash,
          signature: tick.signature,
          public_key: publicKey,
          kind: tick.kind,
          tick_version: 2,
        }),
      );
  }

  async range(pairId: number, from: number, to: number, limit: number): Promise<StoredTick[]> {
    const rows = await this.database.query<StoredTickRow>(
      `select ${TICK_COLUMNS} from tick t join tick_key k on k.id = t.key_id
        where t.pair_id = $1 and t.time >= to_timestamp($2::bigint / 1000.0)
          and t.time < to_timestamp($3::bigint / 1000.0)
        order by t.time limit $4`,
      [pairId, from, to, limit],
    );
    return rows.map(tickOf);
  }

  async newest(tx: Tx, pairId: number, limit: number): Promise<StoredTick[]> {
    const rows = await tx.query<StoredTickRow>(
      `select ${TICK_COLUMNS} from tick t join tick_key k on k.id = t.key_id
        where t.pair_id = $1
        order by t.time desc limit $2`,
      [pairId, limit],
    );
    return rows.map(tickOf).reverse();
  }
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
