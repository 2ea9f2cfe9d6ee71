import type { Anchor, Drawing, Point } from './drawing-tools.js';

/** Parts of the way between two prices that a retracement marks. */
const FIB_LEVELS: readonly number[] = [0, 0.236, 0.382, 0.5, 0.618, 0.786, 1];

/** The index of a time on the axis of bars, with fractions; beyond both ends it continues by the length of a bar. */
export function barIndex(time: number, times: readonly number[]): number | undefined {
  const last = times.length - 1;
  if (last < 1) return undefined;
  const step = times[last]! - times[last - 1]!;
  if (time >= times[last]!) return last + (time - times[last]!) / step;
  if (time <= times[0]!) return (time - times[0]!) / (times[1]! - times[0]!);
  let [low, high] = [0, last];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  return low + (time - times[low]!) / (times[high]! - times[low]!);
}

/** The time at an index of the axis of bars: the inverse of `barIndex`. */
export function timeAt(index: number, times: readonly number[]): number | undefined {
  const last = times.length - 1;
  if (last < 1) return undefined;
  const low = Math.min(last - 1, Math.max(0, Math.floor(index)));
  return times[low]! + (index - low) * (times[low + 1]! - times[low]!);
}

/**
 * A drawing moved by so many pixels; undefined where a point would lie outside of what the chart can place.
 * @param place gives the pixels of an anchor, `anchorAt` the anchor at pixels
 */
export function movedBy(
  drawing: Drawing,
  by: Point,
  place: (anchor: Anchor) => Point | undefined,
  anchorAt: (x: number, y: number) => Anchor | undefined,
): Drawing | undefined {
  const points = drawing.points.flatMap((anchor) => {
    const from = place(anchor);
    const to = from && anchorAt(from.x + by.x, from.y + by.y);
    return to ? [to] : [];
  });
  return points.length === drawing.points.length ? { ...drawing, points } : undefined;
}

/** A straight line of a drawing, with the text at its start. */
export interface Segment {
  readonly from: Point;
  readonly to: Point;
  readonly text?: string;
}

/**
 * The lines of a drawing.
 * @param place gives the pixels of an anchor
 * @param width of the pane: horizontal lines and retracements run to its end
 */
export function segmentsOf(
  { tool, points }: Pick<Drawing, 'tool' | 'points'>,
  place: (anchor: Anchor) => Point | undefined,
  width: number,
  price: (value: number) => string,
): readonly Segment[] {
  const [first, second] = points;
  const from = first && place(first);
  if (!first || !from) return [];
  if (tool === 'horizontal')
    return [{ from: { x: 0, y: from.y }, to: { x: width, y: from.y }, text: price(first.price) }];
  const to = second && place(second);
  if (!second || !to) return [];
  if (tool === 'trend') return [{ from, to }];
  if (tool === 'measure') return [{ from, to, text: measureText(first, second, price) }];
  const left = Math.min(from.x, to.x);
  return FIB_LEVELS.flatMap((level) => {
    const value = second.price + (first.price - second.price) * level;
    const y = place({ time: first.time, price: value })?.y;
    return y === undefined ? [] : [{ from: { x: left, y }, to: { x: width, y }, text: `${level} (${price(value)})` }];
  });
}

const MINUTE_MS = 60_000;
/** Change in price and percent, and the time between two places. */
function measureText(from: Anchor, to: Anchor, price: (value: number) => string): string {
  const by = to.price - from.price;
  const percent = from.price === 0 ? 0 : (100 * by) / from.price;
  const sign = by > 0 ? '+' : by < 0 ? '-' : '';
  const minutes = Math.round(Math.abs(to.time - from.time) / MINUTE_MS);
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  const span = [days && `${days}d`, hours && `${hours}h`, `${minutes % 60}m`].filter(Boolean).join(' ');
  return `${sign}${price(Math.abs(by))} (${sign}${Math.abs(percent).toFixed(2)}%) · ${span}`;
}

/** How far a point is from the nearest line, in pixels. */
export function distanceTo(segments: readonly Segment[], { x, y }: Point): number {
  return Math.min(
    ...segments.map(({ from, to }) => {
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const length = dx * dx + dy * dy;
      const part = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length));
      return Math.hypot(x - from.x - part * dx, y - from.y - part * dy);
    }),
  );
}
