import { useEffect, useRef } from 'react';
import { hasScreen } from '../../../routes.js';
import { PERCENTS, type Side } from '../model/ticket.js';
import { INTERVALS, type IntervalId } from './chart-panel.js';
import type { TicketCommand } from './ticket.js';

export interface HotkeyActions {
  search(): void;
  side(side: Side): void;
  interval(interval: IntervalId): void;
  speakBook(): void;
  ticket(command: TicketCommand): void;
  help(): void;
  go(address: string): void;
}
/** Second key after G. */
export const GO: Readonly<Record<string, string>> = {
  s: '/dealCenter',
  l: '/leverdealCenter',
  m: '/secondsOrder',
  c: '/c2cTrade',
  w: '/finance',
  h: '/',
};

const inField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName));

/**
 * Keys of the page (terminal rule 10): inactive in fields and while a dialog is open; none of them sends an order.
 * Single keys can be switched off.
 */
export function useHotkeys(singleKeys: boolean, actions: HotkeyActions): void {
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
      if (
        !singleKeys ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        inField(event.target) ||
        document.querySelector('dialog[open]')
      )
        return;
      const key = event.key.toLowerCase();
      if (chord === 'i' && /^[0-8]$/.test(key)) {
        chord = '';
        const chosen = INTERVALS[Number(key)];
        if (chosen) now.current.interval(chosen.id);
        return;
      }
      if (chord === 'g' && GO[key] !== undefined && hasScreen(GO[key])) {
        chord = '';
        return now.current.go(GO[key]);
      }
      chord = key === 'i' || key === 'g' ? key : '';
      clearTimeout(timer);
      timer = setTimeout(() => {
        chord = '';
      }, 1_500);
      if (key === '/') {
        event.preventDefault();
        now.current.search();
      }
      if (key === 'b') now.current.side('buy');
      if (key === 's') now.current.side('sell');
      if (key === 'l' || key === 'm') now.current.ticket({ mode: key === 'l' ? 'limit' : 'market' });
      if (key === '?') now.current.help();
      const percent = /^[1-5]$/.test(key) ? PERCENTS[Number(key) - 1] : undefined;
      if (percent !== undefined) now.current.ticket({ percent });
    };
    window.addEventListener('keydown', onKey);
    return () => {
      window.removeEventListener('keydown', onKey);
      clearTimeout(timer);
    };
  }, [singleKeys]);
}
