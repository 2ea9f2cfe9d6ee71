import { defineSetting, integer } from '@bourse/settings';
import { STRIKE_DAYS } from '../domain/limits.js';

/* Settings that operators change while the exchange runs (rules §15). A deal keeps the values of its opening. */

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
export const ACCEPTOR_OBJECT_MINUTES = defineSetting(
  'acceptor_object_minutes',
  integer({ min: 0, max: 1_440 }),
  5,
  'Minutes after which the person of a deposit that was not confirmed can object.',
  { guarded: true },
);
export const ACCEPTOR_PERSON_SHARE = defineSetting(
  'acceptor_person_share',
  integer({ min: 1, max: 100 }),
  25,
  'Percent of an acceptor’s free and reserved coins that the open deposits of one person may reserve.',
  { guarded: true },
);
export const ACCEPTOR_STRIKES = defineSetting(
  'acceptor_strikes',
  integer({ min: 1, max: 1_000 }),
  3,
  `Objections to deposits decided against a person within ${STRIKE_DAYS} days until deposits are closed to them.`,
  { guarded: true },
);
export const ACCEPTOR_DISPUTE_HOURS = defineSetting(
  'acceptor_dispute_hours',
  integer({ min: 0, max: 720 }),
  24,
  'Hours in which a person can object to a withdrawal that was confirmed by time.',
  { guarded: true },
);
export const ACCEPTOR_SETTINGS = [
  ACCEPTOR_SILENT_MINUTES,
  ACCEPTOR_DEPOSIT_HOURS,
  ACCEPTOR_AUTO_MINUTES,
  ACCEPTOR_OPEN_DEPOSITS,
  ACCEPTOR_OBJECT_MINUTES,
  ACCEPTOR_PERSON_SHARE,
  ACCEPTOR_STRIKES,
  ACCEPTOR_DISPUTE_HOURS,
];
