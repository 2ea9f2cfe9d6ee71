let open: (() => void) | undefined;

/** Opens the search of pairs, own orders, pages and actions. */
export const openSearch = (): void => open?.();

/** Lets `search` open the search, also at Ctrl+K (⌘K). @returns a function that stops the key */
export function onSearch(search: () => void): () => void {
  open = search;
  const onKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    search();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}
