import { PERCENT_SCALE } from '@bourse/formulas';
import type { Units } from '@bourse/money';
import { decimal, defineSetting } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). A subscription keeps what it was agreed with. */

export const DEPOSIT_CANCEL = defineSetting(
  'deposit_cancel',
  decimal({ scale: PERCENT_SCALE, max: '20' }),
  0n as Units,
  'What the cancel of a fixed term costs, in percent of its amount.',
  { guarded: true },
);
export const SAVINGS_SETTINGS = [DEPOSIT_CANCEL];
