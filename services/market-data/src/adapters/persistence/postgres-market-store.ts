import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import { flowOf, type AuditFlow } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { insertMissing, type Tx } from '@bourse/persistence';
import { MarketStore, type Anchor, type TradeRow } from '../../application/ports.js';
import { quiet, SCALE, type Candle, type Changed, type Series } from '../../domain/candle.js';
import { PERIODS, type Period } from '../../domain/period.js';
import { CurrencyEntity } from './entities/currency.entity.js';
import { PairEntity } from './entities/pair.entity.js';
import { MarketDatabase } from './market-database.js';

interface Chunk {
  readonly first: number;
  readonly last: number;
}
interface StoredCandle {
  time: string;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  turnover: string;
}
interface StoredTrade {
  sequence: string;
  price: string;
  quantity: string;
  taker_side: 'buy' | 'sell';
  at: string;
  house: boolean;
  counted: boolean;
}

const CHUNK_BARS = 1_500;
/** Chunks of history kept unpacked: enough for the charts that several people look at. */
const UNPACKED_MAX = 48;
const CANDLE = `(extract(epoch from opens_at) * 1000)::bigint as time, open, high, low, close, volume, turnover`;
const TRADE = `sequence, price, quantity, taker_side, (extract(epoch from at) * 1000)::bigint as at, house, counted`;
const HISTORY_DONE = 'history';
const deflate = promisify(gzip);

@Injectable()
export class PostgresMarketStore extends MarketStore {
  private readonly chunks = new Map<string, Chunk[]>();
  private readonly unpacked = new Map<string, Candle[]>();
  private listed: Promise<void> | undefined;
  private simulated: Promise<ReadonlyMap<number, number>> | undefined;

  constructor(private readonly database: MarketDatabase) {
    super();
  }

