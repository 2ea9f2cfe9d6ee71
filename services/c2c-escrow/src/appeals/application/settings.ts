import { toUnits } from '@bourse/money';
import { decimal, defineSetting, integer } from '@bourse/settings';

/** Decimals of the amount above which two operators decide. */
export const TWO_PERSON_SCALE = 8;

/** Settings that operators change while the exchange runs (rules §15). */
export const APPEAL_DUE_HOURS = defineSetting(
  'c2c.appeal_due',
  integer({ min: 1, max: 480 }),
  48,
  'By when an appeal is to be decided, hours; appeals that are open keep theirs.',
  { guarded: true },
);
export const APPEAL_TWO_PERSON = defineSetting(
  'c2c.appeal_two_person',
  decimal({ scale: TWO_PERSON_SCALE, min: '0', max: '100000' }),
  toUnits('10000', TWO_PERSON_SCALE),
  'Two operators decide an appeal about more USDT than this, and about any other coin.',
  { guarded: true },
);
export const APPEAL_SETTINGS = [APPEAL_DUE_HOURS, APPEAL_TWO_PERSON] as const;
