import type { DepthLevel } from '@bourse/matching';

/** The levels that a replay offers on each side, best first. */
export interface ReplayBook {
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

const LEVELS = 20;
/** One level to the next: this part of the price, rounded down to one digit, at least a tick. */
const STEP_PART = 5_000;

/** Width of a level at a price, in ticks. */
function levelStep(price: number): number {
  const most = Math.floor(price / STEP_PART);
  if (most < 1) return 1;
  const power = 10 ** (String(most).length - 1);
  return Math.floor(most / power) * power;
}

/**
 * The book around the last print: 20 levels a side of `lots` each on a grid of steps. The best bid lies below the print
 * and the best ask above it, so that a market order always pays a spread.
 */
export function replayBook(last: number, lots: number): ReplayBook {
  const step = levelStep(last);
  const bid = Math.floor((last - 1) / step) * step;
  const ask = Math.floor(last / step) * step + step;
  const levels = (first: number, by: number): DepthLevel[] =>
    Array.from({ length: LEVELS }, (_, index): DepthLevel => [first + by * index, lots]).filter(([price]) => price > 0);
  return { bids: levels(bid, -step), asks: levels(ask, step) };
}
