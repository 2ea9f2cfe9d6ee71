import type { Language, Rows } from '@bourse/contract';
import { Database, type Tx } from '@bourse/persistence';
import type { NewsDraft, NewsItem } from '../domain/news.js';

/** The database of this service; also its token. */
export abstract class NoticesDatabase extends Database {}

export abstract class News {
  /** A page of a category, pinned items first, then the newest, in the requested language or else in English. */
  abstract list(
    category: number,
    lang: Language,
    page: { readonly offset: number; readonly size: number },
  ): Promise<Rows<NewsItem>>;
  abstract byId(id: number, lang: Language): Promise<NewsItem | null>;
  /** Adds an item with all its texts, cleaned. */
  abstract add(
    tx: Tx,
    draft: NewsDraft,
    options: { readonly pinned: boolean; readonly updatedAt: number },
  ): Promise<void>;
}
