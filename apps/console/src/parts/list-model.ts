import type { Fields } from '@bourse/api-client';
import { compareDecimals } from '@bourse/money';

/** The answer of a list call: a page of rows, or all rows. */
export type Listed<Row> =
  | readonly Row[]
  | {
      readonly data: readonly Row[];
      readonly page: number;
      readonly page_size: number;
      readonly total: number;
      readonly has_more: number;
    };

export interface ListPageOf<Row> {
  readonly rows: readonly Row[];
  readonly page: number;
  readonly pages: number;
  /** Rows of a full page. */
  readonly size: number;
  /** All rows that the filters leave, on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
}

/** One page of any list answer. A plain array is cut here. */
export function pageOf<Row>(answer: Listed<Row>, page: number, pageSize = 50): ListPageOf<Row> {
  if (!('data' in answer)) {
    const pages = Math.max(1, Math.ceil(answer.length / pageSize));
    const shown = Math.min(page, pages);
    return {
      rows: answer.slice((shown - 1) * pageSize, shown * pageSize),
      page: shown,
      pages,
      size: pageSize,
      total: answer.length,
      hasMore: shown < pages,
    };
  }
  const { data, total, page_size, has_more } = answer;
  return {
    rows: data,
    page: answer.page,
    pages: Math.max(1, Math.ceil(total / Math.max(1, page_size)), has_more === 1 ? answer.page + 1 : 1),
    size: page_size,
    total,
    hasMore: has_more === 1,
  };
}

export type SortValue = string | number | bigint;

const DECIMAL = /^-?\d+(\.\d+)?$/;

/** Order of two values: decimals by their size however many digits they have, other texts by the alphabet. */
export function compareValues(one: SortValue, other: SortValue): number {
  if (typeof one !== 'string' || typeof other !== 'string') return one < other ? -1 : one > other ? 1 : 0;
  if (DECIMAL.test(one) && DECIMAL.test(other)) return compareDecimals(one, other);
  return one.localeCompare(other);
}

/** The rows in the order of one column; rows that are alike stay as they came. */
export function sorted<Row>(
  rows: readonly Row[],
  isDescending: boolean,
  valueOf: ((row: Row) => SortValue) | undefined,
): readonly Row[] {
  if (valueOf === undefined) return rows;
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => sign * compareValues(valueOf(one), valueOf(other)));
}

/** The query of the address bar for the list: its filters that are not empty, and the page. */
export function fieldsOf(
  search: URLSearchParams,
  filters: readonly { readonly name: string; readonly sent?: (value: string) => string; readonly here?: boolean }[],
): Fields {
  const page = pageIn(search);
  return {
    ...Object.fromEntries(
      filters.flatMap(({ name, sent, here }) => {
        const value = here ? undefined : search.get(name)?.trim();
        return value ? [[name, sent ? sent(value) : value]] : [];
      }),
    ),
    page: page === 1 ? undefined : page,
    limit: sizeIn(search),
  };
}

/** The most rows that a call returns in one page (api §1.7). */
export const CALL_ROWS_MAX = 100;
/** Page sizes that an operator may choose; a larger page than a call returns is read by several calls. */
export const PAGE_SIZES = [20, 50, 100, 500] as const;

/** The page size that the address bar names; without one the call has its own. */
export function sizeIn(search: URLSearchParams): number | undefined {
  const size = Number(search.get('limit'));
  return PAGE_SIZES.find((one) => one === size);
}

/** The page that the address bar names; the first one if it names none. */
export function pageIn(search: URLSearchParams): number {
  const text = search.get('page') ?? '1';
  return /^[1-9]\d{0,3}$/.test(text) ? Math.min(Number(text), 1000) : 1;
}

/** The address with one filter changed. A changed filter shows the list from its first page. */
export function withFilter(search: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete('page');
  if (value === '') next.delete(name);
  else next.set(name, value);
  return next;
}

/**
 * The part of an address that belongs to one of several lists of a screen: `moves.page=2` is `page=2` of the list
 * `moves`. Without a name all of it.
 */
export function partOf(search: URLSearchParams, part: string | undefined): URLSearchParams {
  if (part === undefined) return search;
  const own = [...search].filter(([name]) => name.startsWith(`${part}.`));
  return new URLSearchParams(own.map(([name, value]) => [name.slice(part.length + 1), value]));
}

/** The address with the part of one list replaced; what belongs to the others stays. */
export function withPart(search: URLSearchParams, part: string | undefined, own: URLSearchParams): URLSearchParams {
  if (part === undefined) return own;
  const others = [...search].filter(([name]) => !name.startsWith(`${part}.`));
  return new URLSearchParams([...others, ...[...own].map(([name, value]) => [`${part}.${name}`, value])]);
}

/** Rows with a value that contains all words, in any case. */
export function rowsWith<Row>(rows: readonly Row[], words: string, textOf: (row: Row) => string): readonly Row[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** The row that a key press leads to, counted from 0; undefined for a key that the list does not use. */
export function rowAfter(key: string, now: number, rows: number): number | undefined {
  if (rows === 0) return undefined;
  const step = key === 'j' || key === 'ArrowDown' ? 1 : key === 'k' || key === 'ArrowUp' ? -1 : 0;
  return step === 0 ? undefined : Math.min(Math.max(0, now + step), rows - 1);
}

/** A day as the calls take its ends: `YYYY-MM-DD hh:mm:ss` in UTC. */
export const firstSecond = (day: string): string => `${day} 00:00:00`;
export const lastSecond = (day: string): string => `${day} 23:59:59`;
