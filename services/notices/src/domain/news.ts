import type { Language } from '@bourse/contract';

/** One news item in one language. `content` is HTML. */
export interface NewsText {
  readonly title: string;
  readonly abstract: string;
  readonly content: string;
}
export interface NewsItem extends NewsText {
  readonly id: number;
  readonly category: number;
  /** Language of the text. */
  readonly lang: Language;
  readonly cover: string;
  readonly link: string;
  readonly updatedAt: number;
}
/** An item as operators see it. `place`: greater ones come first. Times are business time, ms. */
export interface WholeNews {
  readonly id: number;
  readonly category: number;
  /** Name of a picture of ours, `''` for none. */
  readonly cover: string;
  readonly link: string;
  readonly isPinned: boolean;
  readonly place: number;
  readonly publishedAt: number;
  readonly updatedAt: number;
  readonly texts: Readonly<Partial<Record<Language, NewsText>>>;
}
/** An operator's change of an item; absent fields stay as they were. */
export interface NewsChange {
  readonly category?: number | undefined;
  readonly cover?: string | undefined;
  readonly link?: string | undefined;
  readonly isPinned?: boolean | undefined;
  readonly place?: number | undefined;
  readonly publishedAt?: number | undefined;
  readonly lang: Language;
  readonly title?: string | undefined;
  readonly abstract?: string | undefined;
  readonly content?: string | undefined;
}
/** The field that a change lacks or has wrong. */
export interface NewsFault {
  readonly key: 'common.fieldRequired' | 'common.fieldInvalid';
  readonly field: string;
}

/**
 * The item after a change; `before` is null for a new one, which gets its id when it is stored. Every item has an
 * English text, on which the other languages fall back: it is written first [NEWS-002].
 */
export function changedNews(before: WholeNews | null, change: NewsChange, now: number): WholeNews | NewsFault {
  const { lang, title, abstract, content, ...given } = change;
  const shared = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const item = { ...(before ?? newNews(now)), ...shared, updatedAt: now };
  if (item.category === 0) return { key: 'common.fieldRequired', field: 'c_id' };
  if (lang !== 'en' && !item.texts.en) return { key: 'common.fieldInvalid', field: 'lang' };
  const was = item.texts[lang];
  if (title === undefined && abstract === undefined && content === undefined && was) return item;
  const [newTitle, newContent] = [title ?? was?.title, content ?? was?.content];
  if (newTitle === undefined) return { key: 'common.fieldRequired', field: 'title' };
  if (newContent === undefined) return { key: 'common.fieldRequired', field: 'content' };
  const text = { title: newTitle, abstract: abstract ?? was?.abstract ?? '', content: newContent };
  return { ...item, texts: { ...item.texts, [lang]: text } };
}
const newNews = (now: number): WholeNews => ({
  ...{ id: 0, category: 0, cover: '', link: '', isPinned: false, place: 0, publishedAt: now, updatedAt: now },
  texts: {},
});

/** The item without a language; null when nothing is left, which is so without its English text [NEWS-002]. */
export function withoutText(item: WholeNews, lang: Language, now: number): WholeNews | null {
  if (lang === 'en') return null;
  const texts = Object.fromEntries(Object.entries(item.texts).filter(([one]) => one !== lang));
  return { ...item, updatedAt: now, texts };
}

/** An item with all its texts, as its writer hands it in. */
export interface NewsDraft {
  readonly id: number;
  readonly category: number;
  readonly cover: string;
  readonly link: string;
  readonly texts: Readonly<Partial<Record<Language, NewsText>>> & { readonly en: NewsText };
}
