import type { DataPage } from '@bourse/contract';

/** Rows of a page, as many as the calls give. */
export const PAGE_SIZE_MAX = 100;

/**
 * Reads a list page by page, newest rows first, up to `pagesMax` pages. A row that moves to the next page meanwhile
 * appears once.
 */
export async function readPages<Row extends { readonly id: string }>(
  read: (page: number) => Promise<{ message: DataPage<Row> }>,
  pagesMax: number,
): Promise<Row[]> {
  const rows = new Map<string, Row>();
  for (let page = 1; page <= pagesMax; page += 1) {
    const { data, has_more: more } = (await read(page)).message;
    for (const row of data) rows.set(row.id, row);
    if (more !== 1) break;
  }
  return [...rows.values()];
}
