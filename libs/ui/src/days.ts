/** Days as `YYYY-MM-DD`, both included; empty means open on that side. */
export interface DayRange {
  from: string;
  to: string;
}

/** The last `days` days up to and with `today` (`YYYY-MM-DD`). */
export function lastDays(days: number, today: string): DayRange {
  const start = new Date(Date.parse(`${today}T00:00:00Z`) - (days - 1) * 86_400_000);
  return { from: start.toISOString().slice(0, 10), to: today };
}
