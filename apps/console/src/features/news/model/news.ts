import { isDateText } from '@bourse/ui';
import type { Language, RowOf } from '@bourse/contract';

/** An item of the operators' list, its text in the language that was asked for, else the English one (api §2.12). */
export type NewsRow = RowOf<'GET /api/admin/news'>;
export interface NewsText {
  readonly title: string;
  readonly abstract: string;
  readonly content: string;
}
/** The fields that all languages of an item share. */
export interface NewsFrame {
  readonly category: string;
  readonly cover: string;
  readonly link: string;
  readonly isPinned: boolean;
  readonly place: string;
  /** `YYYY-MM-DDTHH:mm` in UTC, as date fields write it; empty: at once. */
  readonly publishAt: string;
}

export const NO_TEXT: NewsText = { title: '', abstract: '', content: '' };
export const newFrame = (category: string): NewsFrame => ({
  category,
  cover: '',
  link: '',
  isPinned: false,
  place: '0',
  publishAt: '',
});
/** A server time to the minute, as date fields write it. */
const minutesOf = (time: string): string => time.slice(0, 16).replace(' ', 'T');
export const frameOf = (row: NewsRow): NewsFrame => ({
  category: String(row.c_id),
  cover: row.cover,
  link: row.link,
  isPinned: row.pinned === 1,
  place: String(row.sort),
  publishAt: minutesOf(row.publish_time),
});
/** The text in a language. A missing one is empty, although the list shows the English text in its place. */
export const textOf = (row: NewsRow, lang: Language): NewsText =>
  row.langs.includes(lang) ? { title: row.title, abstract: row.abstract, content: row.content } : NO_TEXT;

/** The problems that keep an item from being saved, as message keys by field. */
export function newsProblems(
  text: NewsText,
  {
    row,
    lang,
    publishAt = '',
  }: { readonly row: NewsRow | undefined; readonly lang: Language; readonly publishAt?: string },
): Readonly<Partial<Record<'title' | 'content' | 'lang' | 'publishAt', string>>> {
  return {
    ...(text.title.trim() === '' ? { title: 'console.news.titleMissing' } : {}),
    ...(text.content.trim() === '' ? { content: 'console.news.contentMissing' } : {}),
    ...(row === undefined && lang !== 'en' ? { lang: 'console.news.englishFirst' } : {}),
    ...(publishAt !== '' && !isDateText(publishAt, true) ? { publishAt: 'common.dateWrong' } : {}),
  };
}

/** Fields of the call: of an existing item only the changed fields, and always the whole text. */
export function newsBody(
  { text, frame, lang }: { readonly text: NewsText; readonly frame: NewsFrame; readonly lang: Language },
  row: NewsRow | undefined,
): Record<string, string | number> {
  const before = row && frameOf(row);
  const changed = <K extends keyof NewsFrame>(name: K): boolean => before === undefined || before[name] !== frame[name];
  return {
    ...(row ? { id: row.id } : {}),
    ...(changed('category') ? { c_id: frame.category } : {}),
    lang,
    title: text.title.trim(),
    abstract: text.abstract.trim(),
    // Fields of calls have no line breaks (api §1.4); in HTML a blank says the same.
    content: text.content.trim().replace(/\s*[\r\n]\s*/g, ' '),
    ...(before ? changed('cover') && { cover: frame.cover } : frame.cover !== '' && { cover: frame.cover }),
    ...(before ? changed('link') && { link: frame.link.trim() } : frame.link !== '' && { link: frame.link.trim() }),
    ...(changed('isPinned') ? { pinned: frame.isPinned ? 1 : 0 } : {}),
    ...(changed('place') ? { sort: frame.place === '' ? '0' : frame.place } : {}),
    ...(frame.publishAt !== '' && changed('publishAt')
      ? { publish_time: `${frame.publishAt.replace('T', ' ')}:00` }
      : {}),
  };
}

/** A text with a picture at its end. */
export const withPicture = (content: string, address: string): string =>
  `${content}${content === '' || content.endsWith('\n') ? '' : '\n'}<p><img src="${address}" alt=""></p>`;
