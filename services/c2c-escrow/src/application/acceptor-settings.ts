import { defineSetting, integer } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). A deal keeps what it was agreed with. */

export const ACCEPTOR_SILENT_MINUTES = defineSetting(
  'acceptor_silent_minutes',
  integer({ min: 3, max: 300 }),
  30,
  'Minutes after which a withdrawal goes back when the acceptor does nothing.',
  { guarded: true },
);
export const ACCEPTOR_DEPOSIT_HOURS = defineSetting(
  'acceptor_deposit_hours',
  integer({ min: 1, max: 240 }),
  24,
  'Hours after which a deposit goes to finance when the acceptor does nothing.',
  { guarded: true },
);
export const ACCEPTOR_AUTO_MINUTES = defineSetting(
  'acceptor_auto_minutes',
  integer({ min: 10, max: 200 }),
  20,
  'Minutes after which a withdrawal that was marked as transferred counts as received.',
  { guarded: true },
);
export const ACCEPTOR_OPEN_DEPOSITS = defineSetting(
  'acceptor_open_deposits',
  integer({ min: 1, max: 100 }),
  10,
  'Deposits with acceptors that one person may have open: each keeps coins of an acceptor without a payment.',
  { guarded: true },
);
export const ACCEPTOR_SETTINGS = [
  ACCEPTOR_SILENT_MINUTES,
  ACCEPTOR_DEPOSIT_HOURS,
  ACCEPTOR_AUTO_MINUTES,
  ACCEPTOR_OPEN_DEPOSITS,
];
