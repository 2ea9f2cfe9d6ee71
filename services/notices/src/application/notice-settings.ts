import { defineSetting, integer } from '@bourse/settings';

/* What operators change while the exchange runs (rules §15). */

export const NOTICE_DAYS = defineSetting(
  'notice.days',
  integer({ min: 1, max: 3_650 }),
  180,
  'Days after which a personal notice is deleted.',
  { guarded: false },
);
export const NOTICE_MAX = defineSetting(
  'notice.max',
  integer({ min: 20, max: 10_000 }),
  500,
  'Personal notices that are kept of one person; the oldest go first.',
  { guarded: false },
);
export const NOTICE_SETTINGS = [NOTICE_DAYS, NOTICE_MAX];
