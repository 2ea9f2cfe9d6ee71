import { percent, PERCENT_SCALE } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { decimal, defineSetting, text } from '@bourse/settings';
import { POINTS_SCALE } from '../domain/points-account.js';

/* Settings that operators change while the exchange runs (rules §15). An exchange keeps its terms. */

/** Half and twice the seed: no single change may give the house's coins away. */
const price = (min: string, max: string) => decimal({ scale: POINTS_SCALE, min, max });

export const JC_PRICE = defineSetting(
  'jc_price',
  price('0.05', '0.2'),
  toUnits('0.10', POINTS_SCALE),
  'USDT that one point is worth.',
  { guarded: true },
);
export const JC_PRICE_DIFFERENCE = defineSetting(
  'jc_price_difference',
  price('0.025', '0.1'),
  toUnits('0.05', POINTS_SCALE),
  'USDT that are put on top of the price of the coin that points are exchanged for.',
  { guarded: true },
);
export const JC_EXCHANGE_FEE = defineSetting(
  'jc_exchange_fee',
  decimal({ scale: PERCENT_SCALE, max: '5' }),
  percent('5') as ReturnType<typeof toUnits>,
  'Percent of the coins that the house keeps.',
  { guarded: true },
);
export const JC_CURRENCY = defineSetting(
  'jc_currency',
  text({ min: 1, max: 20, pattern: /^[A-Z0-9]+$/ }),
  'HAP',
  'Name of the coin that points are exchanged for.',
  { guarded: true },
);
export const JC_BIND_MAX = defineSetting(
  'jc_bind_max',
  decimal({ scale: POINTS_SCALE, min: '1', max: '2000000' }),
  toUnits('1000000', POINTS_SCALE),
  'Most points that an account of the third party may bring when it is bound.',
  { guarded: true },
);

export const POINTS_SETTINGS = [JC_PRICE, JC_PRICE_DIFFERENCE, JC_EXCHANGE_FEE, JC_CURRENCY, JC_BIND_MAX];
