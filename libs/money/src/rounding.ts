/** A named rule for the digits that do not fit. Nothing in the exchange rounds without one. */
export type Rounding = 'down' | 'up' | 'half_up' | 'floor' | 'ceiling';

/**
 * Integer quotient of two bigints under a named rule. `down` is toward zero, `up` away from zero, `half_up` away from
 * zero at one half; `floor` is toward the smaller, `ceiling` toward the larger, whatever the sign.
 * @throws RangeError when the divisor is 0.
 */
export function divide(numerator: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor === 0n) throw new RangeError('division by zero');
  const quotient = numerator / divisor;
  const remainder = numerator % divisor;
  if (remainder === 0n || rounding === 'down') return quotient;
  const negative = numerator < 0n !== divisor < 0n;
  if (rounding === 'floor') return negative ? quotient - 1n : quotient;
  if (rounding === 'ceiling') return negative ? quotient : quotient + 1n;
  const away = negative ? quotient - 1n : quotient + 1n;
  if (rounding === 'up') return away;
  return abs(remainder) * 2n >= abs(divisor) ? away : quotient;
}

/** Order of two bigints, for `sort`: smaller first. */
export const compareUnits = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ten to the power of a scale (0..60), from a table: the hot loops ask for the same few. */
export function pow10(scale: number): bigint {
  const known = POWERS[scale];
  if (known === undefined) throw new RangeError(`scale ${scale} is outside 0..60`);
  return known;
}

/** Moves units from one scale to another. Widening is exact; narrowing follows the rule. */
export function rescale(units: bigint, from: number, to: number, rounding: Rounding): bigint {
  return to >= from ? units * pow10(to - from) : divide(units, pow10(from - to), rounding);
}

/**
 * Product of two scaled integers, brought to the scale `to` with one named rounding (rules §2: the quote amount of a
 * fill is rounded once).
 */
export function multiply(a: bigint, aScale: number, b: bigint, bScale: number, to: number, rounding: Rounding): bigint {
  return rescale(a * b, aScale + bScale, to, rounding);
}

/**
 * The part `percent` (a scaled integer in percent) of an amount, at the amount's own scale: fees are `up`, payouts
 * `down`.
 */
export function percentOf(units: bigint, percent: bigint, percentScale: number, rounding: Rounding): bigint {
  return divide(units * percent, pow10(percentScale + 2), rounding);
}

export const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const POWERS: readonly bigint[] = Array.from({ length: 61 }, (_, scale) => 10n ** BigInt(scale));
