import { percent, PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { decimal, defineSetting, integer } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). Ads and deals keep what they were agreed with. */

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
export const C2C_SETTINGS = [C2C_SELL_FEE, C2C_OPEN_DEALS, C2C_CANCELS];
