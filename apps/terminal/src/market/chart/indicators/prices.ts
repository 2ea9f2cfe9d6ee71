import type { Bar } from '@bourse/contract';
import { combine, deviation, ema, highest, lowest, rma, shifted, sma, wma, type Line } from './series.js';

/** The closes of the bars. */
export const closes = (bars: readonly Bar[]): number[] => bars.map((bar) => bar.close);
const highs = (bars: readonly Bar[]): number[] => bars.map((bar) => bar.high);
const lows = (bars: readonly Bar[]): number[] => bars.map((bar) => bar.low);
/** The typical price of each bar: the mean of high, low and close. */
export const typical = (bars: readonly Bar[]): number[] => bars.map(({ high, low, close }) => (high + low + close) / 3);

/* Indicators that are drawn over the prices. */

/** EMA: exponential average of the closes. */
export const exponentialAverages = (bars: readonly Bar[], lengths: readonly number[]): Line[] =>
  lengths.map((length) => ema(closes(bars), length));
/** WMA: linearly weighted average of the closes. */
export const weightedAverages = (bars: readonly Bar[], lengths: readonly number[]): Line[] =>
  lengths.map((length) => wma(closes(bars), length));
/** SMMA: the closes in Wilder's smoothing. */
export const smoothedAverages = (bars: readonly Bar[], lengths: readonly number[]): Line[] =>
  lengths.map((length) => rma(closes(bars), length));

/** BOLL: mean of the closes, and so many deviations above and below it (J. Bollinger). */
export function bollinger(bars: readonly Bar[], [length = 20, width = 2]: readonly number[]): Line[] {
  const middle = sma(closes(bars), length);
  const spread = deviation(closes(bars), length);
  return [
    middle,
    combine(middle, spread, (mean, away) => mean + width * away),
    combine(middle, spread, (mean, away) => mean - width * away),
  ];
}

const DAY_MS = 86_400_000;
/** VWAP: typical price weighted by volume since the day (UTC) began; without volume the typical price itself. */
export function volumeWeighted(bars: readonly Bar[]): Line[] {
  let day = -1;
  let money = 0;
  let volume = 0;
  const prices = typical(bars);
  return [
    bars.map((bar, at) => {
      const own = Math.floor(bar.time / DAY_MS);
      if (own !== day) [day, money, volume] = [own, 0, 0];
      money += prices[at]! * bar.volume;
      volume += bar.volume;
      return volume === 0 ? prices[at] : money / volume;
    }),
  ];
}

/** TR: the largest of high - low, abs(high - last close), abs(low - last close); at first high - low (J. W. Wilder). */
export const trueRange = (bars: readonly Bar[]): number[] =>
  bars.map(({ high, low }, at) => {
    const last = bars[at - 1]?.close;
    return last === undefined ? high - low : Math.max(high - low, Math.abs(high - last), Math.abs(low - last));
  });

/** Wilder's average of the true range. */
export const averageRange = (bars: readonly Bar[], length: number): Line => rma(trueRange(bars), length);

/**
 * SAR: stop and reverse. Moves toward the extreme of the trend by a factor that grows with each new extreme, never into
 * the last two bars, and turns when a bar reaches it (J. W. Wilder). The first trend is that of the first two bars.
 */
export function parabolicSar(bars: readonly Bar[], [step = 0.02, most = 0.2]: readonly number[]): Line[] {
  const line: Line = bars.map(() => undefined);
  const [first, second] = bars;
  if (!first || !second) return [line];
  let rising = second.high + second.low >= first.high + first.low;
  let stop = rising ? first.low : first.high;
  let extreme = rising ? Math.max(first.high, second.high) : Math.min(first.low, second.low);
  let factor = step;
  line[1] = stop;
  for (let at = 2; at < bars.length; at += 1) {
    const { high, low } = bars[at]!;
    const [last, before] = [bars[at - 1]!, bars[at - 2]!];
    stop += factor * (extreme - stop);
    stop = rising ? Math.min(stop, last.low, before.low) : Math.max(stop, last.high, before.high);
    if (rising ? low < stop : high > stop) {
      stop = extreme;
      rising = !rising;
      extreme = rising ? high : low;
      factor = step;
    } else if (rising ? high > extreme : low < extreme) {
      extreme = rising ? high : low;
      factor = Math.min(most, factor + step);
    }
    line[at] = stop;
  }
  return [line];
}

/** DC: highest high and lowest low of the last bars, and their middle (R. Donchian). */
export function donchian(bars: readonly Bar[], [length = 20]: readonly number[]): Line[] {
  const top = highest(highs(bars), length);
  const bottom = lowest(lows(bars), length);
  return [combine(top, bottom, mean), top, bottom];
}

/** KC: exponential average of the closes, and so many average ranges above and below it (L. B. Raschke). */
export function keltner(bars: readonly Bar[], [length = 20, width = 2, range = 10]: readonly number[]): Line[] {
  const middle = ema(closes(bars), length);
  const away = averageRange(bars, range);
  return [
    middle,
    combine(middle, away, (price, one) => price + width * one),
    combine(middle, away, (price, one) => price - width * one),
  ];
}

/**
 * ICHIMOKU: middles of the ranges of three lengths. The leading spans are shifted forward by the middle length, the
 * lagging close back by it (G. Hosoda); points after the newest bar are not drawn.
 */
export function ichimoku(bars: readonly Bar[], [short = 9, middle = 26, long = 52]: readonly number[]): Line[] {
  const half = (length: number): Line => combine(highest(highs(bars), length), lowest(lows(bars), length), mean);
  const conversion = half(short);
  const base = half(middle);
  return [
    conversion,
    base,
    shifted(combine(conversion, base, mean), middle),
    shifted(half(long), middle),
    shifted(closes(bars), -middle),
  ];
}

/**
 * ST: bands of so many average ranges around the middle of each bar. A band moves only toward the price until a close
 * is beyond it; then the other one is shown (O. Seban). @returns the line while prices rise, and while they fall
 */
export function supertrend(bars: readonly Bar[], [length = 10, width = 3]: readonly number[]): Line[] {
  const range = averageRange(bars, length);
  const rising: Line = bars.map(() => undefined);
  const falling: Line = bars.map(() => undefined);
  let upper = Number.POSITIVE_INFINITY;
  let lower = Number.NEGATIVE_INFINITY;
  let up = true;
  for (const [at, bar] of bars.entries()) {
    const one = range[at];
    if (one === undefined) continue;
    const middle = (bar.high + bar.low) / 2;
    const last = bars[at - 1]?.close ?? bar.close;
    const [top, bottom] = [middle + width * one, middle - width * one];
    if (top < upper || last > upper) upper = top;
    if (bottom > lower || last < lower) lower = bottom;
    if (up ? bar.close < lower : bar.close > upper) up = !up;
    (up ? rising : falling)[at] = up ? lower : upper;
  }
  return [rising, falling];
}

const mean = (a: number, b: number): number => (a + b) / 2;
