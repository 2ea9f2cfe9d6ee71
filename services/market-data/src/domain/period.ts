/** Intervals of candles, finest first; each is the fold of the one before (architecture §6). */
export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'] as const;
export type Period = (typeof PERIODS)[number];

export const MINUTE = 60_000;
export const DAY = 86_400_000;
const FIXED: Readonly<Record<Exclude<Period, '1week' | '1mon'>, number>> = {
  '1min': MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '60min': 60 * MINUTE,
  '1day': DAY,
};
const WEEK = 7 * DAY;
/** 1970-01-05 was a Monday: weeks begin on Mondays, UTC. */
const FIRST_MONDAY = 4 * DAY;

const ALIASES: Readonly<Record<string, Period>> = {
  '1': '1min',
  '5': '5min',
  '15': '15min',
  '30': '30min',
  '60': '60min',
  '1D': '1day',
  D: '1day',
  '1W': '1week',
  W: '1week',
  '1M': '1mon',
  M: '1mon',
  ...Object.fromEntries(PERIODS.map((period) => [period, period])),
};

/** The period a client means (api §2.4), or null. */
export function periodOf(text: string): Period | null {
  return Object.hasOwn(ALIASES, text) ? (ALIASES[text] ?? null) : null;
}

/** Opening time of the interval that holds `time`, ms UTC. Weeks begin on Monday, months on the first. */
export function intervalStart(period: Period, time: number): number {
  if (period === '1mon') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  }
  if (period === '1week') return Math.floor((time - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY;
  const length = FIXED[period];
  return Math.floor(time / length) * length;
}

/** Opening time of the interval after the one that opens at `start`. */
export function nextStart(period: Period, start: number): number {
  return shiftStart(period, start, 1);
}

/** Opening time of the interval `count` intervals after (before, when negative) the one that opens at `start`. */
export function shiftStart(period: Period, start: number, count: number): number {
  if (period === '1mon') {
    const date = new Date(start);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count, 1);
  }
  return start + count * (period === '1week' ? WEEK : FIXED[period]);
}
