import { PERCENT_SCALE } from '@bourse/formulas';
import { pow10, type Units } from '@bourse/money';

/** Scale at which shares are exact: a fee has at most 18 decimals, a percentage of it eight more. */
export const SHARE_SCALE = 30;

/** Generations above the payer of a fee that get a part of it (rules §11). */
export const GENERATIONS = 3;

/**
 * A generation's share of a fee, exact, at SHARE_SCALE. `fee` is at `scale`, negative when it was returned; `percent`
 * at PERCENT_SCALE [TEAM-020].
 */
export const shareOf = (fee: bigint, scale: number, percent: bigint): bigint =>
  fee * percent * pow10(SHARE_SCALE - scale - PERCENT_SCALE - 2);

const DAY_MS = 86_400_000;
const PAID_AT_MS = 5 * 60_000;

/** Number of the UTC day, counted from 1970. `at` is unix ms. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);
/** When a day is paid: at 00:05 UTC of the next. */
export const paymentOf = (day: number): number => (day + 1) * DAY_MS + PAID_AT_MS;
/** `2026-01-31`. */
export const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** The day that a fee counts to: its own, or the first that is not paid yet [TEAM-022]. `closed`: the last paid one. */
export const countedDay = (at: number, closed: number | null): number =>
  closed === null ? dayOf(at) : Math.max(dayOf(at), closed + 1);

/** The amount that a person is owed in one coin for a day, with the remainder of earlier ones. */
export interface Owed {
  /** At SHARE_SCALE; negative after returned fees. */
  readonly sum: bigint;
  readonly carry: bigint;
}

/**
 * The paid part, in units of the coin, rounded down, and the remainder: below the smallest unit, or below zero, it
 * waits for the next day with a payment [TEAM-021].
 */
export function settled({ sum, carry }: Owed, scale: number): { readonly amount: Units; readonly carry: bigint } {
  const total = sum + carry;
  const unit = pow10(SHARE_SCALE - scale);
  const amount = total > 0n ? total / unit : 0n;
  return { amount: amount as Units, carry: total - amount * unit };
}
