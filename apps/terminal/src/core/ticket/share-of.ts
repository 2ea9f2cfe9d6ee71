import { decimals, toUnits } from '@bourse/money';

/**
 * The share of an amount in a balance, in whole percent, rounded down, at most 100; 0 where one of them is unknown.
 * Exact units give the percent, which only sets a slider: no amount is taken from it.
 */
export function shareOf(amount: string, balance: string | undefined): number {
  const isDecimal = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);
  if (balance === undefined || !isDecimal(amount) || !isDecimal(balance)) return 0;
  const scale = Math.max(decimals(amount), decimals(balance));
  const whole = toUnits(balance, scale);
  if (whole === 0n) return 0;
  const percent = (toUnits(amount, scale) * 100n) / whole;
  return percent > 100n ? 100 : Number(percent);
}
