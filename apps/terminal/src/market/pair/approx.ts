import { formatUnits, multiply, toUnits } from '@bourse/money';

/** Value of a price in yuan (rules §2: price × the group's rate), two decimals, cut. Empty when either is not known. */
export function approxValue(price: string, rate: string): string {
  if (!/^\d+(\.\d+)?$/.test(price) || !/^\d+(\.\d+)?$/.test(rate)) return '';
  return formatUnits(multiply(toUnits(price, 18), 18, toUnits(rate, 18), 18, 2, 'down'), 2);
}