  publishCatalog(
    seedCurrencies: readonly CurrencyRow[],
    seedPairs: readonly PairRow[],
  ): Promise<{ currencies: CurrencyRow[]; pairs: PairRow[] }> {
    return this.database.transaction(async (tx) => {
      await insertMissing(
        tx.manager,
        CurrencyEntity,
        seedCurrencies.map((row) => ({ id: row.id, version: 1, row })),
      );
      await insertMissing(
        tx.manager,
        PairEntity,
        seedPairs.map((row) => ({ id: row.id, symbol: row.symbol, version: 1, row })),
      );
      const currencies = await tx.manager.find(CurrencyEntity, { order: { id: 'ASC' } });
      const pairs = await tx.manager.find(PairEntity, { order: { id: 'ASC' } });
      const emit = (kind: 'currency' | 'pair', { id, version, row }: CurrencyEntity | PairEntity): void => {
        tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind, id: String(id), version, row: { ...row } }));
      };
      for (const stored of currencies) emit('currency', stored);
      for (const stored of pairs) emit('pair', stored);
      return { currencies: currencies.map(({ row }) => row), pairs: pairs.map(({ row }) => row) };
    });
  }

  async anchor(source: string, seed: Anchor): Promise<Anchor> {
    await this.database.execute(
      `insert into feed_anchor (source, anchor, recorded_now)
        values ($1, to_timestamp($2 / 1000.0), to_timestamp($3 / 1000.0))
        on conflict do nothing`,
      [source, seed.anchor, seed.recordedNow],
    );
    const [row] = await this.database.query<{ anchor: string; recorded: string }>(
      `select (extract(epoch from anchor) * 1000)::bigint as anchor,
          (extract(epoch from recorded_now) * 1000)::bigint as recorded
        from feed_anchor
        where source = $1`,
      [source],
    );
    return row ? { anchor: Number(row.anchor), recordedNow: Number(row.recorded) } : seed;
  }

  async historyMissing(): Promise<boolean> {
    return (await this.database.query('select 1 from meta where name = $1', [HISTORY_DONE])).length === 0;
  }

  async storeHistory(pairs: Parameters<MarketStore['storeHistory']>[0]): Promise<void> {
    // Packed before the transaction begins, which then holds its connection for a moment only.
    const chunks: { pairId: number; period: Period; first: number; last: number; packed: Buffer }[] = [];
    for (const { pairId, done } of pairs) {
      for (const [period, bars] of done) {
        for (let from = 0; from < bars.length; from += CHUNK_BARS) {
          const chunk = bars.slice(from, from + CHUNK_BARS);
          chunks.push({ pairId, period, first: chunk[0]!.time, last: chunk.at(-1)!.time, packed: await pack(chunk) });
        }
      }
    }
    await this.database.transaction(async (tx) => {
      await tx.execute(
        `insert into history (pair_id, period, first_at, last_at, bars)
         select pair_id, period, to_timestamp(first / 1000.0), to_timestamp(last / 1000.0), bars
         from unnest($1::integer[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[]) as c(pair_id, period, first,
           last, bars)`,
        [
          chunks.map(({ pairId }) => pairId),
          chunks.map(({ period }) => period),
          chunks.map(({ first }) => first),
          chunks.map(({ last }) => last),
          chunks.map(({ packed }) => packed),
        ],
      );
      for (const { pairId, open } of pairs)
        await upsert(
          tx,
          pairId,
          [...open].map(([period, bar]) => ({ period, bar })),
        );
      for (const { pairId, simulatedBefore } of pairs)
        if (simulatedBefore !== null)
          await tx.execute('insert into simulated_history (pair_id, ends_at) values ($1, to_timestamp($2 / 1000.0))', [
            pairId,
            simulatedBefore,
          ]);
      await tx.execute(`insert into meta (name, value) values ($1, 'stored')`, [HISTORY_DONE]);
    });
    this.simulated = undefined;
    this.listed = undefined;
  }

  async simulatedBefore(pairId: number): Promise<number | null> {
    this.simulated ??= this.database
      .query<{ pair_id: number; ends: string }>(
        'select pair_id, (extract(epoch from ends_at) * 1000)::bigint as ends from simulated_history',
      )
      .then((rows) => new Map(rows.map(({ pair_id, ends }) => [pair_id, Number(ends)])));
    try {
      return (await this.simulated).get(pairId) ?? null;
    } catch (error) {
      this.simulated = undefined;
      throw error;
    }
  }

  async candles(pairId: number, period: Period, from: number, to: number, tx?: Tx): Promise<Candle[]> {
    const history = await this.historyBars(pairId, period, from, to);
    const own = await (tx ?? this.database).query<StoredCandle>(
      `select ${CANDLE} from candle
        where pair_id = $1 and period = $2 and opens_at between to_timestamp($3 / 1000.0) and to_timestamp($4 / 1000.0)
        order by opens_at`,
      [pairId, period, from, to],
    );
    return [...history, ...own.map(candleOf)];
  }

  async closeBefore(pairId: number, period: Period, time: number, tx?: Tx): Promise<bigint | null> {
    const [own] = await (tx ?? this.database).query<{ close: string }>(
      `select close
        from candle
        where pair_id = $1 and period = $2 and opens_at < to_timestamp($3 / 1000.0)
        order by opens_at desc limit 1`,
      [pairId, period, time],
    );
    if (own) return toUnits(own.close, SCALE);
    const chunks = await this.chunksOf(pairId, period);
    const chunk = chunks.findLast(({ first }) => first < time);
    if (!chunk) return null;
    return (await this.unpack(pairId, period, chunk)).findLast((bar) => bar.time < time)?.close ?? null;
  }

  async ownMinutes(pairId: number, from: number): Promise<Candle[]> {
    return (
      await this.database.query<StoredCandle>(
        `select ${CANDLE} from candle
          where pair_id = $1 and period = '1min' and opens_at >= to_timestamp($2 / 1000.0)
          order by opens_at`,
        [pairId, from],
      )
    ).map(candleOf);
  }

  historyMinutes(pairId: number, from: number): Promise<Candle[]> {
    return this.historyBars(pairId, '1min', from, Number.MAX_SAFE_INTEGER);
  }

  async series(pairId: number, tx?: Tx): Promise<Series> {
    const source = tx ?? this.database;
    const rows = await source.query<StoredCandle & { period: Period }>(
      `select distinct on (period) period, ${CANDLE} from candle where pair_id = $1 order by period, opens_at desc`,
      [pairId],
    );
    const [last] = await source.query<{ sequence: string }>(
      'select sequence from trade where pair_id = $1 order by sequence desc limit 1',
      [pairId],
    );
    const [priced] = await source.query<{ price: string }>(
      'select price from trade where pair_id = $1 and counted order by sequence desc limit 1',
      [pairId],
    );
    return {
      bars: Object.fromEntries(rows.map((row) => [row.period, candleOf(row)])),
      close: priced ? toUnits(priced.price, SCALE) : await this.lastOfHistory(pairId),
      sequence: last ? Number(last.sequence) : 0,
    };
  }

  async addTrades(tx: Tx, pairId: number, trades: readonly TradeRow[], changed: Changed): Promise<void> {
    await tx.execute(
      `insert into trade (pair_id, sequence, price, quantity, taker_side, at, house, counted)
       select $1, t.sequence, t.price, t.quantity, t.side, to_timestamp(t.at / 1000.0), t.house, t.counted
       from unnest($2::bigint[], $3::numeric[], $4::numeric[], $5::text[], $6::bigint[], $7::boolean[],
         $8::boolean[]) as t(sequence, price, quantity, side, at, house, counted)`,
      [
        pairId,
        trades.map(({ sequence }) => sequence),
        trades.map(({ price }) => formatUnits(price, SCALE)),
        trades.map(({ quantity }) => formatUnits(quantity, SCALE)),
        trades.map(({ takerSide }) => takerSide),
        trades.map(({ at }) => at),
        trades.map(({ house }) => house),
        trades.map(({ counted }) => counted),
      ],
    );
    await upsert(
      tx,
      pairId,
      PERIODS.flatMap((period) => changed[period].map((bar) => ({ period, bar }))),
    );
  }

  async trades(pairId: number, before: number | null, limit: number): Promise<TradeRow[]> {
    const rows = await this.database.query<StoredTrade>(
      `select ${TRADE} from trade
        where pair_id = $1 and ($2::bigint is null or sequence < $2)
        order by sequence desc limit $3`,
      [pairId, before, limit],
    );
    return rows.map(tradeOf);
  }

  inSnapshot<T>(look: (tx: Tx, flow: AuditFlow) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => look(tx, await flowOf(tx)), { isolation: 'repeatable read' });
  }

  async tradesAfter(tx: Tx, pairId: number, sequence: number, limit: number): Promise<TradeRow[]> {
    const rows = await tx.query<StoredTrade>(
      `select ${TRADE} from trade where pair_id = $1 and sequence > $2 order by sequence limit $3`,
      [pairId, sequence, limit],
    );
    return rows.map(tradeOf);
  }

  async firstOwnMinute(tx: Tx, pairId: number): Promise<number | null> {
    const [row] = await tx.query<{ time: string }>(
      `select (extract(epoch from opens_at) * 1000)::bigint as time
        from candle
        where pair_id = $1 and period = '1min'
        order by opens_at limit 1`,
      [pairId],
    );
    return row ? Number(row.time) : null;
  }

  async tradeSums(
    pairId: number,
    from: number,
    to: number,
  ): Promise<{ from: number; trades: number; sums: string[] }[]> {
    const rows = await this.database.query<{ first: string; trades: string; sums: string[] }>(
      `select (sequence - 1) / 1000 * 1000 + 1 as first, count(*) as trades,
         array[trunc(sum(price) * 1e18)::text, trunc(sum(quantity) * 1e18)::text,
           trunc(sum(price * (sequence % 1000)) * 1e18)::text,
           trunc(sum(quantity * (sequence % 1000)) * 1e18)::text] as sums
       from trade where pair_id = $1 and sequence between $2 and $3 group by 1 order by 1`,
      [pairId, from, to],
    );
    return rows.map((row) => ({ from: Number(row.first), trades: Number(row.trades), sums: row.sums }));
  }

  private async lastOfHistory(pairId: number): Promise<bigint | null> {
    const chunk = (await this.chunksOf(pairId, '1min')).at(-1);
    return chunk ? ((await this.unpack(pairId, '1min', chunk)).at(-1)?.close ?? null) : null;
  }

  private async historyBars(pairId: number, period: Period, from: number, to: number): Promise<Candle[]> {
    const bars: Candle[] = [];
    for (const chunk of await this.chunksOf(pairId, period)) {
      if (chunk.last < from || chunk.first > to) continue;
      for (const bar of await this.unpack(pairId, period, chunk))
        if (bar.time >= from && bar.time <= to) bars.push(bar);
    }
    return bars;
  }

  private async chunksOf(pairId: number, period: Period): Promise<readonly Chunk[]> {
    this.listed ??= this.listChunks();
    try {
      await this.listed;
    } catch (error) {
      this.listed = undefined;
      throw error;
    }
    return this.chunks.get(`${pairId}/${period}`) ?? [];
  }

  /** The history never changes after the first start, so its list is read once. */
  private async listChunks(): Promise<void> {
    const rows = await this.database.query<{ pair_id: number; period: string; first: string; last: string }>(
      `select pair_id, period, (extract(epoch from first_at) * 1000)::bigint as first,
          (extract(epoch from last_at) * 1000)::bigint as last
        from history
        order by pair_id, period, first_at`,
    );
    this.chunks.clear();
    for (const { pair_id, period, first, last } of rows) {
      const key = `${pair_id}/${period}`;
      this.chunks.set(key, [...(this.chunks.get(key) ?? []), { first: Number(first), last: Number(last) }]);
    }
  }

  private async unpack(pairId: number, period: Period, chunk: Chunk): Promise<Candle[]> {
    const key = `${pairId}/${period}/${chunk.first}`;
    let bars = this.unpacked.get(key);
    if (bars) this.unpacked.delete(key);
    else {
      const [row] = await this.database.query<{ bars: Buffer }>(
        'select bars from history where pair_id = $1 and period = $2 and first_at = to_timestamp($3 / 1000.0)',
        [pairId, period, chunk.first],
      );
      if (!row) throw new Error(`invariant: history ${key} was listed and is not there`);
      bars = unpackBars(row.bars);
    }
    this.unpacked.set(key, bars);
    if (this.unpacked.size > UNPACKED_MAX) this.unpacked.delete(this.unpacked.keys().next().value!);
    return bars;
  }
}

