import { useInfiniteQuery } from '@tanstack/react-query';
import { keys, nextPage } from '@bourse/api-client';
import type { QuotationItem, SpotFill } from '@bourse/contract';
import { api } from '../../../core/api.js';
import { usePagedList, type PagedList } from './paged-list.js';

/** Key of all lists of fills: a fill of an order makes them stale. */
export const fillKeys = [...keys.orders, 'fills'] as const;
/** Fills of a page. */
const PAGE_SIZE = 20;
/** The list refreshes this often when pushes do not arrive (rules §16). */
const REFRESH_MS = 10_000;

/** Own fills, newest first: of all pairs, or of one. */
export function useFills(pair?: Pick<QuotationItem, 'legal_id' | 'currency_id'>): PagedList<SpotFill> {
  const query = useInfiniteQuery({
    queryKey: [...fillKeys, pair ? `${pair.currency_id}/${pair.legal_id}` : 'all'],
    refetchInterval: REFRESH_MS,
    initialPageParam: 1,
    queryFn: async ({ pageParam }) =>
      (
        await api.get(
          '/api/coin/fills',
          { page: pageParam, limit: PAGE_SIZE, currency_id: pair?.currency_id, legal_id: pair?.legal_id },
          { quiet: true },
        )
      ).message,
    getNextPageParam: nextPage,
  });
  return usePagedList(query);
}
