import { toUnits } from '@bourse/money';
import { decimal, defineSetting, integer, type SettingRule, type Settings } from '@bourse/settings';

/** Scale of values in US dollars. */
export const USD_SCALE = 8;
/** Maximum decimals of networks' fee rates, in percent. */
export const FEE_RATE_SCALE = 4;

/** Ten times the seed at most: no single change removes the protection (rules §15). */
const usd = (max: string) => decimal({ scale: USD_SCALE, max });

export const AUTO_LIMIT = defineSetting(
  'auto',
  usd('10000'),
  toUnits('1000', USD_SCALE),
  'US dollars up to which a withdrawal is sent without review.',
  { guarded: true },
);
export const TWO_PERSON_LIMIT = defineSetting(
  'two_person',
  usd('100000'),
  toUnits('10000', USD_SCALE),
  'US dollars from which on two different operators must approve a withdrawal.',
  { guarded: true },
);
export const DAY_LIMIT = defineSetting(
  'day',
  usd('1000000'),
  toUnits('100000', USD_SCALE),
  'US dollars that one person may withdraw on one day (UTC).',
  { guarded: true },
);
export const ADDRESS_WAIT = defineSetting(
  'address_wait',
  integer({ max: 240 }),
  24,
  'Hours before a bound address may be used; and after the last one was removed, until any address may.',
  { guarded: true },
);

/** Settings of withdrawals (rules §8.4, §8.5, §15). */
export const WITHDRAWAL_SETTINGS = [AUTO_LIMIT, TWO_PERSON_LIMIT, DAY_LIMIT, ADDRESS_WAIT];
export const WITHDRAWAL_RULES: readonly SettingRule[] = [
  {
    says: 'auto lies below two_person, so that there is something that one operator approves',
    holds: (get) => get(AUTO_LIMIT) < get(TWO_PERSON_LIMIT),
  },
];

/** Values from which operators must approve a withdrawal, US dollars at USD_SCALE. */
export const reviewLimits = (settings: Settings): { readonly auto: bigint; readonly twoPerson: bigint } => ({
  auto: settings.get(AUTO_LIMIT),
  twoPerson: settings.get(TWO_PERSON_LIMIT),
});
/** Waiting time of a newly bound address. Business time, ms. */
export const addressWaitMs = (settings: Settings): number => settings.get(ADDRESS_WAIT) * 3_600_000;
