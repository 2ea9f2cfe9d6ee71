import { expect, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { CNY_PER_USDT, FixedSettings, JPY_PER_USDT } from '@bourse/settings';
import { AdLimits } from '../src/deals/application/ad-limits.js';
import { C2C_MIN_VALUE, C2C_PRICE_BAND } from '../src/deals/application/settings.js';
import { BTC, USDT } from './shop-world.js';

const usdt = { currencyId: USDT, currencyName: 'USDT', scale: 8, coinCode: 'CNY' } as const;
const btc = { ...usdt, currencyId: BTC, currencyName: 'BTC' };
const offer = (
  coin: typeof usdt | typeof btc,
  total: string,
  price: string,
  coinCode: 'CNY' | 'USD' | 'JPY' = 'CNY',
) => ({
  ...{ ...coin, coinCode, total: toUnits(total, 8), price: toUnits(price, 2) },
});
/** The refusal of an offer as programs see it; null: allowed. */
function refusal(limits: AdLimits, offered: Parameters<AdLimits['refuseOutside']>[0]): object | null {
  try {
    limits.refuseOutside(offered);
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { key: error.key, params: error.params };
  }
}

test('an ad below 10 USDT or outside the price band is refused with the bounds [HARD-430, HARD-431]', () => {
  const limits = new AdLimits(new FixedSettings(), { findUsdtPrice: () => '50000' });
  expect(refusal(limits, offer(usdt, '10', '6.50'))).toBeNull();
  expect(refusal(limits, offer(usdt, '9.99999999', '6.50'))).toEqual({ key: 'quantity.rule', params: { min: '10' } });
  expect(refusal(limits, offer(btc, '0.0002', '325000'))).toBeNull();
  expect(refusal(limits, offer(btc, '0.00019999', '325000'))).toEqual({
    ...{ key: 'quantity.rule', params: { min: '0.0002' } },
  });
  const bands = { CNY: ['5.2', '7.8'], USD: ['0.8', '1.2'], JPY: ['120', '180'] } as const;
  for (const [code, [min, max]] of Object.entries(bands) as [keyof typeof bands, readonly [string, string]][]) {
    const price = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
    const [low, high] = [toUnits(min, 2), toUnits(max, 2)];
    for (const inside of [low, high]) expect(refusal(limits, offer(usdt, '10', price(inside), code))).toBeNull();
    for (const outside of [low - 1n, high + 1n])
      expect(refusal(limits, offer(usdt, '10', price(outside), code))).toEqual({
        ...{ key: 'c2c.priceBand', params: { min, max } },
      });
  }
  expect(refusal(limits, offer(btc, '1', '0.01'))).toEqual({
    ...{ key: 'c2c.priceBand', params: { min: '260000', max: '390000' } },
  });
});

test('settings move the bounds; without a fresh index a coin other than USDT is refused [HARD-430, HARD-431]', () => {
  const settings = new FixedSettings();
  const limits = new AdLimits(settings, { findUsdtPrice: () => null });
  settings.set(C2C_MIN_VALUE, toUnits('25', 8));
  settings.set(C2C_PRICE_BAND, toUnits('10', 2));
  settings.set(CNY_PER_USDT, toUnits('7', 8));
  settings.set(JPY_PER_USDT, toUnits('100', 8));
  expect(refusal(limits, offer(usdt, '24', '7'))).toEqual({ key: 'quantity.rule', params: { min: '25' } });
  expect(refusal(limits, offer(usdt, '25', '7.71'))).toEqual({
    ...{ key: 'c2c.priceBand', params: { min: '6.3', max: '7.7' } },
  });
  expect(refusal(limits, offer(usdt, '25', '89.99', 'JPY'))).toMatchObject({ key: 'c2c.priceBand' });
  expect(refusal(limits, offer(btc, '1', '325000'))).toMatchObject({ key: 'market.stale' });
});
