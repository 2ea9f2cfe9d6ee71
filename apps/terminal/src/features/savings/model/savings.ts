import type { SavingsConfig, SavingsOrder } from '@bourse/contract';
import {
  COIN_SCALE,
  percent,
  savingsAccrued,
  savingsCancelFee,
  savingsEnd,
  savingsProfit,
  savingsStart,
  SAVINGS_DAY_MS,
} from '@bourse/formulas';
import { compareDecimals, formatUnits, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import type { Problems } from '../../../forms/problems.js';

/** The interest after so many full days of a term. */
export interface AccrualDay {
  readonly day: number;
  /** Midnight of UTC at which the day is full, in ms. */
  readonly at: number;
  readonly accrued: string;
}
/** The sums of a subscription, as decimal texts. */
export interface Outcome {
  readonly start: number;
  readonly end: number;
  readonly profit: string;
  /** Amount and profit: what is paid at the end. */
  readonly total: string;
  /** The cost of a cancel before the end, and what is left of the amount. */
  readonly cancelFee: string;
  readonly cancelLeaves: string;
  readonly days: readonly AccrualDay[];
}

const text = (units: bigint): string => formatUnits(units, COIN_SCALE);

/** The whole of a term before one signs, by the formulas of the service (rules §9). @param now exchange's time, ms */
export function outcomeOf(
  amountText: string,
  { day: days, interest_rate: rate, cancel_rate: cancelRate }: SavingsConfig,
  now: number,
): Outcome {
  const amount = toUnits(amountText, COIN_SCALE);
  const profit = savingsProfit(amount, percent(rate));
  const start = savingsStart(now);
  return {
    start,
    end: savingsEnd(start, days),
    profit: text(profit),
    total: text(amount + profit),
    ...cancelOf(amountText, cancelRate),
    days: Array.from({ length: days }, (_, at) => ({
      day: at + 1,
      at: start + (at + 1) * SAVINGS_DAY_MS,
      accrued: text(savingsAccrued(profit, at + 1, days)),
    })),
  };
}

/** The cost of a cancel, and the amount that is returned. */
export function cancelOf(amountText: string, rate: string): Pick<Outcome, 'cancelFee' | 'cancelLeaves'> {
  const amount = toUnits(amountText, COIN_SCALE);
  const fee = savingsCancelFee(amount, percent(rate));
  return { cancelFee: text(fee), cancelLeaves: text(amount - fee) };
}

/** The amount that is reckoned with: what was typed, or the least that can be subscribed while nothing fits. */
export function shownAmount(typed: string, { save_min: min }: Pick<SavingsConfig, 'save_min'>): string {
  const amount = toDecimalText(typed);
  return /[1-9]/.test(amount) ? amount : min;
}

/** Faults of the form, in the order of rules §12.10. */
export function subscribeProblems(
  { amount, password }: { amount: string; password: string },
  config: Pick<SavingsConfig, 'save_min'>,
  available: string | undefined,
): Problems<'amount' | 'password'> {
  const typed = toDecimalText(amount);
  const word = /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
  if (!/[1-9]/.test(typed)) return { amount: 'savings.amountRequired', ...word };
  if (compareDecimals(typed, config.save_min) < 0) return { amount: 'savings.belowMin', ...word };
  if (available !== undefined && compareDecimals(typed, available) > 0)
    return { amount: 'balance.insufficient', ...word };
  return word;
}

/** How far a term has come, in percent, whole ones cut: its full days of all days. */
export function progressOf({ profit, accrued, status }: SavingsOrder): number {
  if (status !== 1) return status === 2 ? 100 : 0;
  const whole = toUnits(profit, COIN_SCALE);
  return whole === 0n ? 0 : Number((toUnits(accrued, COIN_SCALE) * 100n) / whole);
}

/** Bars of a picture of what accrues, as parts of its width and height from the lower edge. */
export function barsOf(days: readonly AccrualDay[]): readonly { x: number; width: number; height: number }[] {
  const most = Number(days.at(-1)?.accrued ?? '0');
  const step = 1 / Math.max(1, days.length);
  return days.map(({ accrued }, at) => ({
    x: at * step,
    width: step * 0.8,
    height: most === 0 ? 0 : Number(accrued) / most,
  }));
}
