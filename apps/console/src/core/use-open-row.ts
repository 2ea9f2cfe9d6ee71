import { useAdminQuery } from './calls.js';

/** Other operators act while a row is open. */
const OPEN_ROW_MS = 10_000;

/** The row that is open beside its list, read again by its id; null: none is. */
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
