import { divide, multiply, pow10 } from '@bourse/money';
import { DAY_MS, POINTS_SCALE } from './points-account.js';

/** Scale of what fees are worth: finer than points, so that what is lost by rounding is less than one unit of them. */
export const VALUE_SCALE = 18;
/** Points are booked five minutes after the end of a day (rules §13). */
const BOOKED_AFTER_MS = 5 * 60_000;

/** When the points of a day are booked, business time. */
export const bookingTime = (day: number): number => (day + 1) * DAY_MS + BOOKED_AFTER_MS;

/**
 * The value of an amount in USD, units of VALUE_SCALE, cut toward zero: an amount paid and returned at one price sums
 * to zero.
 */
export function usdValue(
  amount: { readonly units: bigint; readonly scale: number },
  price: { readonly units: bigint; readonly scale: number },
): bigint {
  return multiply(amount.units, amount.scale, price.units, price.scale, VALUE_SCALE, 'down');
}

/**
 * The points of one person's fees of a day: one point for one USD, down. When more fees were returned than paid, the
 * day earns nothing and counts against the next one: `owed` is the carried amount, never above zero.
 */
export function pointsOfDay(value: bigint): { readonly points: bigint; readonly owed: bigint } {
  if (value < 0n) return { points: 0n, owed: value };
  return { points: divide(value, pow10(VALUE_SCALE - POINTS_SCALE), 'down'), owed: 0n };
}
