import { defineSetting, integer } from '@bourse/settings';

/** Settings that operators change while the exchange runs (rules §15). */
export const CHAT_PER_MINUTE = defineSetting(
  'c2c.chat_per_minute',
  integer({ min: 1, max: 600 }),
  20,
  'Lines that one person may write in a minute, in all chats together.',
  { guarded: false },
);
export const CHAT_OPEN_DAYS = defineSetting(
  'c2c.chat_open_days',
  integer({ min: 0, max: 365 }),
  7,
  'For how many days after the end of a deal both sides can still write.',
  { guarded: false },
);
export const CHAT_KEEP_DAYS = defineSetting(
  'c2c.chat_keep_days',
  integer({ min: 365, max: 3_650 }),
  730,
  'For how many days after the end of a deal its chat is kept.',
  { guarded: true },
);
export const CHAT_SETTINGS = [CHAT_PER_MINUTE, CHAT_OPEN_DAYS, CHAT_KEEP_DAYS] as const;
