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
  readonly cover: string;
  readonly link: string;
  readonly updatedAt: number;
}
/** An item with all its texts, as its writer hands it in. */
export interface NewsDraft {
  readonly id: number;
  readonly category: number;
  readonly cover: string;
  readonly link: string;
  readonly texts: Readonly<Partial<Record<Language, NewsText>>> & { readonly en: NewsText };
}
