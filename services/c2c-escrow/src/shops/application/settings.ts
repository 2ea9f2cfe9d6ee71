import type { Units } from '@bourse/money';
import { decimal, defineSetting, type Setting, type SettingRule } from '@bourse/settings';
import { AMOUNT_SCALE } from '../../deals/application/settings.js';
import { SHOP_LEVELS, type ShopLevel } from '../domain/shop.js';

/* Settings that operators change while the exchange runs (rules §15). A shop keeps the deposit of its opening. */

/** From a tenth to ten times the seed. */
const boundsAround = (value: number) =>
  decimal({ scale: AMOUNT_SCALE, min: String(value / 10), max: String(value * 10) });
const wholeUnits = (value: number): Units => (BigInt(value) * 10n ** BigInt(AMOUNT_SCALE)) as Units;

const defineDeposit = (level: ShopLevel, value: number): Setting<Units> =>
  defineSetting(
    `shop_deposit.${level}`,
    boundsAround(value),
    wholeUnits(value),
    `USDT that are held of the owner of a new ${level} shop.`,
    { guarded: true },
  );
const defineLimit = (level: ShopLevel, value: number): Setting<Units> =>
  defineSetting(
    `shop_limit.${level}`,
    boundsAround(value),
    wholeUnits(value),
    `Most USDT that one deal of a ${level} shop may be worth.`,
    { guarded: true },
  );

/** In USDT. */
export const SHOP_DEPOSIT: Readonly<Record<ShopLevel, Setting<Units>>> = {
  verified: defineDeposit('verified', 500),
  advanced: defineDeposit('advanced', 2_000),
};
export const SHOP_LIMIT: Readonly<Record<ShopLevel, Setting<Units>>> = {
  verified: defineLimit('verified', 5_000),
  advanced: defineLimit('advanced', 50_000),
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
