import { toUnits } from '@bourse/money';
import { decimal, defineSetting } from '@bourse/settings';

/** Scale of `USD_PER_USDT`. */
export const USD_RATE_SCALE = 8;

/** US dollars of one USDT: limits in US dollars go by it (api §6.18). */
export const USD_PER_USDT = defineSetting(
  'usd_per_usdt',
  decimal({ scale: USD_RATE_SCALE, min: '0.01', max: '100' }),
  toUnits('1', USD_RATE_SCALE),
  'US dollars of one USDT, by which limits in US dollars are valued.',
);
