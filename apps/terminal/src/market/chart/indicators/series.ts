/** A value for each bar; undefined where there are not yet enough bars. Figures for the eye: money never comes here. */
export type Line = (number | undefined)[];
export type Values = readonly (number | undefined)[];

/** Index of the first value; the length of a line without values. */
function firstOf(values: Values): number {
  const at = values.findIndex((value) => value !== undefined);
  return at < 0 ? values.length : at;
}

const blank = (values: Values): Line => values.map(() => undefined);

/** The sum of the last `length` values. */
export function sumOf(values: Values, length: number): Line {
  const line = blank(values);
  const first = firstOf(values);
  let sum = 0;
  for (let at = first; at < values.length; at += 1) {
    sum += values[at]!;
    if (at >= first + length) sum -= values[at - length]!;
    if (at >= first + length - 1) line[at] = sum;
  }
  return line;
}

/** Simple moving average: the mean of the last `length` values. */
export const sma = (values: Values, length: number): Line => sumOf(values, length).map((sum) => divided(sum, length));

/** A line whose first value is the mean of the first `length`, and whose next are `last + (value - last) · weight`. */
function smoothed(values: Values, length: number, weight: number): Line {
  const line = blank(values);
  const first = firstOf(values);
  let sum = 0;
  let last: number | undefined;
  for (let at = first; at < values.length; at += 1) {
    if (last === undefined) {
      sum += values[at]!;
      if (at === first + length - 1) last = sum / length;
    } else last += (values[at]! - last) * weight;
    line[at] = last;
  }
  return line;
}

/** Exponential moving average, weight 2 / (length + 1), begun with the simple average (StockCharts, TA-Lib). */
export const ema = (values: Values, length: number): Line => smoothed(values, length, 2 / (length + 1));

/** Wilder's smoothing, weight 1 / length, begun with the simple average (J. W. Wilder, 1978); also called SMMA. */
export const rma = (values: Values, length: number): Line => smoothed(values, length, 1 / length);

/** Linearly weighted moving average: the newest of `length` values counts `length` times, the oldest once. */
export function wma(values: Values, length: number): Line {
  const line = blank(values);
  const weights = (length * (length + 1)) / 2;
  for (let at = firstOf(values) + length - 1; at < values.length; at += 1) {
    let sum = 0;
    for (let back = 0; back < length; back += 1) sum += values[at - back]! * (length - back);
    line[at] = sum / weights;
  }
  return line;
}

/** Standard deviation of the last `length` values as a whole population (J. Bollinger). */
export function deviation(values: Values, length: number): Line {
  const means = sma(values, length);
  return means.map((mean, at) => {
    if (mean === undefined) return undefined;
    let sum = 0;
    for (let back = 0; back < length; back += 1) sum += (values[at - back]! - mean) ** 2;
    return Math.sqrt(sum / length);
  });
}

const extreme =
  (pick: (a: number, b: number) => number) =>
  (values: Values, length: number): Line => {
    const line = blank(values);
    for (let at = firstOf(values) + length - 1; at < values.length; at += 1) {
      let best = values[at]!;
      for (let back = 1; back < length; back += 1) best = pick(best, values[at - back]!);
      line[at] = best;
    }
    return line;
  };
/** The highest of the last `length` values. */
export const highest = extreme(Math.max);
/** The lowest of the last `length` values. */
export const lowest = extreme(Math.min);

/** Both lines joined value by value; undefined where either is. */
export const combine = (a: Values, b: Values, join: (a: number, b: number) => number): Line =>
  a.map((value, at) => {
    const other = b[at];
    return value === undefined || other === undefined ? undefined : join(value, other);
  });

/** The line some bars later; earlier for a negative number. */
export const shifted = (values: Values, bars: number): Line => values.map((_, at) => values[at - bars]);

const divided = (value: number | undefined, by: number): number | undefined =>
  value === undefined ? undefined : value / by;
