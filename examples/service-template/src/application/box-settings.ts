import { defineSetting, integer } from '@bourse/settings';

/**
 * Settings that operators change while the exchange runs (rules §15). A box keeps the seconds that it was opened with.
 */
export const MAX_OPEN = defineSetting(
  'template.max_open',
  integer({ min: 1, max: 1_000 }),
  3,
  'Boxes that one person may have open at a time.',
  { guarded: true },
);
export const SECONDS = defineSetting(
  'template.seconds',
  integer({ min: 1, max: 86_400 }),
  60,
  'For how many seconds a box stays closed to its owner.',
  { guarded: true },
);
export const BOX_SETTINGS = [MAX_OPEN, SECONDS] as const;