async function upsert(tx: Tx, pairId: number, changed: readonly { period: Period; bar: Candle }[]): Promise<void> {
  if (changed.length === 0) return;
  const column = (pick: (bar: Candle) => bigint): string[] => changed.map(({ bar }) => formatUnits(pick(bar), SCALE));
  await tx.execute(
    `insert into candle (pair_id, period, opens_at, open, high, low, close, volume, turnover)
     select $1, c.period, to_timestamp(c.time / 1000.0), c.open, c.high, c.low, c.close, c.volume, c.turnover
     from unnest($2::text[], $3::bigint[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[],
       $9::numeric[]) as c(period, time, open, high, low, close, volume, turnover)
     on conflict (pair_id, period, opens_at)
     do update set open = excluded.open, high = excluded.high, low = excluded.low, close = excluded.close,
       volume = excluded.volume, turnover = excluded.turnover`,
    [
      pairId,
      changed.map(({ period }) => period),
      changed.map(({ bar }) => bar.time),
      column(({ open }) => open),
      column(({ high }) => high),
      column(({ low }) => low),
      column(({ close }) => close),
      column(({ volume }) => volume),
      column(({ turnover }) => turnover),
    ],
  );
}

const tradeOf = (row: StoredTrade): TradeRow => ({
  sequence: Number(row.sequence),
  price: toUnits(row.price, SCALE),
  quantity: toUnits(row.quantity, SCALE),
  takerSide: row.taker_side,
  at: Number(row.at),
  house: row.house,
  counted: row.counted,
});

const candleOf = (row: StoredCandle): Candle => ({
  time: Number(row.time),
  open: toUnits(row.open, SCALE),
  high: toUnits(row.high, SCALE),
  low: toUnits(row.low, SCALE),
  close: toUnits(row.close, SCALE),
  volume: toUnits(row.volume, SCALE),
  turnover: toUnits(row.turnover, SCALE),
});

/** Bars as text lines of integers, compressed: a day of minutes takes about 20 kB. */
function pack(bars: readonly Candle[]): Promise<Buffer> {
  return deflate(
    bars.map(({ time, open, high, low, close, volume }) => [time, open, high, low, close, volume].join(',')).join('\n'),
  );
}

function unpackBars(packed: Buffer): Candle[] {
  return gunzipSync(packed)
    .toString()
    .split('\n')
    .map((line) => {
      const [time, open, high, low, close, volume] = line.split(',') as [
        string,
        string,
        string,
        string,
        string,
        string,
      ];
      return {
        ...quiet(Number(time), BigInt(open)),
        high: BigInt(high),
        low: BigInt(low),
        close: BigInt(close),
        volume: BigInt(volume),
      };
    });
}
