import type { ToastTone } from '@bourse/ui';

/**
 * One thing that happened to the person's orders or money; texts are made when it is shown, in the language of then.
 */
export interface Entry {
  /** A later entry with the same id takes the place of the first: one an order, one a deposit. */
  readonly id: string;
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  /** Second line: the fee, what is left. */
  readonly detail?: { readonly key: string; readonly params: Readonly<Record<string, string>> };
  readonly tone: ToastTone;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Address of the screen that shows it. */
  readonly to: string;
}
/** An entry before it is shown: it gets its time then. */
export type News = Omit<Entry, 'at'>;

/** Positions that end together are one piece of news, named by the first of them. */
export const leverNewsId = (ids: readonly string[]): string =>
  `lever ${ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? ''}`;

/** How many entries a browser keeps of a person. */
const ENTRIES_MAX = 100;

/** The list with one entry more, newest first; an entry of the same id is replaced. */
export function withEntry(entries: readonly Entry[], entry: Entry): readonly Entry[] {
  return [entry, ...entries.filter(({ id }) => id !== entry.id)].slice(0, ENTRIES_MAX);
}
