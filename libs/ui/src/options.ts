import type { ReactNode } from 'react';

export interface Option<T extends string> {
  value: T;
  /** The text that the field shows once it is chosen, and that is searched. */
  text: string;
  /** Other words it is found by: the long name of a coin, the code of a country. */
  keywords?: string;
  /** The row in the list; `text` without it. */
  row?: ReactNode;
}

/** Options whose text or keywords hold all words typed, in any order; those that begin with the text come first. */
export function findOptions<T extends string>(options: readonly Option<T>[], typed: string): readonly Option<T>[] {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  const found = options.filter(({ text, keywords = '' }) => {
    const all = `${text} ${keywords}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const begins = ({ text }: Option<T>): boolean => text.toLowerCase().startsWith(words[0] ?? '');
  return [...found.filter(begins), ...found.filter((option) => !begins(option))];
}
