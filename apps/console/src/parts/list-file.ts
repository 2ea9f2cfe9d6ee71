import { CALL_ROWS_MAX, type Listed } from './list-model.js';

/** The most rows of a file of a list; for more there are the exports. */
const FILE_ROWS_MAX = 5_000;

export interface Walked<Row> {
  readonly rows: readonly Row[];
  /** All rows that the filters leave, those beyond the file too. */
  readonly total: number;
}

/**
 * The rows of all pages of a list, page after page, up to a limit. A row that moves to another page meanwhile is
 * returned once. Stops between two pages when `signal` says so.
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

/** One page of `size` rows, read by several calls. A row that moves to another page meanwhile is returned once. */
export async function readLargePage<Answer>(
  read: (page: number) => Promise<Answer>,
  rowKey: (row: never) => string,
  { page, size }: { readonly page: number; readonly size: number },
): Promise<Answer> {
  const calls = size / CALL_ROWS_MAX;
  const rows = new Map<string, unknown>();
  for (let at = (page - 1) * calls + 1; ; at += 1) {
    const answer = (await read(at)) as Answer & Listed<never>;
    if (!('data' in answer)) return answer;
    for (const row of answer.data) rows.set(rowKey(row), row);
    if (answer.has_more !== 1 || at === page * calls)
      return { ...answer, data: [...rows.values()], page, page_size: size };
  }
}
