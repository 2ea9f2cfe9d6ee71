import { useEffect, useRef } from 'react';
import { hasScreen } from '../../paths.js';
import { HotkeyRegistry, type Hotkey } from './registry.js';

const registry = new HotkeyRegistry();
/** Screens by the second key after G. */
const GO: readonly (readonly [key: string, address: string])[] = [
  ['s', '/dealCenter'],
  ['l', '/leverdealCenter'],
  ['m', '/secondsOrder'],
  ['p', '/practice'],
  ['c', '/c2cTrade'],
  ['w', '/finance'],
  ['h', '/'],
];

/** The keys that lead to other screens: those that exist. */
export const goKeys = (go: (address: string) => void): Hotkey[] =>
  GO.filter(([, address]) => hasScreen(address)).map(([key, address]) => ({
    keys: `g ${key}`,
    run: () => go(address),
  }));

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

const onKey = (event: KeyboardEvent): void => {
  // A menu or the chart has handled the key.
  if (event.defaultPrevented) return;
  const { key, code, altKey: alt, shiftKey: shift, repeat } = event;
  const ctrl = event.ctrlKey || event.metaKey;
  const single = !inField(event.target) && document.querySelector('dialog[open], [role=menu]') === null;
  if (registry.press({ key, code, ctrl, alt, shift, repeat, single }, performance.now())) event.preventDefault();
};

/**
 * Keys of a page or panel while it is shown (terminal rule 10): single ones are inactive in fields, while a dialog or
 * menu is open and when `single` is off; only those with Shift may send or cancel an order.
 */
export function useHotkeys(single: boolean, hotkeys: readonly Hotkey[]): void {
  const now = useRef<readonly Hotkey[]>([]);
  now.current = single ? hotkeys : hotkeys.filter(({ keys }) => /^(ctrl|alt|shift)\+/.test(keys));
  useEffect(() => {
    const leave = registry.add(() => now.current);
    // The same listener may be added many times and is called once.
    window.addEventListener('keydown', onKey);
    return () => {
      leave();
      if (registry.empty) window.removeEventListener('keydown', onKey);
    };
  }, []);
}
