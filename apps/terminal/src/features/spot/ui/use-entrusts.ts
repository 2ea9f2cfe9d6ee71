import { useInfiniteQuery } from '@tanstack/react-query';
import { keys, nextPage } from '@bourse/api-client';
import type { ListPage } from '@bourse/contract';
import { collectRows } from '../../../parts/collect-rows.js';

export type Tab = 'out' | 'in' | 'complete';

/** One page after the other of an entrust list; the lists refresh like the orders of the deal centre. */
export function useEntrusts<Row extends { readonly id: string }>(
  tab: Tab,
  read: (page: number) => Promise<{ readonly message: ListPage<Row> }>,
) {
  const query = useInfiniteQuery({
    queryKey: keys.entrust(tab),
    refetchInterval: 10_000,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => (await read(pageParam)).message,
    getNextPageParam: nextPage,
  });
  return { query, rows: collectRows(query.data, (page) => page.list) };
}
