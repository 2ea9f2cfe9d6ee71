import { expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import fc from 'fast-check';
import { calculateMoney } from './ad.js';
import { INDEX_SCALE, minDealNumber, minAdTotal, priceBand } from './ad-limits.js';

const at = (text: string): bigint => toUnits(text, INDEX_SCALE);
const band = toUnits('20', 2);

test('the minimum total of an ad is worth 10 USDT by the index, rounded up in its coin [HARD-430]', () => {
  expect(minAdTotal(at('10'), at('1'), 8)).toBe(toUnits('10', 8));
  expect(minAdTotal(at('10'), at('56670.02'), 8)).toBe(toUnits('0.00017647', 8));
  expect(minAdTotal(at('10'), at('3'), 2)).toBe(toUnits('3.34', 2));
  expect(minAdTotal(0n, at('3'), 2)).toBe(0n);
});

test('a price is within 20 % of index × units per USDT, ends included and rounded inwards [HARD-431]', () => {
  expect(priceBand(at('1'), at('6.5'), band)).toEqual({ min: 520n, max: 780n });
  expect(priceBand(at('1'), at('1'), band)).toEqual({ min: 80n, max: 120n });
  expect(priceBand(at('1'), at('150'), band)).toEqual({ min: 12_000n, max: 18_000n });
  expect(priceBand(at('56670.02'), at('6.5'), band)).toEqual({ min: 29_468_411n, max: 44_202_615n });
  // The band of a coin cheaper than one unit holds exactly one price.
  expect(priceBand(at('0.0001'), at('1'), band)).toEqual({ min: 1n, max: 1n });
});

test('the minimum number of a deal costs the smallest fiat unit, one coin unit less costs nothing [HARD-432]', () => {
  expect(minDealNumber({ scale: 8, price: 653n, fiatScale: 2 })).toBe(toUnits('0.00076570', 8));
  expect(minDealNumber({ scale: 8, price: 15_000n, fiatScale: 0 })).toBe(toUnits('0.00333334', 8));
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 10n ** 14n }),
      fc.constantFrom(0, 2),
      fc.integer({ min: 2, max: 8 }),
      (price, fiatScale, scale) => {
        const ad = { price, fiatScale, scale };
        const least = minDealNumber(ad);
        expect(calculateMoney(ad, least)).toBeGreaterThan(0n);
        if (least > 1n) expect(calculateMoney(ad, least - 1n)).toBe(0n);
      },
    ),
  );
});
