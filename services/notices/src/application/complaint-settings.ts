import { defineSetting, integer } from '@bourse/settings';

/** The settings that operators change while the exchange runs (api §2.10). */
export const COMPLAINTS_OPEN = defineSetting(
  'complaints.open',
  integer({ min: 1, max: 100 }),
  5,
  'Complaints that one person may have open at a time.',
  { guarded: false },
);
export const COMPLAINTS_REOPEN_DAYS = defineSetting(
  'complaints.reopen_days',
  integer({ min: 0, max: 365 }),
  14,
  'For how many days after its end a reply opens a complaint again.',
  { guarded: false },
);
export const COMPLAINTS_MESSAGES = defineSetting(
  'complaints.messages',
  integer({ min: 2, max: 1_000 }),
  200,
  'Messages that one complaint may have; then a new one is to be opened.',
  { guarded: false },
);
export const COMPLAINT_SETTINGS = [COMPLAINTS_OPEN, COMPLAINTS_REOPEN_DAYS, COMPLAINTS_MESSAGES] as const;
