import type { Bar, Period } from '@bourse/contract';
import { MINUTE_MS, minuteOf, type Print } from './prints.js';

const LENGTHS: Readonly<Partial<Record<Period, number>>> = {
  '1min': MINUTE_MS,
  '5min': 5 * MINUTE_MS,
  '15min': 15 * MINUTE_MS,
  '30min': 30 * MINUTE_MS,
  '60min': 60 * MINUTE_MS,
  '1day': 1_440 * MINUTE_MS,
};

/** Start of the bar of an interval that a moment lies in (UTC). */
function barStart(period: Period, at: number): number {
  const length = LENGTHS[period];
  if (length !== undefined) return at - (at % length);
  const day = new Date(at);
  const [year, month, date] = [day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate()];
  return period === '1mon' ? Date.UTC(year, month, 1) : Date.UTC(year, month, date - ((day.getUTCDay() + 6) % 7));
}

/**
 * Bars as they were known at a moment of the day: history before the day, and bars of the day from the minutes that
 * are over and the prints of the present one. Nothing of what comes later is in them.
 */
export function barsAt(
  period: Period,
  at: number,
  {
    start,
    history,
    minutes,
    present,
  }: {
    readonly start: number;
    /** Bars of the interval; those that reach into the day are left out. */
    readonly history: readonly Bar[];
    /** The minutes of the day. */
    readonly minutes: readonly Bar[];
    readonly present: Bar | undefined;
  },
): Bar[] {
  const first = barStart(period, start);
  const bars = history.filter(({ time }) => time < first).map((bar) => ({ ...bar }));
  const known = minutes.filter(({ time }) => time < minuteOf(at));
  if (present) known.push(present);
  for (const bar of known) {
    const time = barStart(period, bar.time);
    const last = bars.at(-1);
    if (last?.time !== time) bars.push({ ...bar, time });
    else bars[bars.length - 1] = join(last, bar);
  }
  return bars;
}

const join = (last: Bar, bar: Bar): Bar => ({
  ...last,
  high: Math.max(last.high, bar.high),
  low: Math.min(last.low, bar.low),
  close: bar.close,
  volume: last.volume + bar.volume,
});

/** The bar of the present minute by its prints so far; a quiet one has the price before it. Display figures alone. */
export function presentBar(
  at: number,
  prints: readonly Print[],
  printed: number,
  before: number,
  { priceScale, numberScale }: { readonly priceScale: number; readonly numberScale: number },
): Bar | undefined {
  const time = minuteOf(at);
  let from = printed;
  while (from > 0 && prints[from - 1]!.at >= time) from -= 1;
  const own = prints.slice(from, printed);
  if (own.length === 0 && before === 0) return undefined;
  const price = (ticks: number): number => ticks / 10 ** priceScale;
  const prices = own.length > 0 ? own.map((print) => print.price) : [before];
  return {
    time,
    open: price(prices[0]!),
    high: price(Math.max(...prices)),
    low: price(Math.min(...prices)),
    close: price(prices.at(-1)!),
    volume: own.reduce((sum, { lots }) => sum + lots, 0) / 10 ** numberScale,
  };
}
