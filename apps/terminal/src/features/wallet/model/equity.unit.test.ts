import { expect, test } from '@jest/globals';
import { isEmpty, profitOf, type EquityDay } from './equity.js';

const day = (equity: string, deposits: string, profit: string): EquityDay => ({
  ...{ day: '2026-03-01', equity, deposits, profit },
});

test('profit of a period is the exact sum of its days [WALLETVIEW-050]', () => {
  expect(profitOf([day('1', '0', '0.10000001'), day('1', '0', '-0.30000000')])).toBe('-0.19999999');
  expect(profitOf([])).toBe('0.00000000');
});

test('a history is empty without worth and without deposits [WALLETVIEW-050]', () => {
  expect(isEmpty([day('0.00000000', '0.00000000', '0.00000000')])).toBe(true);
  expect(isEmpty([day('0.00000000', '-5.00000000', '5.00000000')])).toBe(false);
});
