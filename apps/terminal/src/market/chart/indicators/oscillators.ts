import type { Bar } from '@bourse/contract';
import { averageRange, closes, trueRange, typical } from './prices.js';
import { combine, ema, highest, lowest, rma, shifted, sma, sumOf, type Line, type Values } from './series.js';

/* Indicators with a pane of their own. */

/** Change to the value before; the first has none. */
const changes = (values: readonly number[]): Line =>
  values.map((value, at) => (at === 0 ? undefined : value - values[at - 1]!));

/** MACD: short less long exponential average, its own average as signal, and the difference (G. Appel). */
export function macd(bars: readonly Bar[], [short = 12, long = 26, signal = 9]: readonly number[]): Line[] {
  const line = combine(ema(closes(bars), short), ema(closes(bars), long), (a, b) => a - b);
  const slow = ema(line, signal);
  return [line, slow, combine(line, slow, (a, b) => a - b)];
}

/** RSI of any line: 100 · rises / (rises + falls), both in Wilder's smoothing; 50 where nothing moved. */
function strength(values: readonly number[], length: number): Line {
  const moved = changes(values);
  const up = rma(
    moved.map((by) => by && Math.max(0, by)),
    length,
  );
  const down = rma(
    moved.map((by) => by && Math.max(0, -by)),
    length,
  );
  return combine(up, down, (rise, fall) => (rise + fall === 0 ? 50 : (100 * rise) / (rise + fall)));
}

/** RSI: relative strength of rises and falls (J. W. Wilder). */
export const relativeStrength = (bars: readonly Bar[], lengths: readonly number[]): Line[] =>
  lengths.map((length) => strength(closes(bars), length));

/** Place of a value between the lowest and the highest of the last bars, 0 to 100; 50 where they are one. */
function placed(value: Values, low: Values, high: Values): Line {
  return value.map((at, bar) => {
    const [from, to] = [low[bar], high[bar]];
    if (at === undefined || from === undefined || to === undefined) return undefined;
    return to === from ? 50 : (100 * (at - from)) / (to - from);
  });
}

/**
 * KDJ: K and D are averages with weight 1 / length, begun at 50, of the close's place in the range; J = 3 K - 2 D
 * (G. Lane's stochastic as Asian terminals draw it).
 */
export function kdj(bars: readonly Bar[], [length = 9, k = 3, d = 3]: readonly number[]): Line[] {
  const place = placed(
    closes(bars),
    lowest(
      bars.map((bar) => bar.low),
      length,
    ),
    highest(
      bars.map((bar) => bar.high),
      length,
    ),
  );
  const follow = (values: Values, weight: number): Line => {
    let last = 50;
    return values.map((value) => (value === undefined ? undefined : (last += (value - last) / weight)));
  };
  const fast = follow(place, k);
  const slow = follow(fast, d);
  return [fast, slow, combine(fast, slow, (a, b) => 3 * a - 2 * b)];
}

/** ATR: Wilder's average of the true range. */
export const atr = (bars: readonly Bar[], [length = 14]: readonly number[]): Line[] => [averageRange(bars, length)];

/** STOCHRSI: place of the RSI in its own range, averaged twice (T. Chande, S. Kroll). */
export function stochasticRsi(bars: readonly Bar[], [rsi = 14, length = 14, k = 3, d = 3]: readonly number[]): Line[] {
  const line = strength(closes(bars), rsi);
  const fast = sma(placed(line, lowest(line, length), highest(line, length)), k);
  return [fast, sma(fast, d)];
}

/** CCI: distance of the typical price from its mean, in mean deviations of 0.015 (D. Lambert); 0 where all are one. */
export function cci(bars: readonly Bar[], [length = 20]: readonly number[]): Line[] {
  const prices = typical(bars);
  return [
    sma(prices, length).map((mean, at) => {
      if (mean === undefined) return undefined;
      let away = 0;
      for (let back = 0; back < length; back += 1) away += Math.abs(prices[at - back]! - mean);
      return away === 0 ? 0 : (prices[at]! - mean) / ((0.015 * away) / length);
    }),
  ];
}

/** WR: place of the close below the highest high, 0 to -100 (L. Williams). */
export function williams(bars: readonly Bar[], [length = 14]: readonly number[]): Line[] {
  const place = placed(
    closes(bars),
    lowest(
      bars.map((bar) => bar.low),
      length,
    ),
    highest(
      bars.map((bar) => bar.high),
      length,
    ),
  );
  return [place.map((value) => (value === undefined ? undefined : value - 100))];
}

/** OBV: volume added where the close rose and taken away where it fell, from 0 at the first bar (J. Granville). */
export function onBalanceVolume(bars: readonly Bar[]): Line[] {
  let sum = 0;
  return [bars.map((bar, at) => (sum += Math.sign(bar.close - (bars[at - 1]?.close ?? bar.close)) * bar.volume))];
}

/** MFI: the RSI's ratio of money that flowed while the typical price rose and fell (G. Quong, A. Soudack). */
export function moneyFlow(bars: readonly Bar[], [length = 14]: readonly number[]): Line[] {
  const prices = typical(bars);
  const moved = changes(prices);
  const flow = (sign: number): Line =>
    moved.map((by, at) => (by === undefined ? undefined : Math.sign(by) === sign ? prices[at]! * bars[at]!.volume : 0));
  return [
    combine(sumOf(flow(1), length), sumOf(flow(-1), length), (into, out) =>
      into + out === 0 ? 50 : (100 * into) / (into + out),
    ),
  ];
}

/**
 * DMI: +DI and -DI, the parts of the range above and below that of the last bar, and ADX, the average of their
 * difference in percent of their sum (J. W. Wilder).
 */
export function directionalMovement(bars: readonly Bar[], [length = 14]: readonly number[]): Line[] {
  const moves = (up: boolean): Line =>
    bars.map(({ high, low }, at) => {
      const last = bars[at - 1];
      if (!last) return undefined;
      const [rise, fall] = [high - last.high, last.low - low];
      const [own, other] = up ? [rise, fall] : [fall, rise];
      return own > other && own > 0 ? own : 0;
    });
  const range = rma(
    trueRange(bars).map((value, at) => (at === 0 ? undefined : value)),
    length,
  );
  const part = (line: Line): Line => combine(rma(line, length), range, (a, b) => (b === 0 ? 0 : (100 * a) / b));
  const [plus, minus] = [part(moves(true)), part(moves(false))];
  const apart = combine(plus, minus, (a, b) => (a + b === 0 ? 0 : (100 * Math.abs(a - b)) / (a + b)));
  return [rma(apart, length), plus, minus];
}

/** ROC: change of the close to that of so many bars before, in percent. */
export function rateOfChange(bars: readonly Bar[], [length = 12]: readonly number[]): Line[] {
  const line = closes(bars);
  return [combine(line, shifted(line, length), (now, before) => (before === 0 ? 0 : (100 * (now - before)) / before))];
}

/** TRIX: change in percent of the closes averaged exponentially three times, and its average as signal (J. Hutson). */
export function trix(bars: readonly Bar[], [length = 15, signal = 9]: readonly number[]): Line[] {
  const thrice = ema(ema(ema(closes(bars), length), length), length);
  const line = combine(thrice, shifted(thrice, 1), (now, before) => (100 * (now - before)) / before);
  return [line, sma(line, signal)];
}
