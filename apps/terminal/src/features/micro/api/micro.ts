import { useInfiniteQuery, useQuery, type InfiniteData } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys, nextPage } from '@bourse/api-client';
import type { DataPage, MicroCurrency, MicroOrder, MicroSeconds } from '@bourse/contract';
import { api, queryClient } from '../../../core/api.js';
import { feed } from '../../../core/feed.js';
import { patchQuery } from '../../../core/patch-query.js';
import { useSignedIn } from '../../../core/session.js';
import { closedPage, LEAVES_AFTER_MS, withOrder, withoutOrder } from '../model/orders.js';
import { collectRows } from '../../../parts/collect-rows.js';

/** Lists refresh this often when pushes do not arrive (rules §16). */
const REFRESH_MS = 10_000;
/** No event reports the opening tick: until it came the list is read again this often. */
const OPENING_MS = 1_000;
/** More than any exchange lets run at a time. */
const RUNNING_LIMIT = 100;
const PAGE = 20;

type Pages = InfiniteData<DataPage<MicroOrder>, number>;

/** All that is read about seconds contracts of the person who is signed in. */
export const microKeys = {
  all: [...keys.user, 'micro'],
  currencies: [...keys.user, 'micro', 'currencies'],
  running: [...keys.user, 'micro', 'running'],
  closed: [...keys.user, 'micro', 'closed'],
  policies: [...keys.user, 'micro', 'policies'],
  claims: [...keys.user, 'micro', 'claims'],
  types: [...keys.user, 'micro', 'types'],
  receipt: (id: string) => [...keys.user, 'micro', 'receipt', id],
  durations: ['micro', 'durations'],
} as const;

/** Coins that stakes can be made in, with what the person has and is insured for. */
export function useCurrencies(): { currencies: MicroCurrency[] | undefined; failed: boolean; retry: () => void } {
  const signedIn = useSignedIn();
  const query = useQuery({
    queryKey: microKeys.currencies,
    enabled: signedIn,
    refetchInterval: 30_000,
    queryFn: async () => (await api.get('/api/microtrade/payable_currencies', {}, { quiet: true })).message,
  });
  return { currencies: query.data, failed: query.isError && !query.data, retry: () => void query.refetch() };
}

/** Durations with what they pay: public. */
export function useDurations(): { durations: MicroSeconds[] | undefined; failed: boolean; retry: () => void } {
  const query = useQuery({
    queryKey: microKeys.durations,
    staleTime: 60_000,
    queryFn: async () => (await api.get('/api/microtrade/seconds', {}, { quiet: true })).message,
  });
  return { durations: query.data, failed: query.isError && !query.data, retry: () => void query.refetch() };
}

const listed = async (status: 1 | 3, page: number, limit: number): Promise<DataPage<MicroOrder>> =>
  (await api.get('/api/microtrade/lists', { status, page, limit }, { quiet: true })).message;

/** The running contracts of all markets. */
export function useRunning(): { rows: MicroOrder[] | undefined; failed: boolean; retry: () => void } {
  const signedIn = useSignedIn();
  const query = useQuery({
    queryKey: microKeys.running,
    enabled: signedIn,
    refetchInterval: ({ state }) =>
      state.data?.some(({ open_price: open, status }) => open === '' && status === 1) ? OPENING_MS : REFRESH_MS,
    queryFn: async () => (await listed(1, 1, RUNNING_LIMIT)).data,
  });
  return { rows: query.data, failed: query.isError && !query.data, retry: () => void query.refetch() };
}

export function useClosed() {
  const signedIn = useSignedIn();
  const query = useInfiniteQuery({
    queryKey: microKeys.closed,
    enabled: signedIn,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => listed(3, pageParam, PAGE),
    getNextPageParam: nextPage,
  });
  return { query, rows: collectRows(query.data, ({ data }) => data) };
}

/** Opens a contract; `intent` is kept by the caller over repeats of the same press. */
export async function openContract(
  command: { match_id: number; currency_id: number; type: 1 | 2; seconds: number; number: string },
  intent: string,
): Promise<MicroOrder> {
  const { order } = await api.post('/api/microtrade/submit', { ...command, client_id: intent }, { intent });
  patchQuery<MicroOrder[]>(queryClient, microKeys.running, (rows) => withOrder(rows, order));
  void queryClient.invalidateQueries({ queryKey: microKeys.currencies });
  return order;
}

/**
 * Pushes move the lists while a screen of the product is shown: what closed leaves the running rows half a second
 * later, and stands on top of the closed ones.
 */
export function useMicroPushes(): void {
  useEffect(() => {
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const offs = [
      feed.on('micro_closed', (order) => {
        applyClosed(order);
        const timer = setTimeout(() => {
          timers.delete(timer);
          leave(order.id);
        }, LEAVES_AFTER_MS);
        timers.add(timer);
      }),
      feed.on('balance_update', ({ balances }) => {
        if (balances.some(({ account }) => account === 'micro' || account === 'insurance')) refreshMoney();
      }),
    ];
    return () => {
      for (const off of offs) off();
      for (const timer of timers) clearTimeout(timer);
      // Rows that were about to leave the list are dropped with the screen.
      if (timers.size > 0) void queryClient.invalidateQueries({ queryKey: microKeys.running });
    };
  }, []);
}

function applyClosed(order: MicroOrder): void {
  patchQuery<MicroOrder[]>(queryClient, microKeys.running, (rows) => withOrder(rows, order));
  patchQuery<Pages>(queryClient, microKeys.closed, (held) => {
    const [first, ...rest] = held.pages;
    return first ? { ...held, pages: [closedPage(first, order), ...rest] } : held;
  });
  refreshMoney();
}

const leave = (id: string): void => {
  patchQuery<MicroOrder[]>(queryClient, microKeys.running, (rows) => withoutOrder(rows, id));
};

/** Reads again the figures of these contracts' money on the screens. */
function refreshMoney(): void {
  for (const queryKey of [microKeys.currencies, microKeys.policies, microKeys.claims])
    void queryClient.invalidateQueries({ queryKey });
}
