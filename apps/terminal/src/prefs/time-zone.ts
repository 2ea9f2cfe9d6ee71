import type { TimeZone } from '@bourse/contract';
import { showTimesInUtc } from '@bourse/ui';
import { readKept } from './kept.js';

/** Key of the zone of times; its kept value outlives a sign-out. */
export const TIME_ZONE = 'time.zone';

/** Sets the kept zone of times, before the first of them is shown; without one, that of the device. */
export async function startTimeZone(): Promise<void> {
  try {
    showTimesInUtc((await readKept<TimeZone>(TIME_ZONE)) === 'utc');
  } catch (error) {
    console.warn('time zone not read', error);
  }
}
