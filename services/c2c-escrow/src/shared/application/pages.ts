import type { DataPage } from '@bourse/contract';

export interface Page {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}
export interface Rows<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** A page of rows in the shape of api §1.7. */
export function toDataPage<R, S>(
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
