import { divide, percentOf, type Units } from '@bourse/money';
import { PERCENT_SCALE } from './percent.js';

/** Terms of savings run in days of UTC (rules §9). */
export const SAVINGS_DAY_MS = 86_400_000;

/**
 * start_at: the first 00:00 UTC strictly after a time, in ms (rules §9). The simulator passes days shorter than
 * `SAVINGS_DAY_MS`, here and below.
 */
export const savingsStart = (now: number, dayMs = SAVINGS_DAY_MS): number => (Math.floor(now / dayMs) + 1) * dayMs;

/** end_at of a term of so many days, in ms (rules §9). */
export const savingsEnd = (start: number, days: number, dayMs = SAVINGS_DAY_MS): number => start + days * dayMs;

/** Full days of a term that have passed: 0 before it starts, never more than the term has. */
export const savingsFullDays = (start: number, now: number, days: number, dayMs = SAVINGS_DAY_MS): number =>
  Math.min(days, Math.max(0, Math.floor((now - start) / dayMs)));

/**
 * The profit of a term at the scale of the amount, rounded down (rules §9). `rate`: of the whole term, in
 * PERCENT_SCALE.
 */
export const savingsProfit = (amount: bigint, rate: bigint): Units =>
  percentOf(amount, rate, PERCENT_SCALE, 'down') as Units;

/** The profit earned by full days, rounded down; on the last day the whole profit (rules §9). */
export const savingsAccrued = (profit: bigint, fullDays: number, days: number): Units =>
  divide(profit * BigInt(fullDays), BigInt(days), 'down') as Units;

/** The fee for an early cancel, at the scale of the amount, rounded up (rules §9). `rate` in PERCENT_SCALE. */
export const savingsCancelFee = (amount: bigint, rate: bigint): Units =>
  percentOf(amount, rate, PERCENT_SCALE, 'up') as Units;
