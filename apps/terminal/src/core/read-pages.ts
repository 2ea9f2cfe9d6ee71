import type { DataPage } from '@bourse/contract';

/** Rows of a page, the most that the calls give. */
const PAGE_SIZE_MAX = 100;

/**
 * Reads a list page by page, newest rows first, up to `pagesMax` pages. A row that moves to the next page meanwhile
 * appears once.
 *
 * @param read reads one page by these fields of its call
 */
export async function readPages<Row extends { readonly id: string }>(
  read: (fields: { page: number; limit: number }) => Promise<{ message: DataPage<Row> }>,
  pagesMax: number,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let page = 1; page <= pagesMax; page += 1) {
    const { data, has_more: more } = (await read({ page, limit: PAGE_SIZE_MAX })).message;
    for (const row of data) rows.set(row.id, row);
    if (more !== 1) break;
  }
  return [...rows.values()];
}
