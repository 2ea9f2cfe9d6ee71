import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { nextPage } from '@bourse/api-client';
import type { DataPage } from '@bourse/contract';
import { Empty, Skeleton } from '@bourse/ui';
import { Failed } from '../../../parts/failed.js';
import { More } from '../../../parts/more.js';
import { collectRows } from '../../../parts/collect-rows.js';

/** Deposits or withdrawals, page by page; read again after `refetchMs` of the rows. */
export function TransferList<Row extends { readonly id: string }>({
  queryKey,
  read,
  refetchMs,
  label,
  empty,
  rowHeight,
  children,
}: {
  queryKey: QueryKey;
  read: (page: number) => Promise<DataPage<Row>>;
  refetchMs: (rows: readonly Row[]) => number;
  label: string;
  empty: string;
  /** The class of the height of a row that is not loaded yet. */
  rowHeight: string;
  children: (row: Row, rows: readonly Row[]) => ReactNode;
}) {
  const list = useInfiniteQuery({
    queryKey,
    initialPageParam: 1,
    queryFn: ({ pageParam }) => read(pageParam),
    getNextPageParam: nextPage,
    refetchInterval: ({ state }) => refetchMs(collectRows(state.data, (page) => page.data) ?? []),
  });
  const rows = collectRows(list.data, (page) => page.data);
  if (list.isError && !rows) return <Failed retry={() => void list.refetch()} />;
  if (!rows)
    return (
      <div className="flex flex-col gap-2 p-4">
        {[0, 1].map((row) => (
          <Skeleton key={row} className={`w-full ${rowHeight}`} />
        ))}
      </div>
    );
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <ul aria-label={label} className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id}>{children(row, rows)}</li>
        ))}
      </ul>
      <More query={list} />
    </>
  );
}
