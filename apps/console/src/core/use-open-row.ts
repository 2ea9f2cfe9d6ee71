import { useAdminQuery } from './calls.js';

/** Other operators may change an open row. */
const OPEN_ROW_MS = 10_000;

/** Returns the open row of a list, reloaded by its id every 10 s; null if no row is open. */
export function useOpenRow<
  P extends '/api/admin/withdrawals' | '/api/admin/deposits',
  Row extends { readonly id: string },
>(path: P, row: Row | null): Row | null {
  const { data } = useAdminQuery<P>(path, { id: row?.id ?? '' } as never, {
    enabled: row !== null,
    everyMs: OPEN_ROW_MS,
  });
  const rows = (data as { readonly data: readonly Row[] } | undefined)?.data;
  return row && (rows?.find(({ id }) => id === row.id) ?? row);
}
