const MINUTE_MS = 60_000;
let showsUtc = false;

/** Formats every time from now on in UTC, or else in the zone of the device. */
export const showTimesInUtc = (isUtc: boolean): void => {
  showsUtc = isUtc;
};

/** A moment as a date whose UTC fields are the clock and the calendar of the reader's zone. */
export const zonedDate = (ms: number): Date =>
  new Date(showsUtc ? ms : ms - new Date(ms).getTimezoneOffset() * MINUTE_MS);

/** Milliseconds of a date and time text (`YYYY-MM-DDTHH:mm:ss`) in the reader's zone; NaN for none. */
export const zonedMillis = (text: string): number => Date.parse(showsUtc ? `${text}Z` : text);
