import { expect, test } from '@jest/globals';
import { nightFeeOf, untilNightFee } from './night-fee.js';

const PAIR = { price_scale: 2, number_scale: 6 };

test('the fee of a night is price × number × rate, rounded up [LEVERUI-042]', () => {
  expect(nightFeeOf({ price: '60060.00', number: '0.1' }, { overnight: '0.02' }, PAIR)).toBe('1.2012');
  expect(nightFeeOf({ price: '0.01', number: '0.000001' }, { overnight: '0.001' }, PAIR)).toBe('0.00000001');
  expect(nightFeeOf({ price: '60060.00', number: '0.1' }, { overnight: '0' }, PAIR)).toBe('0');
});

test('the next night fee is charged at midnight UTC, a day after the last [LEVERUI-042]', () => {
  expect(untilNightFee(Date.UTC(2026, 10, 28, 23, 59, 59))).toBe(1_000);
  expect(untilNightFee(Date.UTC(2026, 10, 29))).toBe(86_400_000);
});
