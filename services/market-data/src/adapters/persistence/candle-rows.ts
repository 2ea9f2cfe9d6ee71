import { formatUnits, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { SCALE, type Candle } from '../../domain/candle.js';
import type { Period } from '../../domain/period.js';

/** Columns of `candle` that `candleOf` reads. */
export const CANDLE_COLUMNS =
  '(extract(epoch from opens_at) * 1000)::bigint as time, open, high, low, close, volume, turnover';

/** A row of `candle` as the driver returns it. */
export interface StoredCandle {
  time: string;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  turnover: string;
}

/** A stored candle in units. */
export const candleOf = (row: StoredCandle): Candle => ({
  time: Number(row.time),
  open: toUnits(row.open, SCALE),
  high: toUnits(row.high, SCALE),
  low: toUnits(row.low, SCALE),
  close: toUnits(row.close, SCALE),
  volume: toUnits(row.volume, SCALE),
  turnover: toUnits(row.turnover, SCALE),
});

/** Adds candles of a pair, or replaces those that are stored already. */
export async function upsertCandles(
  tx: Tx,
  pairId: number,
  changed: readonly { period: Period; bar: Candle }[],
): Promise<void> {
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
