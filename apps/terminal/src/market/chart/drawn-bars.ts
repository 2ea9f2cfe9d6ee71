import type { Bar } from '@bourse/contract';

/**
 * Which bars a chart has drawn, so that a change draws as few as possible. Bars leave at the old end when more than the
 * maximum are held; the chart library counts bars from the first one that it was given, so all are then drawn again.
 */
export class DrawnBars {
  private first: number | undefined;
  private last = -Infinity;

  /** All of these bars are drawn. */
  reset(bars: readonly Bar[]): void {
    this.first = bars[0]?.time;
    this.last = bars.at(-1)?.time ?? -Infinity;
  }

  /**
   * Marks the newest bars as drawn. @returns the index of the first bar to draw: the newest one that was drawn, which
   * may have changed since; undefined: the old end moved, draw all
   */
  advance(bars: readonly Bar[]): number | undefined {
    if (bars[0]?.time !== this.first) return undefined;
    const from = bars.findLastIndex(({ time }) => time <= this.last);
    this.last = bars.at(-1)?.time ?? this.last;
    return Math.max(0, from);
  }
}
