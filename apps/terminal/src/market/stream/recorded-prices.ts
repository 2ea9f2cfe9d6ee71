import { useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../core/api.js';

/** One price a second is recorded. */
const EVERY_MS = 1_000;
/** Older ones decide nothing any more, and the screen shows none rather than them (rules §4). */
const FRESH_MS = 5_000;

type Prices = (matchId: number) => string | undefined;
interface Recorded {
  /** When the price was given: one that a silent source repeats grows old. */
  readonly at: number;
  readonly price: string;
}

/** The newest recorded price of a market, null where none is fresh. No push has it. */
const newest = (matchId: number, now: () => number) => ({
  queryKey: ['recorded price', matchId],
  refetchInterval: EVERY_MS,
  staleTime: 0,
  gcTime: FRESH_MS,
  queryFn: async (): Promise<Recorded | null> => {
    const to = now();
    const { message } = await api.get(
      '/api/microtrade/ticks',
      { match_id: matchId, from: to - FRESH_MS, to },
      { quiet: true },
    );
    const last = message.ticks.at(-1);
    return last ? { at: last.at ?? last.time, price: last.price } : null;
  },
});
const isFresh = (tick: Recorded, now: number): boolean => now - tick.at <= FRESH_MS + EVERY_MS;

/**
 * The newest recorded price of each market: what decides contracts, which the last trade is not. It is read while it is
 * looked at. Undefined where none is fresh.
 * @param now the exchange's time
 */
export function useRecordedPrices(matchIds: readonly number[], now: () => number): Prices {
  const answers = useQueries({ queries: matchIds.map((matchId) => newest(matchId, now)) });
  const byId = new Map(matchIds.map((matchId, at) => [matchId, answers[at]?.data]));
  return (matchId) => {
    const tick = byId.get(matchId);
    return tick && isFresh(tick, now()) ? tick.price : undefined;
  };
}

/**
 * Whether a market is known to have no fresh recorded price: the exchange opens nothing then, however young the last
 * trade is.
 */
export function useNoPrice(matchId: number, now: number): boolean {
  const { data: tick } = useQuery(newest(matchId, () => now));
  return tick !== undefined && (tick === null || !isFresh(tick, now));
}
