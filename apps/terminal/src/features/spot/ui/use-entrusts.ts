import { useInfiniteQuery } from '@tanstack/react-query';
import { keys, nextPage } from '@bourse/api-client';
import type { ListPage } from '@bourse/contract';
import { api } from '../../../core/api.js';

export type Tab = 'out' | 'in' | 'complete';
const PATHS: Record<Tab, string> = {
  out: '/api/transaction_out',
  in: '/api/transaction_in',
  complete: '/api/transaction_complete',
};

/** One page after the other of an entrust list; the lists refresh like the orders of the deal centre. */
export function useEntrusts<Row>(tab: Tab) {
  const query = useInfiniteQuery({
    queryKey: keys.entrust(tab),
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) =>
      (await api.post<ListPage<Row>>(PATHS[tab], { page: pageParam }, { quiet: true })).message,
    getNextPageParam: nextPage,
  });
  return { query, rows: query.data?.pages.flatMap((page) => page.list) };
}
