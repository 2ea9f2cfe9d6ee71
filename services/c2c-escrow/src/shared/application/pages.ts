import type { DataPage } from '@bourse/contract';
import type { Page } from '@bourse/platform';

/** A page of rows as api §1.7 shapes it. */
export function pageOf<R, S>(
  { rows, total }: { readonly rows: readonly R[]; readonly total: number },
  { page, size, offset }: Page,
  show: (row: R) => S,
): DataPage<S> {
  return {
    data: rows.map(show),
    page,
    page_size: size,
    total,
    has_more: rows.length > 0 && offset + rows.length < total ? 1 : 0,
  };
}
