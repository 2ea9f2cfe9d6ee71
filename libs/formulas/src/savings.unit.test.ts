import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUnits, toUnits, type Units } from '@bourse/money';
import {
  percent,
  savingsAccrued,
  savingsCancelFee,
  savingsEnd,
  savingsFullDays,
  savingsProfit,
  savingsStart,
  SAVINGS_DAY_MS,
} from './index.js';

const coins = (text: string): Units => toUnits(text, 8);
const shown = (units: bigint): string => formatUnits(units, 8);

describe('savings', () => {
  test('the worked example: 1,000 USDT for 30 days at 0.7 % [FORMULA-050]', () => {
    const profit = savingsProfit(coins('1000'), percent('0.7'));
    expect(shown(profit)).toBe('7.00000000');
    expect(shown(savingsAccrued(profit, 1, 30))).toBe('0.23333333');
    expect(shown(savingsAccrued(profit, 29, 30))).toBe('6.76666666');
    expect(shown(savingsAccrued(profit, 30, 30))).toBe('7.00000000');
    expect(shown(coins('1000') + profit)).toBe('1007.00000000');
  });

  test('a term starts at the next midnight of UTC, and counts full days only [FORMULA-050]', () => {
    const start = savingsStart(Date.parse('2026-03-01T10:00:00Z'));
    expect(new Date(start).toISOString()).toBe('2026-03-02T00:00:00.000Z');
    expect(savingsStart(start)).toBe(start + SAVINGS_DAY_MS);
    expect(savingsStart(start - 1)).toBe(start);
    expect(savingsEnd(start, 7)).toBe(Date.parse('2026-03-09T00:00:00Z'));
    expect(savingsFullDays(start, start - 1, 7)).toBe(0);
    expect(savingsFullDays(start, start + SAVINGS_DAY_MS - 1, 7)).toBe(0);
    expect(savingsFullDays(start, start + SAVINGS_DAY_MS, 7)).toBe(1);
    expect(savingsFullDays(start, start + 100 * SAVINGS_DAY_MS, 7)).toBe(7);
  });

  test('a cancel costs nothing at 0 %, else its part of the amount, up [FORMULA-050]', () => {
    expect(savingsCancelFee(coins('1000'), percent('0'))).toBe(0n);
    expect(shown(savingsCancelFee(coins('1000'), percent('0.5')))).toBe('5.00000000');
    expect(savingsCancelFee(1n, percent('0.1'))).toBe(1n);
  });

  test('the accrued profit never falls, and equals the whole profit on the last day [FORMULA-050]', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), fc.integer({ min: 1, max: 400 }), (profit, days) => {
        let before = 0n;
        for (let day = 0; day <= days; day += 1) {
          const accrued = savingsAccrued(profit, day, days);
          expect(accrued).toBeGreaterThanOrEqual(before);
          expect(accrued).toBeLessThanOrEqual(profit);
          before = accrued;
        }
        expect(before).toBe(profit);
      }),
      { numRuns: 50 },
    );
  });
});
