import type { Period } from '@bourse/contract';

/** The choices above the chart: the time-share line and candles. */
export const INTERVALS = [
  { id: 'line', period: '1min' },
  { id: '1min', period: '1min' },
  { id: '5min', period: '5min' },
  { id: '15min', period: '15min' },
  { id: '30min', period: '30min' },
  { id: '60min', period: '60min' },
  { id: '1day', period: '1day' },
  { id: '1week', period: '1week' },
  { id: '1mon', period: '1mon' },
] as const satisfies readonly { id: string; period: Period }[];
export type IntervalId = (typeof INTERVALS)[number]['id'];

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

export const periodOf = (interval: IntervalId): Period => INTERVALS.find(({ id }) => id === interval)?.period ?? '1min';

/** Lengths of the moving averages that can be switched on, in bars. */
export const AVERAGES: readonly number[] = [10, 15, 20];
