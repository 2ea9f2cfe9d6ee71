import { QueryClient } from '@tanstack/react-query';
import { ApiClient, ApiError } from '@bourse/api-client';
import { noteReach, retryingCache, toastError } from '@bourse/web';
import { current } from './i18n.js';
import { readToken } from './stored.js';

let ended: () => void = () => undefined;

/** The reaction when the exchange no longer knows the session; set once, by the session itself. */
export function onSessionEnd(handler: () => void): void {
  ended = handler;
}

/** Calls go to the page's origin, or to the exchange's origin if the console has its own. */
const send: typeof fetch = (path, init) => fetch(typeof path === 'string' ? `${__EXCHANGE__}${path}` : path, init);

/** The client of this page, with the operator's token. */
export const api = new ApiClient({
  token: readToken,
  lang: current,
  fetch: send,
  onRefusal: (error, quiet) => {
    if (error.type === '999') ended();
    else if (!quiet) toastError(error.message);
  },
  onReach: noteReach,
  repeatsPending: true,
});

/** Server rows. Refusals are final; a network failure is tried again for as long as it is shown. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: retryingCache(
    ({ queryKey }) =>
      void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false }),
  ),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof ApiError) && count < 3,
    },
    mutations: { retry: false },
  },
});
