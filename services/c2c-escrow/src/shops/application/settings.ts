import type { Units } from '@bourse/money';
import { decimal, defineSetting, type Setting, type SettingRule } from '@bourse/settings';
import { AMOUNT_SCALE } from '../../deals/application/settings.js';
import { SHOP_LEVELS, type ShopLevel } from '../domain/shop.js';

/* What operators change while the exchange runs (rules §15). A shop keeps the deposit that it was opened with. */

/** A tenth and ten times the seed. */
const around = (value: number) => decimal({ scale: AMOUNT_SCALE, min: String(value / 10), max: String(value * 10) });
const whole = (value: number): Units => (BigInt(value) * 10n ** BigInt(AMOUNT_SCALE)) as Units;

const deposit = (level: ShopLevel, value: number): Setting<Units> =>
  defineSetting(
    `shop_deposit.${level}`,
    around(value),
    whole(value),
    `USDT that are held of the owner of a new ${level} shop.`,
    { guarded: true },
  );
const limit = (level: ShopLevel, value: number): Setting<Units> =>
  defineSetting(
    `shop_limit.${level}`,
    around(value),
    whole(value),
    `Most USDT that one deal of a ${level} shop may be worth.`,
    { guarded: true },
  );

/** In USDT. */
export const SHOP_DEPOSIT: Readonly<Record<ShopLevel, Setting<Units>>> = {
  verified: deposit('verified', 500),
  advanced: deposit('advanced', 2_000),
};
export const SHOP_LIMIT: Readonly<Record<ShopLevel, Setting<Units>>> = {
  verified: limit('verified', 5_000),
  advanced: limit('advanced', 50_000),
};
export const SHOP_SETTINGS = SHOP_LEVELS.flatMap((level) => [SHOP_DEPOSIT[level], SHOP_LIMIT[level]]);
export const SHOP_RULES: readonly SettingRule[] = [
  {
    says: 'The deposit of a verified shop is not above that of an advanced one.',
    holds: (get) => get(SHOP_DEPOSIT.verified) <= get(SHOP_DEPOSIT.advanced),
  },
  {
    says: 'The limit of a verified shop is not above that of an advanced one.',
    holds: (get) => get(SHOP_LIMIT.verified) <= get(SHOP_LIMIT.advanced),
  },
];
