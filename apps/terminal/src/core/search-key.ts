import { useEffect, useRef } from 'react';

let searchOfPage: (() => void) | undefined;

/** While a page with a search of its own is shown, Ctrl+K (⌘K) opens that search. */
export function usePageSearch(search: () => void): void {
  const now = useRef(search);
  now.current = search;
  useEffect(() => {
    searchOfPage = () => now.current();
    return () => {
      searchOfPage = undefined;
    };
  }, []);
}

/** Calls `search` at Ctrl+K (⌘K) on pages without a search of their own. @returns a function that stops it */
export function onSearchKey(search: () => void): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    (searchOfPage ?? search)();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
