import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookingTime, pointsOfDay, usdValue, VALUE_SCALE } from './points-accrual.js';

const usd = (whole: bigint): bigint => whole * 10n ** BigInt(VALUE_SCALE);

test('a day is booked at 00:05 UTC of the next one [POINTS-040]', () => {
  expect(new Date(bookingTime(0)).toISOString()).toBe('1970-01-02T00:05:00.000Z');
});

test('one USD of fee is one point, and less than a unit of points is nothing [POINTS-041]', () => {
  expect(pointsOfDay(usd(10n))).toEqual({ points: 1_000_000_000n, owed: 0n });
  expect(pointsOfDay(10n ** 10n - 1n)).toEqual({ points: 0n, owed: 0n });
  const fee = { units: 50_000n, scale: 8 };
  expect(usdValue(fee, { units: 5_663_756n, scale: 2 })).toBe(28_318_780_000_000_000_000n);
});

test('more given back than paid earns nothing and counts against the next day [POINTS-042]', () => {
  expect(pointsOfDay(usd(-3n))).toEqual({ points: 0n, owed: usd(-3n) });
});

test('a fee that is returned at its price leaves nothing [POINTS-042]', () => {
  fc.assert(
    fc.property(
      fc.bigInt(1n, 10n ** 18n),
      fc.bigInt(1n, 10n ** 20n),
      fc.integer({ min: 0, max: 18 }),
      (fee, price, scale) => {
        const at = { units: price, scale };
        expect(usdValue({ units: fee, scale: 8 }, at) + usdValue({ units: -fee, scale: 8 }, at)).toBe(0n);
      },
    ),
  );
});
