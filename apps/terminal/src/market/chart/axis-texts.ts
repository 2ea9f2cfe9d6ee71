import { TickMarkType, type Time } from 'lightweight-charts';
import { twoDigits } from '@bourse/ui';

/** The moment under the crosshair, in the reader's zone. */
export function fullTime(time: Time): string {
  const date = new Date((time as number) * 1000);
  return (
    `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())} ` +
    `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
  );
}

/** Axis texts in the reader's zone; Latin digits in all languages. */
export function tickText(time: Time, type: TickMarkType, locale: string): string {
  const date = new Date((time as number) * 1000);
  if (type === TickMarkType.Year) return String(date.getFullYear());
  if (type === TickMarkType.Month) return new Intl.DateTimeFormat(locale, { month: 'short' }).format(date);
  if (type === TickMarkType.DayOfMonth) return String(date.getDate());
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}
