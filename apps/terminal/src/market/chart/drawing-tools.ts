/** Tools that draw on a chart. */
export const DRAWING_TOOLS = ['trend', 'horizontal', 'fib', 'measure'] as const;
export type DrawingTool = (typeof DRAWING_TOOLS)[number];

/** A point of a drawing by time and price, the same in every interval and zoom. */
export interface Anchor {
  /** Milliseconds. */
  readonly time: number;
  readonly price: number;
}
export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly points: readonly Anchor[];
}

/** How many points a tool takes: a horizontal line one, the others two. */
export const pointsOf = (tool: DrawingTool): 1 | 2 => (tool === 'horizontal' ? 1 : 2);

/** Reads stored drawings and drops invalid ones: an older or foreign value must not break the chart. */
export function readDrawings(kept: unknown): readonly Drawing[] {
  if (!Array.isArray(kept)) return [];
  return kept.filter((one: Partial<Drawing> | null): one is Drawing => {
    const points: unknown = one?.points;
    return (
      typeof one?.id === 'string' &&
      DRAWING_TOOLS.includes(one.tool as DrawingTool) &&
      Array.isArray(points) &&
      points.length === pointsOf(one.tool as DrawingTool) &&
      points.every(({ time, price }: Partial<Anchor>) => Number.isFinite(time) && Number.isFinite(price))
    );
  });
}

/** A point of the pane of prices, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
