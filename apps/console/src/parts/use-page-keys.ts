import { useEffect, useEffectEvent } from 'react';

/** Elements in which a key is typed text and no shortcut. */
const TYPED = 'input, textarea, select, [contenteditable]';

/** Keys of a page by `event.key`: not while something is typed, a dialog is open, or a key of the browser is meant. */
export function usePageKeys(keys: Readonly<Record<string, (() => void) | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(TYPED)) return;
    if (document.querySelector('dialog[open]')) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => press(event);
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
