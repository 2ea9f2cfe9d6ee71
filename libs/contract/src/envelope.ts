/** Types an answer may carry (api §1.4). Clients act on them; the same table says what the terminal does about each. */
export type RefusalType = 'error' | 'not' | '996' | '997' | '555' | '998' | '999' | 'pending';
export type Params = Readonly<Record<string, string | number>>;

/** A refused call: no effect. Programs test `key`; people read `message`. */
export interface RefusalBody {
  readonly type: RefusalType;
  readonly message: string;
  readonly key: string;
  readonly params?: Params;
  readonly field?: string;
  readonly command_id?: string;
  readonly request_id: string;
}

/** The sixteen languages, in the order of the language menu (rules §16). */
export const LANGUAGES = [
  'en',
  'tr',
  'th',
  'ar',
  'vi',
  'ko',
  'zh',
  'pt',
  'hk',
  'jp',
  'es',
  'de',
  'fr',
  'it',
  'sv',
  'cr',
] as const;
export type Language = (typeof LANGUAGES)[number];
export const isLanguage = (value: unknown): value is Language =>
  typeof value === 'string' && (LANGUAGES as readonly string[]).includes(value);

/** Pages as api §1.7 shapes them. */
export interface DataPage<X> {
  readonly data: X[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
  readonly has_more: 0 | 1;
}
/** Rows of one page, and how many there are on all pages. */
export interface Rows<X> {
  readonly rows: readonly X[];
  readonly total: number;
}
/** A page of rows in the shape of api §1.7. */
export const toDataPage = <R, X>({ rows, total }: Rows<R>, place: PagePlace, show: (row: R) => X): DataPage<X> => ({
  data: rows.map((row) => show(row)),
  page: place.page,
  page_size: place.size,
  total,
  has_more: hasMore(rows.length, total, place),
});
export interface ListPage<X> {
  readonly list: X[];
  readonly count: number;
  readonly page: number;
  readonly page_size: number;
  readonly has_more: 0 | 1;
}
/** A page of rows in the older shape, with `list` and `count`. */
export const toListPage = <R, X>({ rows, total }: Rows<R>, place: PagePlace, show: (row: R) => X): ListPage<X> => ({
  list: rows.map((row) => show(row)),
  count: total,
  page: place.page,
  page_size: place.size,
  has_more: hasMore(rows.length, total, place),
});
interface PagePlace {
  readonly page: number;
  readonly size: number;
  readonly offset: number;
}
const hasMore = (count: number, total: number, { offset }: PagePlace): 0 | 1 =>
  count > 0 && offset + count < total ? 1 : 0;
