import { useEffect, useRef } from 'react';
import type { Side } from '../model/ticket.js';
import { INTERVALS, type IntervalId } from './chart-panel.js';

export interface HotkeyActions { search(): void; side(side: Side): void; interval(interval: IntervalId): void; speakBook(): void }

const inField = (target: EventTarget | null): boolean => target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/** Keys of the page (terminal rule 10): inactive in fields and while a dialog is open; none of them sends an order. */
export function useHotkeys(actions: HotkeyActions): void {
  const now = useRef(actions);
  now.current = actions;
  useEffect(() => {
    let chord = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        return now.current.search();
      }
      if (event.altKey && event.code === 'KeyB') {
        event.preventDefault();
        return now.current.speakBook();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || inField(event.target) || document.querySelector('[role=dialog]')) return;
      const key = event.key.toLowerCase();
      if (chord === 'i' && /^[0-8]$/.test(key)) {
        chord = '';
        const chosen = INTERVALS[Number(key)];
        if (chosen) now.current.interval(chosen.id);
        return;
      }
      chord = key === 'i' ? 'i' : '';
      clearTimeout(timer);
      timer = setTimeout(() => { chord = ''; }, 1_500);
      if (key === '/') {
        event.preventDefault();
        now.current.search();
      }
      if (key === 'b') now.current.side('buy');
      if (key === 's') now.current.side('sell');
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      clearTimeout(timer);
    };
  }, []);
}
