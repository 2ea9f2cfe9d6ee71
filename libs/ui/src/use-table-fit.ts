import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** Below this width of its place a table is cards: rows of so few columns say less than a card. */
const CARDS_BELOW_PX = 640;

export interface TableFit {
  readonly region: RefObject<HTMLDivElement | null>;
  /** So many of the columns of the second rank have no room. */
  readonly hidden: number;
  /** Cells are shown below each other where their columns allow it. */
  readonly isStacked: boolean;
  /** Not even stacked cells of the first rank fit into one row. */
  readonly asCards: boolean;
}
interface Fitted {
  readonly cards: boolean;
  /** Number of columns of the second rank. */
  readonly wide: number;
  /** There are columns that can be shown below others. */
  readonly canStack: boolean;
  /** Changes when the width of the content may have changed. */
  readonly content: string;
}

/**
 * Fits a table into its place by its content: columns of the second rank are hidden one after the other, then cells are
 * stacked and the columns hidden again, then rows become cards. Nothing is scrolled sideways or covered by a fixed
 * column.
 */
export function useTableFit({ cards, wide, canStack, content }: Fitted): TableFit {
  const region = useRef<HTMLDivElement>(null);
  const [level, setLevel] = useState(0);
  /** The widths that a level needed when it was too wide. */
  const needs = useRef<{ content: string; widths: number[] }>({ content, widths: [] });
  const last = (wide + 1) * (canStack ? 2 : 1);
  const best = (width: number): number => {
    if (width < CARDS_BELOW_PX) return last;
    const at = Array.from({ length: last }, (_, one) => needs.current.widths[one] ?? 0).findIndex((px) => px <= width);
    return at < 0 ? last : at;
  };
  const fit = (): void => {
    const host = region.current;
    if (!cards || !host) return;
    if (needs.current.content !== content) needs.current = { content, widths: [] };
    if (level < last && host.scrollWidth > host.clientWidth + 1) needs.current.widths[level] = host.scrollWidth;
    setLevel(best(host.clientWidth));
  };
  useLayoutEffect(fit);
  const refit = useEffectEvent(fit);
  useLayoutEffect(() => {
    const host = region.current;
    if (!cards || !host) return undefined;
    // A narrower place may have no room for what is shown, and nothing else causes a render then.
    const observer = new ResizeObserver(() => refit());
    observer.observe(host);
    return () => observer.disconnect();
  }, [cards, last]);
  const asTable = level < last;
  return {
    region,
    hidden: asTable ? level % (wide + 1) : 0,
    isStacked: asTable && level > wide,
    asCards: cards && !asTable,
  };
}
