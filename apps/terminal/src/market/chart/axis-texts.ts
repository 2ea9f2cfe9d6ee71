import { TickMarkType, type Time } from 'lightweight-charts';
import { localTime, zonedDate } from '@bourse/ui';

const millisOf = (time: Time): number => (time as number) * 1_000;

/** The moment under the crosshair, in the reader's zone. */
export const fullTime = (time: Time): string => localTime(millisOf(time)).slice(0, 16);

/** Axis texts in the reader's zone; Latin digits in all languages. */
export function tickText(time: Time, type: TickMarkType, locale: string): string {
  const date = zonedDate(millisOf(time));
  if (type === TickMarkType.Year) return String(date.getUTCFullYear());
  if (type === TickMarkType.Month)
    return new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' }).format(date);
  if (type === TickMarkType.DayOfMonth) return String(date.getUTCDate());
  return date.toISOString().slice(11, 16);
}
