import { keys } from '@bourse/api-client';
import { api, queryClient } from './api.js';
import { serverOffset } from './server-offset.js';

/** The query of the offset: one answer for all who ask within half a minute. */
export const serverOffsetQuery = {
  queryKey: keys.serverTime,
  staleTime: 30_000,
  queryFn: () => serverOffset(api),
} as const;

/**
 * The exchange's time in milliseconds. What is asked for up to now is asked for by it: the clock of this device may be
 * wrong by hours [CLIENT-204].
 */
export async function serverNow(): Promise<number> {
  const offset = await queryClient.fetchQuery(serverOffsetQuery);
  return Date.now() + offset;
}

/** The same as far as it is known already: for what is shown beside rows of the exchange until its answer comes. */
export const knownServerNow = (): number => Date.now() + (queryClient.getQueryData<number>(keys.serverTime) ?? 0);
