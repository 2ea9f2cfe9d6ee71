import { placeLabels } from './label-places.js';
import type { ChartLine } from './marks.js';
import type { PriceChart } from './price-chart.js';

/** How often elements follow the price axis: the chart has no event for a drag of the axis. */
export const FOLLOW_MS = 100;
/** The axis with the prices, and a margin at both sides: labels leave them free. */
const AXIS_PX = 88;
/** The part of the chart's width that labels may take, in percent: the bars stay in sight. */
const WIDTH_PERCENT_MAX = 60;

/** How labels are placed. */
interface Placing {
  /** From the upper edge of a label to that of the next. */
  readonly heightPx: number;
  /** Shown over the top of the chart: labels are below it. */
  readonly above: HTMLElement | null;
  /** The line whose label the pointer holds. */
  readonly heldId?: string | undefined;
}

/**
 * Moves each child of `host` to its line, or as near to it as the others allow, and hides it outside of the visible
 * prices. The child of the held line stays where the pointer holds it.
 *
 * @returns how many labels have no room
 */
export function placeAtLines(
  chart: PriceChart,
  host: HTMLElement | null,
  lines: readonly ChartLine[],
  { heightPx, above, heldId }: Placing,
): number {
  const top = Math.min(above ? above.offsetTop + above.offsetHeight : 0, Math.max(0, chart.height() - heightPx));
  const seen = lines.flatMap((line, at) => {
    const element = host?.children[at] as HTMLElement | undefined;
    if (!element || line.id === heldId) return [];
    const y = chart.yOf(line.price);
    if (y === undefined) hide(element);
    if (y === undefined) return [];
    return [{ element, y: y - heightPx / 2 - top, width: element.offsetWidth, isFirst: line.drag !== undefined }];
  });
  const width = (((host?.clientWidth ?? 0) - AXIS_PX) * WIDTH_PERCENT_MAX) / 100;
  const room = { width, height: chart.height() - top, gap: heightPx };
  const places = placeLabels(seen, room);
  for (const [at, { element }] of seen.entries()) {
    const place = places[at];
    if (!place) hide(element);
    if (!place) continue;
    element.style.visibility = '';
    element.style.marginLeft = `${Math.round(place.x)}px`;
    element.style.transform = `translateY(${Math.round(place.y + top)}px)`;
  }
  return places.filter((place) => place === undefined).length;
}

/** Hides a label. One that has the focus stays where it is: while other bars load, the keys would lose their line. */
function hide(element: HTMLElement): void {
  if (!element.contains(document.activeElement)) element.style.visibility = 'hidden';
}
