import { fold, quiet, wholeMinute, type Candle } from './candle.js';
import { DAY, intervalStart, nextStart, PERIODS, type Period } from './period.js';

/** The market before the first start of an install. */
export interface PastMarket {
  /** Minutes that were recorded, rising; empty where nothing was. Prices in units of `SCALE`. */
  readonly minutes: readonly Candle[];
  /** Simulated price at a moment before them; null: there is no market before the recording. */
  readonly before: ((time: number) => bigint) | null;
}

/**
 * How far back simulated candles of an interval reach, in days before the first start. An interval that is not named
 * is the fold of the finer one.
 */
const REACH: Readonly<Partial<Record<Period, number>>> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '60min': 60,
  '1day': 400,
};
/** Number of prices sampled within one simulated interval, its ends included. */
const SAMPLES = 12;

/**
 * Candles of every period before `now`: those of the recording, and simulated ones before it, without volume, so that
 * the chart of a fresh install is empty at no interval. Each period is the fold of the finer one as far back as the
 * finer one reaches; every stretch begins on a full day, so that no interval is half simulated and half folded.
 */
export function pastCandles({ minutes, before }: PastMarket, now: number): ReadonlyMap<Period, readonly Candle[]> {
  const recorded = minutes.filter(({ time }) => time < wholeMinute(now));
  const candles = new Map<Period, readonly Candle[]>();
  let finer: readonly Candle[] = recorded;
  let from = recorded[0]?.time ?? wholeMinute(now);
  for (const period of PERIODS) {
    // Weeks and months are folds of days, not of one another.
    let bars: readonly Candle[] =
      period === '1min' ? recorded : fold(period === '1mon' ? candles.get('1day')! : finer, period);
    const reach = REACH[period];
    if (before && reach !== undefined) {
      const start = Math.min(intervalStart('1day', from), intervalStart('1day', now - reach * DAY));
      bars = [...simulated(before, period, start, from), ...bars];
      from = start;
    }
    candles.set(period, bars);
    finer = bars;
  }
  return candles;
}

/** Candles of [from, to); the last one ends at `to` at the latest. */
function simulated(price: (time: number) => bigint, period: Period, from: number, to: number): Candle[] {
  const candles: Candle[] = [];
  for (let time = from; time < to; time = nextStart(period, time)) {
    const end = Math.min(nextStart(period, time), to);
    const prices = Array.from({ length: SAMPLES }, (_, look) =>
      price(time + Math.round(((end - time) * look) / (SAMPLES - 1))),
    );
    candles.push({
      ...quiet(time, prices[0]!),
      high: prices.reduce((high, one) => (one > high ? one : high)),
      low: prices.reduce((low, one) => (one < low ? one : low)),
      close: prices.at(-1)!,
    });
  }
  return candles;
}
