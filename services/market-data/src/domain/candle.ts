import { rescale, maxOf, minOf } from '@bourse/money';
import { intervalStart, MINUTE, nextStart, PERIODS, type Period } from './period.js';

/** Scale of all prices and volumes in this service: no currency and no recording has more decimals. */
export const SCALE = 8;

/**
 * One interval of a pair: opening time (ms UTC), prices and base volume in units of `SCALE`; `turnover` is the quote
 * volume in units of `SCALE`.
 */
export interface Candle {
  readonly time: number;
  readonly open: bigint;
  readonly high: bigint;
  readonly low: bigint;
  readonly close: bigint;
  readonly volume: bigint;
  readonly turnover: bigint;
}
/** The part of a fill that a candle uses. Price and quantity in units of `SCALE`. */
export interface Fill {
  readonly at: number;
  readonly price: bigint;
  readonly quantity: bigint;
  /** False: it has a number and makes no figure, as what the house trades with itself on a production install. */
  readonly counted: boolean;
}

/** A quiet interval: nothing was traded, the price is unchanged. */
export const quiet = (time: number, price: bigint): Candle => ({
  time,
  open: price,
  high: price,
  low: price,
  close: price,
  volume: 0n,
  turnover: 0n,
});

/** A candle with its prices on the scale that a pair's prices have. */
export function onScale(candle: Candle, priceScale: number): Candle {
  const rounded = (price: bigint): bigint => {
    const units = rescale(price, SCALE, priceScale, 'half_up');
    return rescale(units > 0n ? units : 1n, priceScale, SCALE, 'half_up');
  };
  return {
    ...candle,
    open: rounded(candle.open),
    high: rounded(candle.high),
    low: rounded(candle.low),
    close: rounded(candle.close),
  };
}

/**
 * The interval after its finer part `minute`. A part that comes late into an interval follows quiet parts at the price
 * `before`, the close of the parts before: the open is theirs, so that each interval is exactly the fold of the finer
 * ones as they are served.
 */
export function extend(bar: Candle | null, period: Period, part: Candle, before: bigint | null): Candle {
  const time = intervalStart(period, part.time);
  if (!bar || bar.time !== time) {
    if (part.time === time || before === null) return { ...part, time };
    return {
      time,
      open: before,
      high: maxOf(part.high, before),
      low: minOf(part.low, before),
      close: part.close,
      volume: part.volume,
      turnover: part.turnover,
    };
  }
  return {
    time,
    open: bar.open,
    high: maxOf(bar.high, part.high),
    low: minOf(bar.low, part.low),
    close: part.close,
    volume: bar.volume + part.volume,
    turnover: bar.turnover + part.turnover,
  };
}

/**
 * Folds rising candles of one period into a coarser one. `before` is the close of what came earlier, null when nothing
 * did.
 */
export function fold(parts: readonly Candle[], period: Period, before: bigint | null = null): Candle[] {
  const bars: Candle[] = [];
  let bar: Candle | null = null;
  let close = before;
  for (const part of parts) {
    const next = extend(bar, period, part, close);
    if (bar && bar.time === next.time) bars[bars.length - 1] = next;
    else bars.push(next);
    bar = next;
    close = part.close;
  }
  return bars;
}

/** The bars in progress of one pair, one per period, and what was traded last. */
export interface Series {
  readonly bars: Readonly<Partial<Record<Period, Candle>>>;
  readonly close: bigint | null;
  /** Number of the last trade that the bars know of. */
  readonly sequence: number;
}
export const EMPTY_SERIES: Series = { bars: {}, close: null, sequence: 0 };

/** Bars that changed, by period, oldest first. */
export type Changed = Readonly<Record<Period, Candle[]>>;

/**
 * Adds fills of one pair, in match order, to the bars of all periods. A fill that is older than the bar in progress (a
 * clock that went back) counts in the bar in progress: bars that are done do not change any more.
 */
export function addFills(
  series: Series,
  fills: readonly (Fill & { readonly sequence: number })[],
): { readonly series: Series; readonly changed: Changed } {
  const bars: Partial<Record<Period, Candle>> = { ...series.bars };
  const changed = Object.fromEntries(PERIODS.map((period) => [period, [] as Candle[]])) as Record<Period, Candle[]>;
  let { close, sequence } = series;
  for (const fill of fills) {
    sequence = fill.sequence;
    if (!fill.counted) continue;
    const at = Math.max(fill.at, bars['1min']?.time ?? fill.at);
    // The turnover of a fill is rounded down once, as the ledger does (rules §2).
    const part: Candle = {
      ...quiet(intervalStart('1min', at), fill.price),
      volume: fill.quantity,
      turnover: (fill.price * fill.quantity) / UNIT,
    };
    for (const period of PERIODS) {
      const bar = extend(bars[period] ?? null, period, part, close);
      bars[period] = bar;
      const list = changed[period];
      if (list.at(-1)?.time === bar.time) list[list.length - 1] = bar;
      else list.push(bar);
    }
    close = fill.price;
  }
  return { series: { bars, close, sequence }, changed };
}

/**
 * The intervals that open in [from, to], without holes: a quiet one has the close before it as its price, with volume
 * 0. No interval comes before the first bar. `before` is the close of the newest bar that opened earlier than `from`.
 */
export function withoutHoles(
  bars: readonly Candle[],
  period: Period,
  from: number,
  to: number,
  before: bigint | null,
): Candle[] {
  const filled: Candle[] = [];
  let close = before;
  let index = 0;
  let time = intervalStart(period, from);
  if (time < from) time = nextStart(period, time);
  if (close === null) {
    while (index < bars.length && bars[index]!.time < time) close = bars[index++]!.close;
    if (close === null) time = bars[index]?.time ?? Number.POSITIVE_INFINITY;
  }
  for (; time <= to; time = nextStart(period, time)) {
    while (index < bars.length && bars[index]!.time < time) close = bars[index++]!.close;
    const bar = bars[index];
    if (bar?.time === time) {
      filled.push(bar);
      close = bar.close;
      index++;
    } else if (close !== null) filled.push(quiet(time, close));
  }
  return filled;
}

/** Rounds down to whole minutes: a recording is shifted by whole minutes only. */
export const wholeMinute = (time: number): number => Math.floor(time / MINUTE) * MINUTE;

const UNIT = 10n ** BigInt(SCALE);
