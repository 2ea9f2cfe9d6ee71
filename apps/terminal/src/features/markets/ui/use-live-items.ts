import { useEffect, useMemo, useState, type RefObject } from 'react';
import type { QuotationItem } from '@bourse/contract';
import { tickers } from '../../../core/feed.js';
import { withTicker } from '../model/market-list.js';

/** Interval at which lists are ordered by the live figures; between two, every row keeps its place. */
const ORDER_INTERVAL_MS = 3_000;

/** Whether a mouse is over the element, or the keyboard is in it; after a tap `:hover` would never end. */
const isInUse = (element: HTMLElement): boolean =>
  (window.matchMedia('(hover: hover)').matches && element.matches(':hover')) ||
  element.querySelector(':focus-visible') !== null;

/**
 * Quotations with live figures, for ordering. They are taken again every three seconds, but not while the mouse or
 * the keyboard is in `list`: no row moves away from under a press.
 */
export function useLiveItems(
  items: readonly QuotationItem[] | undefined,
  list: RefObject<HTMLElement | null>,
): readonly QuotationItem[] | undefined {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (list.current && !isInUse(list.current)) setRound((last) => last + 1);
    }, ORDER_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [list]);
  return useMemo(() => items?.map((item) => withTicker(item, tickers.get(item.symbol))), [items, round]);
}
