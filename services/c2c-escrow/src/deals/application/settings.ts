import { percent, PERCENT_SCALE } from '@bourse/formulas';
import { toUnits, type Units } from '@bourse/money';
import { decimal, defineSetting, integer } from '@bourse/settings';
import { BAND_SCALE } from '../domain/ad-limits.js';

/*
 * Settings that operators change while the exchange runs (rules §15). Ads and deals keep the values of their opening.
 */

/** Scale of amounts in settings; no coin has more decimals. */
export const AMOUNT_SCALE = 8;

export const C2C_SELL_FEE = defineSetting(
  'c2c_sell_fee',
  decimal({ scale: PERCENT_SCALE, max: '5' }),
  percent('0.1') as Units,
  'Fee of the coin seller in percent of the coins, on top.',
  { guarded: true },
);
export const C2C_OPEN_DEALS = defineSetting(
  'c2c_open_deals',
  integer({ min: 1, max: 1_000 }),
  1,
  'Unfinished deals that one person may have as taker.',
  { guarded: true },
);
export const C2C_CANCELS = defineSetting(
  'c2c_cancels_a_day',
  integer({ min: 1, max: 1_000 }),
  3,
  'After so many cancels by a buyer in a day (UTC) C2C is closed to them until the next.',
  { guarded: true },
);
export const C2C_MIN_VALUE = defineSetting(
  'c2c.min_value',
  decimal({ scale: AMOUNT_SCALE, min: '0', max: '1000' }),
  toUnits('10', AMOUNT_SCALE),
  'USDT that the coins of a new ad are worth at least, by the index.',
  { guarded: true },
);
export const C2C_PRICE_BAND = defineSetting(
  'c2c.price_band',
  decimal({ scale: BAND_SCALE, min: '1', max: '50' }),
  toUnits('20', BAND_SCALE),
  'Percent that the price of a new ad may be away from the index times the units of its fiat currency per USDT.',
  { guarded: true },
);
export const C2C_MAX_ADS = defineSetting(
  'c2c.max_ads',
  integer({ min: 1, max: 1_000 }),
  10,
  'Ads that one person may have on the shelf; C2C and shop ads are counted apart.',
  { guarded: true },
);
export const C2C_SETTINGS = [C2C_SELL_FEE, C2C_OPEN_DEALS, C2C_CANCELS, C2C_MIN_VALUE, C2C_PRICE_BAND, C2C_MAX_ADS];
