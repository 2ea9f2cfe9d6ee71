import { useEffect, useEffectEvent } from 'react';

/** Elements in which keys type text. */
const TYPED = 'input, textarea, select, [contenteditable]';

/**
 * Handles keys of a page, by `event.key`. Ignores keys typed into a field, keys while a dialog is open, and keys with
 * Ctrl, Meta or Alt, which belong to the browser.
 */
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
