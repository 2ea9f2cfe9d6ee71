/** A label that belongs to a height of the chart. */
export interface LabelSize {
  /** Pixels from the top to where its upper edge belongs. */
  readonly y: number;
  readonly width: number;
  /** Keeps its place before others where not all have room. */
  readonly isFirst: boolean;
}
/** The upper left corner of a label. */
export interface LabelPlace {
  readonly x: number;
  readonly y: number;
}
/** The place that labels have. */
interface LabelRoom {
  readonly width: number;
  readonly height: number;
  /** From the upper edge of a label to that of the next. */
  readonly gap: number;
}

/** Between two columns. */
const COLUMN_GAP_PX = 4;

/**
 * Places of labels so that none covers another, each as near to its height as the others allow. Labels that have no
 * room in one column alternate between as many columns as they need and the width allows. What has no room even then
 * gets no place: the last labels that need not be first.
 */
export function placeLabels(labels: readonly LabelSize[], room: LabelRoom): (LabelPlace | undefined)[] {
  const rows = Math.max(1, Math.floor(room.height / room.gap));
  for (let columns = Math.max(1, Math.ceil(labels.length / rows)); ; columns -= 1) {
    const kept = keptLabels(labels, rows * columns);
    const order = kept.toSorted((one, other) => labels[one]!.y - labels[other]!.y || one - other);
    const byColumn = Array.from({ length: columns }, (_, column) =>
      order.filter((_at, rank) => rank % columns === column),
    );
    const widths = byColumn.map((column) => Math.max(0, ...column.map((at) => labels[at]!.width)));
    const width = widths.reduce((sum, one) => sum + one + COLUMN_GAP_PX, -COLUMN_GAP_PX);
    if (columns > 1 && width > room.width) continue;
    const places: (LabelPlace | undefined)[] = labels.map(() => undefined);
    let x = 0;
    for (const [column, members] of byColumn.entries()) {
      const ys = moveApart(
        members.map((at) => labels[at]!.y),
        room.gap,
        room.height - room.gap,
      );
      for (const [rank, at] of members.entries()) places[at] = { x, y: ys[rank]! };
      x += widths[column]! + COLUMN_GAP_PX;
    }
    return places;
  }
}

/** The labels that have room: those that are first, then the others in their order. */
function keptLabels(labels: readonly LabelSize[], most: number): number[] {
  const all = labels.map((_, at) => at);
  if (all.length <= most) return all;
  const first = all.filter((at) => labels[at]!.isFirst);
  const others = all.filter((at) => !labels[at]!.isFirst);
  return [...first, ...others].slice(0, most);
}

/**
 * Moves heights, in ascending order, at least `gap` apart, each as near to its own as that leaves. There must be room
 * for all of them up to `end`.
 */
function moveApart(heights: readonly number[], gap: number, end: number): number[] {
  let next = 0;
  const moved = heights.map((height) => {
    const place = Math.max(next, height);
    next = place + gap;
    return place;
  });
  // Labels that were pushed over the end come back, and push the others up.
  let limit = end;
  for (let at = moved.length - 1; at >= 0; at -= 1) {
    moved[at] = Math.max(0, Math.min(moved[at]!, limit));
    limit = moved[at]! - gap;
  }
  return moved;
}
