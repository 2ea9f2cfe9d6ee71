import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { keys, nextPage, type ApiClient } from '@bourse/api-client';
import type { PointsExchange } from '@bourse/contract';
import { ApiError, queryClient } from '../../../core/api.js';

/** With whose session the calls of points go out: that of the terminal, or one of the points login (api §2.1). */
export interface PointsAccess {
  readonly client: ApiClient;
  readonly session: 'terminal' | 'points';
}

const keyOf = ({ session }: PointsAccess, ...what: string[]): readonly string[] => [
  ...keys.user,
  'points',
  session,
  ...what,
];

export const usePoints = (access: PointsAccess) =>
  useQuery({
    queryKey: keyOf(access, 'info'),
    refetchInterval: ({ state }) => (state.error instanceof ApiError ? false : 10_000),
    queryFn: async () => (await access.client.get('/api/jc/info', {}, { quiet: true })).message,
  });

/** The account of the third party that is bound; empty before. */
export const useBinding = (access: PointsAccess) =>
  useQuery({
    queryKey: keyOf(access, 'binding'),
    queryFn: async () => {
      const { message } = await access.client.get('/api/jc/bind', {}, { quiet: true });
      return message.user_name;
    },
  });

/** Exchanges, newest first, page after page. */
export const useExchanges = (access: PointsAccess) =>
  useInfiniteQuery({
    queryKey: keyOf(access, 'exchanges'),
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) =>
      (await access.client.get('/api/jc/exchange', { page }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });

/** Reads everything about points again. */
export function readAgain(access: PointsAccess): void {
  void queryClient.invalidateQueries({ queryKey: keyOf(access) });
  if (access.session === 'terminal') void queryClient.invalidateQueries({ queryKey: keys.wallet });
}

/** Drops what was read with a session that is over. */
export const forgetPoints = (access: PointsAccess): void => queryClient.removeQueries({ queryKey: keyOf(access) });

/** Exchanges points for coins. @returns the words of the exchange and what was booked */
export async function exchange(
  { client }: PointsAccess,
  command: { use_number: string; password?: string },
  intent: string,
): Promise<{ message: string; exchange: PointsExchange }> {
  return client.post('/api/jc/exchange', command, { intent, quiet: true });
}

/** Binds the account of the third party. @returns the words of the exchange */
export async function bindAccount(
  { client }: PointsAccess,
  command: { user_name: string; password: string },
): Promise<string> {
  return (await client.post('/api/jc/bind', command, { quiet: true })).message;
}
