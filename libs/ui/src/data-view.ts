/** The rows that a data table shows: found, sorted, cut into pages. Pure, so that it is tested without a browser. */

export interface Sorting {
  readonly column: string;
  readonly descending: boolean;
}
export interface DataView {
  readonly filter: string;
  readonly sorting: Sorting | undefined;
  /** Counted from 1. */
  readonly page: number;
}
export interface SortableColumn<Row> {
  readonly id: string;
  /** Order of two rows, ascending. Money is compared as text or units, never as floating point. */
  readonly compare?: (one: Row, other: Row) => number;
  /** Text of the row's cell that the filter searches. */
  readonly text?: (row: Row) => string;
}

/** A press on a header: ascending, descending, then the order the rows came in. */
export function nextSorting(now: Sorting | undefined, column: string): Sorting | undefined {
  if (now?.column !== column) return { column, descending: false };
  return now.descending ? undefined : { column, descending: true };
}

/** The rows of the shown page, and how many pages and rows there are. A page beyond the last is the last. */
export function viewOf<Row>(
  rows: readonly Row[],
  columns: readonly SortableColumn<Row>[],
  { filter, sorting, page }: DataView,
  pageSize: number,
): { rows: readonly Row[]; page: number; pages: number; found: number } {
  const words = filter.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = (row: Row): string =>
    columns
      .map(({ text }) => text?.(row) ?? '')
      .join(' ')
      .toLowerCase();
  const found =
    words.length === 0
      ? [...rows]
      : rows.filter((row) => {
          const all = textOf(row);
          return words.every((word) => all.includes(word));
        });
  const compare = columns.find(({ id }) => id === sorting?.column)?.compare;
  if (compare) found.sort((one, other) => (sorting?.descending ? -compare(one, other) : compare(one, other)));
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const shown = Math.min(Math.max(1, page), pages);
  return { rows: found.slice((shown - 1) * pageSize, shown * pageSize), page: shown, pages, found: found.length };
}

/** Order of two decimal texts without a float between them: `compareTexts('9.5', '10')` is negative. */
export function compareTexts(one: string, other: string): number {
  const [a, b] = [parts(one), parts(other)];
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  const sign = a.negative ? -1 : 1;
  if (a.whole.length !== b.whole.length) return sign * (a.whole.length - b.whole.length);
  if (a.whole !== b.whole) return a.whole < b.whole ? -sign : sign;
  return a.fraction === b.fraction ? 0 : a.fraction < b.fraction ? -sign : sign;
}

function parts(text: string): { negative: boolean; whole: string; fraction: string } {
  const [whole = '', fraction = ''] = text.replace(/^-/, '').split('.');
  const clean = { whole: whole.replace(/^0+/, ''), fraction: fraction.replace(/0+$/, '') };
  return { ...clean, negative: text.startsWith('-') && clean.whole + clean.fraction !== '' };
}
