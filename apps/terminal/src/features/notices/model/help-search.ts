import type { News } from '@bourse/contract';

/** The words of an article without its markup. */
const wordsOf = ({ title, abstract, content }: Pick<News, 'title' | 'abstract' | 'content'>): string =>
  `${title} ${abstract} ${content.replace(/<[^>]*>/g, ' ')}`;

/** Text as it is compared: without case and without accents. */
const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Articles that hold all words typed, in any order; those with all of them in the title first. */
export function foundArticles<N extends Pick<News, 'title' | 'abstract' | 'content'>>(
  articles: readonly N[],
  typed: string,
): readonly N[] {
  const words = plain(typed).split(/\s+/).filter(Boolean);
  const holds = (text: string): boolean => words.every((word) => text.includes(word));
  const found = articles.filter((article) => holds(plain(wordsOf(article))));
  const titled = (article: N): boolean => holds(plain(article.title));
  return [...found.filter(titled), ...found.filter((article) => !titled(article))];
}
