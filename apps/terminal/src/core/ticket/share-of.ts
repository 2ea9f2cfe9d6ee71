import { decimals, toUnits } from '@bourse/money';

/** How much of a balance an amount takes, in whole percent, down, at most 100; 0 where one of them is not known. */
export function shareOf(amount: string, balance: string | undefined): number {
  const isNumber = (text: string): boolean => /^\d+(\.\d+)?$/.test(text);
  if (balance === undefined || !isNumber(amount) || !isNumber(balance)) return 0;
  const scale = Math.max(decimals(amount), decimals(balance));
  const whole = toUnits(balance, scale);
  if (whole === 0n) return 0;
  const percent = (toUnits(amount, scale) * 100n) / whole;
  return percent > 100n ? 100 : Number(percent);
}
