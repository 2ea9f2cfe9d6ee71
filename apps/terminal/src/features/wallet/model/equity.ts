import type { EquityHistory } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';

export type EquityDay = EquityHistory['days'][number];
/** Lengths of a curve, days. */
export const SPANS = ['7', '30', '90', '365'] as const;
export type Span = (typeof SPANS)[number];
const SCALE = 8;

/** Profit of all days together, in USDT. */
export const profitOf = (days: readonly EquityDay[]): string =>
  formatUnits(
    days.reduce((sum, { profit }) => sum + toUnits(profit, SCALE), 0n),
    SCALE,
  );

/** Whether the accounts were empty on all days. */
export const isEmpty = (days: readonly EquityDay[]): boolean =>
  days.every(({ equity, deposits }) => !/[1-9]/.test(equity) && !/[1-9]/.test(deposits));
