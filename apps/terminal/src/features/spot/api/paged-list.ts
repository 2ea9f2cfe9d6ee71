import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DataPage } from '@bourse/contract';
import { collectRows } from '../../../parts/collect-rows.js';

export type Pages<Row> = InfiniteData<DataPage<Row>, number>;

/** The rows of a paged call that are loaded, and the way to further ones. */
export interface PagedList<Row> {
  rows: Row[] | undefined;
  /** How many there are, loaded or not. */
  total: number;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
  failed: boolean;
  retry: () => void;
}

/** The list that a table shows of a paged query. A row that moved to the next page meanwhile appears once. */
export function usePagedList<Row extends { readonly id: string }>(
  query: UseInfiniteQueryResult<InfiniteData<DataPage<Row>>>,
): PagedList<Row> {
  const rows = useMemo(() => collectRows(query.data, (page) => page.data), [query.data]);
  return {
    rows,
    total: query.data?.pages[0]?.total ?? 0,
    hasMore: query.hasNextPage,
    loadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    failed: query.isError && !query.data,
    retry: () => void query.refetch(),
  };
}
