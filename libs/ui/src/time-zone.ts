/** Zones in which a person can read times: that of the device, and that in which the exchange counts days and fees. */
export type TimeZone = 'local' | 'utc';

const MINUTE_MS = 60_000;
let shown: TimeZone = 'local';

/** Sets the zone of every time that is formatted from now on. */
export const showTimesIn = (zone: TimeZone): void => {
  shown = zone;
};

/** A moment as a date whose UTC fields are the clock and the calendar of the reader's zone. */
export const zonedDate = (ms: number): Date =>
  new Date(shown === 'utc' ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);

/** Milliseconds of a date and time text (`YYYY-MM-DDTHH:mm:ss`) in the reader's zone; NaN for none. */
export const zonedMillis = (text: string): number => Date.parse(shown === 'utc' ? `${text}Z` : text);
