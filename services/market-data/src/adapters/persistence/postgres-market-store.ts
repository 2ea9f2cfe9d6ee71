import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import { flowOf, type AuditFlow } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { insertMissing, type Tx } from '@bourse/persistence';
import type { Span } from '@bourse/platform';
import { MarketStore, type Anchor, type CandleSpan, type FilledTrade, type TradeRow } from '../../application/ports.js';
import { SCALE, type Candle, type Changed, type Series } from '../../domain/candle.js';
import { PERIODS, type Period } from '../../domain/period.js';
import { CandleHistory } from './candle-history.js';
import { CANDLE_COLUMNS, candleOf, upsertCandles, type StoredCandle } from './candle-rows.js';
import { CurrencyEntity } from './entities/currency.entity.js';
import { PairEntity } from './entities/pair.entity.js';
import { MarketDatabase } from './market-database.js';
import { TRADE_COLUMNS, tradeOf, type StoredTrade } from './trade-rows.js';

/** Catalog, candles and trades of the markets, in PostgreSQL. */
@Injectable()
export class PostgresMarketStore extends MarketStore {
  private readonly history: CandleHistory;

  constructor(private readonly database: MarketDatabase) {
    super();
    this.history = new CandleHistory(database);
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

  historyMissing(): Promise<boolean> {
    return this.history.missing();
  }

  storeHistory(pairs: Parameters<MarketStore['storeHistory']>[0]): Promise<void> {
    return this.history.store(pairs);
  }

  recordedBefore(pairId: number): Promise<number | null> {
    return this.history.recordedBefore(pairId);
  }
  simulatedBefore(pairId: number): Promise<number | null> {
    return this.history.simulatedBefore(pairId);
  }

  async candles(pairId: number, period: Period, from: number, to: number, tx?: Tx): Promise<Candle[]> {
    const history = await this.history.candles(pairId, period, from, to);
    const own = await (tx ?? this.database).query<StoredCandle>(
      `select ${CANDLE_COLUMNS} from candle
        where pair_id = $1 and period = $2 and opens_at between to_timestamp($3 / 1000.0) and to_timestamp($4 / 1000.0)
        order by opens_at`,
      [pairId, period, from, to],
    );
    return [...history, ...own.map(candleOf)];
  }

  async candlesOf(
    pairId: number,
    spans: readonly CandleSpan[],
    tx: Tx,
  ): Promise<ReadonlyMap<Period, readonly Candle[]>> {
    const own = await tx.query<StoredCandle & { period: Period }>(
      `select c.* from unnest($2::text[], $3::bigint[], $4::bigint[]) as s(period, first, last)
        cross join lateral (
          select period, ${CANDLE_COLUMNS} from candle
          where pair_id = $1 and period = s.period
            and opens_at between to_timestamp(s.first / 1000.0) and to_timestamp(s.last / 1000.0)
          order by opens_at) c`,
      [pairId, spans.map(({ period }) => period), spans.map(({ from }) => from), spans.map(({ to }) => to)],
    );
    const found = new Map<Period, Candle[]>();
    for (const { period, from, to } of spans)
      found.set(period, [...(await this.history.candles(pairId, period, from, to))]);
    for (const row of own) found.get(row.period)?.push(candleOf(row));
    return found;
  }

  async closesBefore(pairId: number, times: readonly number[], tx: Tx): Promise<readonly (bigint | null)[]> {
    const rows = await tx.query<{ close: string | null }>(
      `select (select close from candle
          where pair_id = $1 and period = '1min' and opens_at < to_timestamp(t.time / 1000.0)
          order by opens_at desc limit 1) as close
        from unnest($2::bigint[]) with ordinality as t(time, place)
        order by place`,
      [pairId, times],
    );
    const closes: (bigint | null)[] = [];
    for (const [at, { close }] of rows.entries())
      closes.push(close === null ? await this.history.closeBefore(pairId, '1min', times[at]!) : toUnits(close, SCALE));
    return closes;
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
    return this.history.closeBefore(pairId, period, time);
  }

  async ownMinutes(pairId: number, from: number, tx?: Tx): Promise<Candle[]> {
    return (
      await (tx ?? this.database).query<StoredCandle>(
        `select ${CANDLE_COLUMNS} from candle
          where pair_id = $1 and period = '1min' and opens_at >= to_timestamp($2 / 1000.0)
          order by opens_at`,
        [pairId, from],
      )
    ).map(candleOf);
  }

  historyMinutes(pairId: number, from: number): Promise<readonly Candle[]> {
    return this.history.candles(pairId, '1min', from, Number.MAX_SAFE_INTEGER);
  }

  async series(pairId: number, tx?: Tx): Promise<Series> {
    const source = tx ?? this.database;
    const rows = await source.query<StoredCandle & { period: Period }>(
      `select distinct on (period) period, ${CANDLE_COLUMNS} from candle
        where pair_id = $1
        order by period, opens_at desc`,
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
      close: priced ? toUnits(priced.price, SCALE) : await this.history.lastClose(pairId),
      sequence: last ? Number(last.sequence) : 0,
    };
  }

  async sequenceBefore(pairId: number, at: number, tx?: Tx): Promise<number> {
    const [row] = await (tx ?? this.database).query<{ sequence: string }>(
      `select sequence from trade
        where pair_id = $1 and at < to_timestamp($2 / 1000.0)
        order by sequence desc limit 1`,
      [pairId, at],
    );
    return row ? Number(row.sequence) : 0;
  }

  async takeAhead(tx: Tx, pairId: number): Promise<{ trades: FilledTrade[]; waitedMs: number }> {
    await tx.query(`select pg_advisory_xact_lock(hashtext('trades of a pair'), $1)`, [pairId]);
    const rows = await tx.query<{ trade: FilledTrade; waited: string }>(
      `delete from trade_ahead where pair_id = $1
        returning trade, (extract(epoch from clock_timestamp() - since) * 1000)::bigint as waited`,
      [pairId],
    );
    return {
      trades: rows.map(({ trade }) => trade),
      waitedMs: Math.max(0, ...rows.map(({ waited }) => Number(waited))),
    };
  }

  async keepAhead(tx: Tx, pairId: number, trades: readonly FilledTrade[], waitedMs: number): Promise<void> {
    await tx.execute(
      `insert into trade_ahead (pair_id, sequence, trade, since)
       select $1, t.sequence, t.trade, clock_timestamp() - $4 * interval '1 millisecond'
       from unnest($2::bigint[], $3::text[]::json[]) as t(sequence, trade)`,
      [pairId, trades.map(({ sequence }) => sequence), trades.map((trade) => JSON.stringify(trade)), waitedMs],
    );
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
    await upsertCandles(
      tx,
      pairId,
      PERIODS.flatMap((period) => changed[period].map((bar) => ({ period, bar }))),
    );
  }

  async trades(pairId: number, before: number | null, limit: number, span?: Span, tx?: Tx): Promise<TradeRow[]> {
    const { from, to, order = 'desc' } = span ?? {};
    // Numbers rise with time; without a bound in time the key of the table leads through them.
    const columns = from === undefined && to === undefined ? ['sequence'] : ['at', 'sequence'];
    const rows = await (tx ?? this.database).query<StoredTrade>(
      `select ${TRADE_COLUMNS} from trade
        where pair_id = $1 and ($2::bigint is null or sequence < $2) and
          ($4::bigint is null or trade.at >= to_timestamp($4::bigint / 1000.0)) and
          ($5::bigint is null or trade.at <= to_timestamp($5::bigint / 1000.0))
        order by ${columns.map((column) => `trade.${column} ${order}`).join(', ')} limit $3`,
      [pairId, before, limit, from ?? null, to ?? null],
    );
    return rows.map(tradeOf);
  }

  inSnapshot<T>(look: (tx: Tx, flow: AuditFlow) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => look(tx, await flowOf(tx)), { isolation: 'repeatable read' });
  }

  async tradesAfter(tx: Tx, pairId: number, sequence: number, limit: number): Promise<TradeRow[]> {
    const rows = await tx.query<StoredTrade>(
      `select ${TRADE_COLUMNS} from trade where pair_id = $1 and sequence > $2 order by sequence limit $3`,
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
}
