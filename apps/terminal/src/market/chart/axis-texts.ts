import { TickMarkType, type Time } from 'lightweight-charts';
import { zonedDate } from '@bourse/ui';
import { barTime, hasDates } from './bar-time.js';
import type { IntervalId } from './intervals.js';

const millisOf = (time: Time): number => (time as number) * 1_000;

/** The moment under the crosshair. */
export const fullTime = (time: Time, interval: IntervalId): string => barTime(millisOf(time), interval);

/**
 * Axis texts; Latin digits in all languages. The library chooses the kinds by the date in UTC: of bars within days, its
 * midnights and those of the reader's zone show the date in that zone, and the others the clock.
 */
export function tickText(time: Time, type: TickMarkType, locale: string, interval: IntervalId): string {
  if (hasDates(interval)) return dateText(new Date(millisOf(time)), type, locale);
  const date = zonedDate(millisOf(time));
  const clock = date.toISOString().slice(11, 16);
  if (clock !== '00:00') return type === TickMarkType.Time ? clock : String(date.getUTCDate());
  const [month, day] = [date.getUTCMonth(), date.getUTCDate()];
  const kind = day > 1 ? TickMarkType.DayOfMonth : month > 0 ? TickMarkType.Month : TickMarkType.Year;
  return dateText(date, kind, locale);
}

function dateText(date: Date, type: TickMarkType, locale: string): string {
  if (type === TickMarkType.Year) return String(date.getUTCFullYear());
  if (type === TickMarkType.Month)
    return new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }).format(date);
  return String(date.getUTCDate());
}
