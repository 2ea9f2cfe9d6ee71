import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatUnits, toUnits } from '@bourse/money';
import { COIN_SCALE, percent, pointsCoins, pointsPrice, POINTS_PAID_SCALE, type PointsTerms } from './index.js';

const price = (text: string): bigint => toUnits(text, COIN_SCALE);
const TERMS: PointsTerms = {
  price: price('0.10'),
  marketPrice: price('1.00'),
  difference: price('0.05'),
  fee: percent('5'),
};
const paid = (points: string, terms = TERMS): string =>
  formatUnits(pointsCoins(toUnits(points, COIN_SCALE), COIN_SCALE, terms), POINTS_PAID_SCALE);

describe('points', () => {
  test('the worked example: 200 points pay 18.09 HAP, shown at 1.05 [FORMULA-051]', () => {
    expect(paid('200')).toBe('18.09');
    expect(formatUnits(pointsPrice(TERMS), COIN_SCALE)).toBe('1.05000000');
    expect(paid('0.01')).toBe('0.00');
    expect(paid('200', { ...TERMS, fee: percent('100') })).toBe('0.00');
    expect(() => paid('1', { ...TERMS, marketPrice: 0n, difference: 0n })).toThrow(RangeError);
  });

  test('splitting an exchange never pays more than making it at once [FORMULA-051]', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.bigInt(1n, 10n ** 15n), (one, other) => {
        const coins = (points: bigint): bigint => pointsCoins(points, COIN_SCALE, TERMS);
        expect(coins(one) + coins(other)).toBeLessThanOrEqual(coins(one + other));
      }),
    );
  });
});
