import { defineSetting, integer } from '@bourse/settings';

export const MICRO_TICK_DAYS = defineSetting(
  'micro_tick_days',
  integer({ min: 2, max: 3_650 }),
  30,
  'For how many days recorded prices are kept here; those that judged a contract are kept for good.',
  { guarded: false },
);
