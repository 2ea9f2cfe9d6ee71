import { PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { decimal, defineSetting, integer } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). A subscription keeps what it was agreed with. */

export const DEPOSIT_CANCEL = defineSetting(
  'deposit_cancel',
  decimal({ scale: PERCENT_SCALE, max: '20' }),
  0n as Units,
  'What the cancel of a fixed term costs, in percent of its amount.',
  { guarded: true },
);
export const DEPOSIT_PERSON_SHARE = defineSetting(
  'deposit_person_share',
  integer({ min: 1, max: 100 }),
  25,
  'Percent of the house’s interest in a coin, free and reserved, that the terms of one person may reserve.',
  { guarded: true },
);
export const SAVINGS_SETTINGS = [DEPOSIT_CANCEL, DEPOSIT_PERSON_SHARE];
