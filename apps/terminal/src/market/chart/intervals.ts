import type { Bar, Period } from '@bourse/contract';

/**
 * The choices above the chart: the time-share line and candles. `joins` bars of the period are drawn as one; the keys I
 * and `key` choose the interval.
 */
export const INTERVALS = [
  { id: 'line', period: '1min', joins: 1, key: '0' },
  { id: '1min', period: '1min', joins: 1, key: '1' },
  { id: '5min', period: '5min', joins: 1, key: '2' },
  { id: '15min', period: '15min', joins: 1, key: '3' },
  { id: '30min', period: '30min', joins: 1, key: '4' },
  { id: '60min', period: '60min', joins: 1, key: '5' },
  { id: '4hour', period: '60min', joins: 4, key: '9' },
  { id: '12hour', period: '60min', joins: 12, key: '-' },
  { id: '1day', period: '1day', joins: 1, key: '6' },
  { id: '1week', period: '1week', joins: 1, key: '7' },
  { id: '1mon', period: '1mon', joins: 1, key: '8' },
] as const satisfies readonly { id: string; period: Period; joins: number; key: string }[];
export type IntervalId = (typeof INTERVALS)[number]['id'];

/** How the price axis is divided. */
export const SCALES = ['linear', 'log', 'percent'] as const;
export type ScaleId = (typeof SCALES)[number];

/** Length of a bar; of a month the longest. */
export const SECONDS: Readonly<Record<Period, number>> = {
  '1min': 60,
  '5min': 300,
  '15min': 900,
  '30min': 1_800,
  '60min': 3_600,
  '1day': 86_400,
  '1week': 604_800,
  '1mon': 2_678_400,
};

/** Bars asked for: what the chart holds at most. */
const HISTORY = 1_500;

/** The span of the bars that a chart asks for, seconds of the exchange's clock: up to the end of the running bar. */
export function historySpan(now: number, period: Period): { readonly from: number; readonly to: number } {
  const to = Math.floor(now / 1_000) + SECONDS[period];
  return { from: Math.max(0, to - SECONDS[period] * HISTORY), to };
}

export const intervalOf = (id: IntervalId): (typeof INTERVALS)[number] =>
  INTERVALS.find((one) => one.id === id) ?? INTERVALS[1];

/** Joins bars to longer ones that begin at whole multiples of their length (UTC). */
export function joinBars(bars: readonly Bar[], lengthMs: number): Bar[] {
  const joined: Bar[] = [];
  for (const bar of bars) {
    const time = bar.time - (bar.time % lengthMs);
    const last = joined.at(-1);
    if (last?.time !== time) joined.push({ ...bar, time });
    else
      joined[joined.length - 1] = {
        ...last,
        high: Math.max(last.high, bar.high),
        low: Math.min(last.low, bar.low),
        close: bar.close,
        volume: last.volume + bar.volume,
      };
  }
  // Of a full history the oldest joined bar may miss its first part.
  const cut = bars.length >= HISTORY && joined.length > 1 && bars[0]!.time % lengthMs !== 0;
  return cut ? joined.slice(1) : joined;
}
