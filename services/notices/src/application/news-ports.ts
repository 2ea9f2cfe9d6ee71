import type { Rows } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { WholeNews } from '../domain/news.js';

/** Each part narrows the list: one item, one category. */
export interface NewsFilter {
  readonly id?: number | undefined;
  readonly category?: number | undefined;
}

/** News as operators keep them: those of the future too, in all languages. */
export abstract class NewsItems {
  /** In the order in which they are shown. */
  abstract list(filter: NewsFilter, page: { readonly offset: number; readonly size: number }): Promise<Rows<WholeNews>>;
  /** The item, locked; null when there is none. */
  abstract lock(tx: Tx, id: number): Promise<WholeNews | null>;
  /** Stores it with all its texts, cleaned; a new one (id 0) gets its id. @returns the id */
  abstract save(tx: Tx, item: WholeNews): Promise<number>;
  abstract remove(tx: Tx, id: number): Promise<void>;
}

/** Pictures that operators have uploaded for news. */
export abstract class NewsPictures {
  /**
   * Claims pictures of news: returns the names that are such pictures; they are public from then on. Throws
   * `AskUnavailable`.
   */
  abstract claim(names: readonly string[]): Promise<ReadonlySet<string>>;
}
