import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { ApiError, type Fields, type FieldsAt, type MessageAt } from '@bourse/api-client';
import type { PathOf } from '@bourse/contract';
import { api, queryClient } from './api.js';
import { keyOf } from './keyed.js';
import { useOperator } from './operator.js';

/** How often a read that a rate limit refused is repeated. */
const TOO_MANY_TRIES = 5;

/**
 * Key of a read in the query cache. It begins with the path, because an act names the outdated answers by their paths.
 */
const readKey = (path: string, fields: object): readonly unknown[] => ['admin', path, fields];

/** Reads a call of operators. Refusals are shown by the screen, not as toasts. */
export function useAdminQuery<P extends PathOf<'GET'>>(
  path: P,
  fields: FieldsAt<'GET', P>,
  more: { enabled?: boolean; everyMs?: number; read?: (signal: AbortSignal) => Promise<MessageAt<P>> } = {},
): UseQueryResult<MessageAt<P>> {
  const signedIn = useOperator((operator) => operator.token !== null);
  return useQuery({
    queryKey: readKey(path, fields),
    enabled: signedIn && more.enabled !== false,
    ...(more.everyMs === undefined ? {} : { refetchInterval: more.everyMs }),
    queryFn: ({ signal }) => (more.read ? more.read(signal) : read(path, fields, signal)),
  });
}

/** Reads once, for a file. If a rate limit is used up, waits and tries again. @throws ApiError as the client does */
export async function adminRead<P extends PathOf<'GET'>>(
  path: P,
  fields: FieldsAt<'GET', P>,
  signal: AbortSignal,
): Promise<MessageAt<P>> {
  for (let turn = 0; ; turn += 1) {
    try {
      return await read(path, fields, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.key !== 'common.tooMany' || turn >= TOO_MANY_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.min(60, Number(error.params['seconds'] ?? 1)) * 1_000));
    }
  }
}

const read = async <P extends PathOf<'GET'>>(
  path: P,
  fields: FieldsAt<'GET', P>,
  signal: AbortSignal,
): Promise<MessageAt<P>> =>
  (await api.call<{ message: MessageAt<P> }>('GET', path, fields, { quiet: true, signal })).message;

/** The path of an act: a POST, or a DELETE for a removal. */
export type ActPath = PathOf<'POST'> | PathOf<'DELETE'>;
/** The server's answer: its message, and the id of the approval that a second operator must give. */
export interface ActAnswer {
  readonly message: unknown;
  readonly key?: string;
  readonly approval_id?: number;
}

/**
 * Acts as an operator, under an idempotency key where the call takes one. @throws ApiError as the client does; nothing
 * is announced
 */
export const act = (method: 'POST' | 'DELETE', path: ActPath, body: Fields, intent: string): Promise<ActAnswer> =>
  api.call(method, path, body, { ...keyOf(method, path, intent), quiet: true });

/** Reloads the shown lists of these paths after a change. A path includes all paths below it. */
export const outdate = (paths: readonly string[]): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[0] === 'admin' &&
      paths.some((path) => queryKey[1] === path || String(queryKey[1]).startsWith(`${path}/`)),
  });
