import { moveApart, type ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

/** How often elements follow the price axis: the chart has no event for a drag of the axis. */
export const FOLLOW_MS = 100;

/**
 * Moves each child of `host` to its line, or as near to it as the others allow, and hides it outside of the visible
 * prices. The child of the line `heldId` stays where the pointer holds it.
 */
export function placeAtLines(
  chart: PriceChart,
  host: HTMLElement | null,
  lines: readonly ChartLine[],
  heightPx: number,
  heldId?: string,
): void {
  const seen = lines.flatMap((line, at) => {
    const element = host?.children[at] as HTMLElement | undefined;
    if (!element || line.id === heldId) return [];
    const y = chart.yOf(line.price);
    element.style.visibility = y === undefined ? 'hidden' : '';
    return y === undefined ? [] : [{ element, y: y - heightPx / 2 }];
  });
  const places = moveApart(
    seen.map(({ y }) => y),
    heightPx,
    chart.height() - heightPx,
  );
  for (const [at, { element }] of seen.entries())
    element.style.transform = `translateY(${Math.round(places[at] ?? 0)}px)`;
}
