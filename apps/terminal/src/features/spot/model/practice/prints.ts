import type { Bar, TradeRecord } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { BUY, MAX_LOTS, MAX_TICK, SELL, type Side } from '@bourse/matching';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** One recorded trade, or a point of a recorded candle where the minute has no trade of its own. */
export interface Print {
  readonly at: number;
  /** Ticks. */
  readonly price: number;
  readonly lots: number;
  /** The side that took. */
  readonly side: Side;
}

/** How much of a day comes from which record. */
interface DaySources {
  readonly trades: number;
  /** Minutes that candles fill. */
  readonly minutes: number;
}
export interface RecordedDay {
  /** Midnight (UTC) that begins it. */
  readonly start: number;
  readonly prints: readonly Print[];
  readonly sources: DaySources;
}

interface Scales {
  readonly priceScale: number;
  readonly numberScale: number;
}

/** Points of a candle's path in a minute. */
const POINTS = 12;

/**
 * The prints of a day: each minute by its own trades, else by the path of its candle: open, low, high, close, or high
 * before low where it closes lower, with the recorded volume in even parts. A minute without volume and without a move
 * has no print.
 */
export function printsOf(
  start: number,
  bars: readonly Bar[],
  trades: readonly TradeRecord[],
  scales: Scales,
): RecordedDay {
  const end = start + DAY_MS;
  const own = trades.filter(({ ts }) => ts >= start && ts < end).map((trade) => printOf(trade, scales));
  const traded = new Set(own.map(({ at }) => minuteOf(at)));
  const prints = [...own];
  let [last, minutes] = [0, 0];
  for (const bar of bars) {
    if (bar.time < start || bar.time >= end) continue;
    const path = traded.has(bar.time) ? [] : pathOf(bar, last, scales);
    if (path.length > 0) minutes += 1;
    prints.push(...path);
    last = ticksOf(bar.close, scales) || last;
  }
  prints.sort((one, other) => one.at - other.at);
  return { start, prints, sources: { trades: own.length, minutes } };
}

export const minuteOf = (at: number): number => at - (at % MINUTE_MS);

const printOf = ({ ts, price, number, direction }: TradeRecord, { priceScale, numberScale }: Scales): Print => ({
  at: ts,
  price: Number(toUnits(price, priceScale)),
  lots: Number(toUnits(number, numberScale)),
  side: direction === 'buy' ? BUY : SELL,
});

/** Display numbers of a bar as whole steps; 0 for what is no step, or beyond those of a book. */
const stepsOf = (value: number, scale: number, most: number): number => {
  const steps = Number(toUnits(value.toFixed(scale), scale));
  return steps > 0 && steps <= most ? steps : 0;
};
const ticksOf = (price: number, { priceScale }: Scales): number => stepsOf(price, priceScale, MAX_TICK);

function pathOf(bar: Bar, before: number, scales: Scales): Print[] {
  const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) => ticksOf(price, scales)) as [
    number,
    number,
    number,
    number,
  ];
  if (open === 0 || low === 0) return [];
  const isQuiet = bar.volume === 0 && open === close && high === low;
  if (isQuiet && before === close) return [];
  const lots = stepsOf(bar.volume, scales.numberScale, MAX_LOTS);
  const corners = close >= open ? [open, low, high, close] : [open, high, low, close];
  const points = isQuiet || lots < POINTS ? corners : between(corners);
  const share = Math.max(1, Math.floor(lots / points.length));
  let last = before || open;
  let side: Side = BUY;
  return points.map((price, index) => {
    if (price !== last) side = price > last ? BUY : SELL;
    last = price;
    return { at: bar.time + Math.floor((index * MINUTE_MS) / points.length), price, lots: share, side };
  });
}

/** Points on the straight lines between the corners, with each corner among them. */
function between(corners: readonly number[]): number[] {
  const parts = POINTS / (corners.length - 1);
  return Array.from({ length: POINTS }, (_, index) => {
    // The last point is the close: the steps of the others are as even as they can be.
    const place = index === POINTS - 1 ? corners.length - 1 : index / parts;
    const from = corners[Math.floor(place)]!;
    const to = corners[Math.min(corners.length - 1, Math.floor(place) + 1)]!;
    return Math.round(from + (to - from) * (place % 1));
  });
}
