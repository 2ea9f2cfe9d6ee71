import type { Listed } from './list-model.js';

/** Rows that a file of a list has at most: who needs more asks for an export. */
const FILE_ROWS_MAX = 5_000;
/** Rows that a call of the API gives at most in one page (api §1.7). */
export const FILE_PAGE_SIZE = 100;

export interface Walked<Row> {
  readonly rows: readonly Row[];
  /** All rows that the filters leave, those beyond the file too. */
  readonly total: number;
}

/**
 * The rows of all pages of a list, page after page, up to a limit. A row that has moved to the next page while they
 * were read is there once. Stops between two pages when `signal` says so.
 */
export async function walkPages<Row>(
  read: (page: number) => Promise<Listed<Row>>,
  rowKey: (row: Row) => string,
  {
    limit = FILE_ROWS_MAX,
    onRows = () => undefined,
    signal,
  }: {
    readonly limit?: number;
    readonly onRows?: (done: number, total: number) => void;
    readonly signal?: AbortSignal;
  } = {},
): Promise<Walked<Row>> {
  const rows = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const answer = await read(page);
    signal?.throwIfAborted();
    const isWhole = !('data' in answer);
    for (const row of isWhole ? answer : answer.data) if (rows.size < limit) rows.set(rowKey(row), row);
    const total = isWhole ? answer.length : Math.max(answer.total, rows.size);
    onRows(rows.size, total);
    if (isWhole || answer.has_more !== 1 || answer.data.length === 0 || rows.size >= limit)
      return { rows: [...rows.values()], total };
  }
}
