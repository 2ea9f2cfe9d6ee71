import { divide, percentOf, type Units } from '@bourse/money';
import { PERCENT_SCALE } from './percent.js';

/** Terms of savings run in days of UTC (rules §9). */
export const SAVINGS_DAY_MS = 86_400_000;

/**
 * start_at: the first 00:00 UTC after a moment, in ms; at midnight itself the next one (rules §9). The simulator has
 * shorter days than `SAVINGS_DAY_MS`, here and below.
 */
export const savingsStart = (now: number, dayMs = SAVINGS_DAY_MS): number => (Math.floor(now / dayMs) + 1) * dayMs;

/** end_at of a term of so many days, in ms (rules §9). */
export const savingsEnd = (start: number, days: number, dayMs = SAVINGS_DAY_MS): number => start + days * dayMs;

/** Full days of a term that have passed: 0 before it starts, never more than the term has. */
export const savingsFullDays = (start: number, now: number, days: number, dayMs = SAVINGS_DAY_MS): number =>
  Math.min(days, Math.max(0, Math.floor((now - start) / dayMs)));

/**
 * The profit of a term on top of the amount, at its scale, down. `rate` for the whole term in PERCENT_SCALE (rules §9).
 */
export const savingsProfit = (amount: bigint, rate: bigint): Units =>
  percentOf(amount, rate, PERCENT_SCALE, 'down') as Units;

/** The part of the profit that full days have earned, down; all of it on the last day (rules §9). */
export const savingsAccrued = (profit: bigint, fullDays: number, days: number): Units =>
  divide(profit * BigInt(fullDays), BigInt(days), 'down') as Units;

/** The fee for a cancel before the end, at the scale of the amount, up (rules §9). `rate` in PERCENT_SCALE. */
export const savingsCancelFee = (amount: bigint, rate: bigint): Units =>
  percentOf(amount, rate, PERCENT_SCALE, 'up') as Units;
