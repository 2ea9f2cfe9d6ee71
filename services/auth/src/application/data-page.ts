import type { DataPage } from '@bourse/contract';
import type { Page } from '@bourse/platform';

/** One page of a list in the contract's shape (api §1.7). */
export const dataPage = <X>(data: X[], total: number, { page, size, offset }: Page): DataPage<X> => ({
  data,
  page,
  page_size: size,
  total,
  has_more: offset + data.length < total && data.length > 0 ? 1 : 0,
});
