import { QueryClient } from '@tanstack/react-query';
import { ApiClient, ApiError, keys } from '@bourse/api-client';
import { readStored } from '../prefs/storage.js';
import { retryingCache } from '@bourse/web';
import { askToConfirm } from './confirm.js';
import { deviceId } from './device.js';
import { current } from './i18n.js';

let react: (error: ApiError, quiet: boolean) => void = () => undefined;

/** The shell's reaction to refusals; set once at start, because it needs the router. */
export function onRefusal(handler: (error: ApiError, quiet: boolean) => void): void {
  react = handler;
}

/** Tells the shell of a refusal that came by another way than the client's. */
export const refused = (error: ApiError, quiet: boolean): void => react(error, quiet);

/** The client of this page. Features call it, never `fetch`. */
export const api = new ApiClient({
  token: () => readStored('token'),
  lang: current,
  device: deviceId,
  confirm: askToConfirm,
  onRefusal: refused,
});

/**
 * Server rows. Refusals are final; a network failure is tried again, at once and then for as long as it is shown. Ticks
 * never enter it.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: retryingCache(
    ({ queryKey }) =>
      void queryClient.refetchQueries({ queryKey, exact: true, type: 'active' }, { cancelRefetch: false }),
  ),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      structuralSharing: false,
      refetchOnWindowFocus: false,
      retry: (count, error) => !(error instanceof ApiError) && count < 3,
    },
    mutations: { retry: false },
  },
});

/** `meta` of a query whose answer makes something new, as a secret: only its screen asks for another one. */
export const MAKES = { makes: true } as const;

/** Reads again what the screens show of the person: events were missed, or the words are those of another language. */
export const readPersonAgain = (): void =>
  void queryClient.invalidateQueries({ queryKey: keys.user, predicate: ({ meta }) => meta?.['makes'] !== true });

export { ApiError };
