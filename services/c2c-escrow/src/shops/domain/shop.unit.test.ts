import { describe, expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import fc from 'fast-check';
import { checkAdBounds, submitForReview, decideShop, checkDealNumber, shopHoldName, type Shop } from './shop.js';

const usdt = (text: string): bigint => toUnits(text, 8);
const shopOf = (more: Partial<Shop> = {}): Shop => ({
  id: 101,
  userId: 100_020,
  name: 'Harbour Desk',
  currencyId: 3,
  currencyName: 'USDT',
  level: 'advanced',
  state: 'review',
  depositCurrencyId: 3,
  depositScale: 8,
  deposit: usdt('2000'),
  createdAt: 1,
  decidedAt: null,
  ...more,
});

describe('a shop in review', () => {
  test('waits for its deposit under its own hold [SHOP-001]', () => {
    expect(submitForReview(shopOf({ state: 'waiting' })).state).toBe('review');
    expect(shopHoldName(101)).toBe('shop:101');
  });

  test('opens at the requested level with its deposit, whatever the settings say now [SHOP-002]', () => {
    for (const deposit of ['500', '2000', '9000'])
      expect(decideShop(shopOf(), { pass: true, level: 'advanced', deposit: usdt(deposit) }, 9)).toEqual({
        shop: shopOf({ state: 'open', decidedAt: 9 }),
        back: 0n,
      });
  });

  test('opens at a lower level and returns the surplus of the deposit, never at a higher one [SHOP-002]', () => {
    expect(decideShop(shopOf(), { pass: true, level: 'verified', deposit: usdt('500') }, 9)).toEqual({
      shop: shopOf({ state: 'open', level: 'verified', deposit: usdt('500'), decidedAt: 9 }),
      back: usdt('1500'),
    });
    expect(decideShop(shopOf(), { pass: true, level: 'verified', deposit: usdt('2500') }, 9)).toMatchObject({
      shop: { deposit: usdt('2000') },
      back: 0n,
    });
    const small = shopOf({ level: 'verified', deposit: usdt('500') });
    expect(decideShop(small, { pass: true, level: 'advanced', deposit: usdt('2000') }, 9)).toBe('level');
  });

  test('is refused with its whole deposit returned, and decided once [SHOP-003]', () => {
    const refused = decideShop(shopOf(), { pass: false }, 9);
    expect(refused).toEqual({ shop: shopOf({ state: 'refused', deposit: 0n, decidedAt: 9 }), back: usdt('2000') });
    for (const state of ['waiting', 'open', 'refused'] as const)
      for (const pass of [true, false])
        expect(decideShop(shopOf({ state }), { pass, level: 'verified', deposit: 0n }, 9)).toBe('decided');
  });
});

describe('bounds', () => {
  const ad = { min: usdt('10'), max: usdt('100'), total: usdt('1000') };
  test('of an ad require min ≤ max ≤ the limit of the level, and min ≤ the total [SHOP-004]', () => {
    const most = usdt('5000');
    expect(checkAdBounds(ad, most)).toBeNull();
    expect(checkAdBounds({ ...ad, max: usdt('10') }, most)).toBeNull();
    expect(checkAdBounds({ ...ad, max: usdt('9.99999999') }, most)).toEqual({ code: 'maxBelowMin', limit: usdt('10') });
    expect(checkAdBounds({ ...ad, max: most }, most)).toBeNull();
    expect(checkAdBounds({ ...ad, max: most + 1n }, most)).toEqual({ code: 'aboveMax', limit: most });
    expect(checkAdBounds({ ...ad, total: usdt('9') }, most)).toEqual({ code: 'aboveSurplus', limit: usdt('9') });
  });

  test('of a deal are min and max, then the surplus, and each refusal names its limit [SHOP-005]', () => {
    const left = { min: usdt('10'), max: usdt('100'), surplus: usdt('60') };
    expect(checkDealNumber(left, usdt('10'))).toBeNull();
    expect(checkDealNumber(left, usdt('60'))).toBeNull();
    expect(checkDealNumber(left, usdt('10') - 1n)).toEqual({ code: 'belowMin', limit: usdt('10') });
    expect(checkDealNumber(left, usdt('100') + 1n)).toEqual({ code: 'aboveMax', limit: usdt('100') });
    expect(checkDealNumber(left, usdt('60') + 1n)).toEqual({ code: 'aboveSurplus', limit: usdt('60') });
  });

  test('refuse a number exactly when it is outside [SHOP-005]', () => {
    const units = fc.bigInt(0n, 1_000n);
    fc.assert(
      fc.property(units, units, units, units, (min, more, surplus, number) => {
        const max = min + more;
        const fits = number >= min && number <= max && number <= surplus;
        expect(checkDealNumber({ min, max, surplus }, number) === null).toBe(fits);
      }),
    );
  });
});
