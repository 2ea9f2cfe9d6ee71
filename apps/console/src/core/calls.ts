import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ApiError, newIntent, type Accepted, type Fields } from '@bourse/api-client';
import { api, queryClient } from './api.js';
import { useOperator } from './operator.js';

/** How often a read that is too soon is tried again. */
const TOO_MANY_TRIES = 5;

/** Key of a read in the query cache: by its path, so that whoever acts can name what is no longer true. */
export const readKey = (path: string, fields: Fields = {}): readonly unknown[] => ['admin', path, fields];

/** Reads a call of operators. Refusals are shown by the screen, not as toasts. */
export function useAdminQuery<T>(
  path: string,
  fields: Fields = {},
  more: { enabled?: boolean; everyMs?: number } = {},
): UseQueryResult<T> {
  const signedIn = useOperator((operator) => operator.token !== null);
  return useQuery({
    queryKey: readKey(path, fields),
    enabled: signedIn && more.enabled !== false,
    ...(more.everyMs === undefined ? {} : { refetchInterval: more.everyMs }),
    queryFn: async ({ signal }) => (await api.get<T>(path, fields, { quiet: true, signal })).message,
  });
}

/** Reads once, for what is not shown but saved. A rate that is used up is waited for. @throws ApiError as the client */
export async function adminRead<T>(path: string, fields: Fields, signal: AbortSignal): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    try {
      return (await api.get<T>(path, fields, { quiet: true, signal })).message;
    } catch (error) {
      if (!(error instanceof ApiError) || error.key !== 'common.tooMany' || turn >= TOO_MANY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(60, Number(error.params['seconds'] ?? 1)) * 1_000));
    }
  }
}

/** Acts as an operator, under an idempotency key. @throws ApiError as the client does; nothing is announced */
export const adminPost = <T, X = { approval_id?: number }>(
  path: string,
  body: Fields,
  intent: string = newIntent(),
): Promise<Accepted<T, X>> => api.post<T, X>(path, body, { intent, quiet: true });

/** As `adminPost`, of a call that takes something away. */
export const adminDelete = <T, X = { approval_id?: number }>(
  path: string,
  body: Fields,
  intent: string = newIntent(),
): Promise<Accepted<T, X>> => api.delete<T, X>(path, body, { intent, quiet: true });

/** Reads shown lists of these paths again after a change. A path includes all paths below it. */
export const outdate = (paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[0] === 'admin' &&
      paths.some((path) => queryKey[1] === path || String(queryKey[1]).startsWith(`${path}/`)),
  });
