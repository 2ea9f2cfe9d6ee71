import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUnits, toUnits, type Units } from '@bourse/money';
import { dealFee, dealHold, dealMoney, numberFor, percent } from './index.js';

const coins = (text: string): Units => toUnits(text, 8);
const RATE = percent('0.1');

describe('deals between people', () => {
  test('the worked example: 100 USDT at 6.50 CNY, of which 40 are taken [FORMULA-040]', () => {
    expect(formatUnits(dealHold(coins('100'), RATE), 8)).toBe('100.10000000');
    expect(formatUnits(dealMoney(coins('40'), 8, toUnits('6.50', 2), 2, 2), 2)).toBe('260.00');
    expect(formatUnits(dealFee(coins('40'), RATE), 8)).toBe('0.04000000');
    expect(formatUnits(dealHold(coins('60'), RATE), 8)).toBe('60.06000000');
  });

  test('money is rounded half up, in yen to whole ones; the fee goes up [FORMULA-040]', () => {
    expect(dealMoney(coins('0.5'), 8, toUnits('0.01', 2), 2, 2)).toBe(1n);
    expect(dealMoney(coins('0.49999999'), 8, toUnits('0.01', 2), 2, 2)).toBe(0n);
    expect(dealMoney(coins('1.5'), 8, toUnits('151', 2), 2, 0)).toBe(227n);
    expect(dealFee(1n as Units, RATE)).toBe(1n);
    expect(dealFee(0n as Units, RATE)).toBe(0n);
  });

  test('the coins for an amount of money never cost more than it, one unit more would [FORMULA-041]', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 12n), fc.bigInt(1n, 10n ** 9n), (money, price) => {
        const number = numberFor(money as Units, 2, price as Units, 2, 8);
        const cost = (units: bigint): bigint => units * price;
        expect(cost(number)).toBeLessThanOrEqual(money * 10n ** 8n);
        expect(cost(number + 1n)).toBeGreaterThan(money * 10n ** 8n);
      }),
    );
  });
});
