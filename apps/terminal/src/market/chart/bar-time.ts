import { localTime } from '@bourse/ui';
import type { IntervalId } from './intervals.js';

const DATED: ReadonlySet<IntervalId> = new Set(['1day', '1week', '1mon']);

/** Whether the bars of an interval are days of the exchange or longer: their dates are those of UTC in every zone. */
export const hasDates = (interval: IntervalId): boolean => DATED.has(interval);

/** The start of a bar: the date of one of a day or longer, else date and clock in the reader's zone. */
export const barTime = (ms: number, interval: IntervalId): string =>
  hasDates(interval) ? new Date(ms).toISOString().slice(0, 10) : localTime(ms).slice(0, 16);
