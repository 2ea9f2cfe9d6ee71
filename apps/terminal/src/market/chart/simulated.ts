import type { Bar } from '@bourse/contract';

/** Bars of a pair as they were read, and the moment (ms) up to which they are simulated, if any are. */
export interface BarHistory {
  readonly bars: readonly Bar[];
  readonly simulatedBefore?: number | undefined;
  /** Up to this moment (ms) bars are of the recorded market, whose volume was not traded here. */
  readonly recordedBefore?: number | undefined;
}

/** Whether a bar shows no market: it opened before the pair's recording or trading began (rules §17). */
export const isSimulated = (bar: Pick<Bar, 'time'>, simulatedBefore: number | undefined): boolean =>
  simulatedBefore !== undefined && bar.time < simulatedBefore;

/** Until when the volume of the oldest bars is another market's; undefined where no such volume is shown. */
export function recordedUntil({ bars, recordedBefore }: BarHistory): number | undefined {
  if (recordedBefore === undefined) return undefined;
  return bars.some(({ time, volume }) => time < recordedBefore && volume > 0) ? recordedBefore : undefined;
}

/** The moment to name over a chart; undefined when none of its bars is simulated. */
export function simulatedUntil({ bars, simulatedBefore }: BarHistory): number | undefined {
  const first = bars[0];
  return first && isSimulated(first, simulatedBefore) ? simulatedBefore : undefined;
}
