import { useSyncExternalStore } from 'react';

export type Width = 'phone' | 'tablet' | 'small' | 'wide' | 'huge';
const QUERIES = {
  huge: '(min-width: 1680px)',
  wide: '(min-width: 1280px)',
  small: '(min-width: 1024px)',
  tablet: '(min-width: 768px)',
} as const;
const lists = Object.entries(QUERIES).map(([name, query]) => ({
  name: name as Exclude<Width, 'phone'>,
  list: window.matchMedia(query),
}));
const subscribe = (changed: () => void): (() => void) => {
  for (const { list } of lists) list.addEventListener('change', changed);
  return () => {
    for (const { list } of lists) list.removeEventListener('change', changed);
  };
};
const read = (): Width => lists.find(({ list }) => list.matches)?.name ?? 'phone';

/** Which of the five layouts fits the window. */
export const useWidth = (): Width => useSyncExternalStore(subscribe, read);
