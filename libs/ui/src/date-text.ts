const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_AND_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Whether a text is a day that exists (`2026-01-31`), or with a time a minute of one (`2026-01-31T18:30`). */
export function isDateText(text: string, withTime: boolean): boolean {
  if (!(withTime ? DATE_AND_TIME : DATE).test(text)) return false;
  const whole = withTime ? `${text}:00Z` : `${text}T00:00:00Z`;
  const at = Date.parse(whole);
  // A day that does not exist, such as 31 February, would be read as one of the next month.
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 19) === whole.slice(0, 19);
}
