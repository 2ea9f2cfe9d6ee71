import type { Side } from './ladder.js';

/** The taker's view of a pair before it decides. Prices in units of the pair's price scale. */
export interface TakerView {
  readonly feed: bigint;
  readonly last: bigint | null;
  readonly lastTookAt: number | null;
  readonly boughtMore: boolean;
  /** A client is connected to the demo market. */
  readonly lively: boolean;
  readonly now: number;
}
/** A small market order: its side and its value, in percent of the usual one. */
export interface TakerDecision {
  readonly side: Side;
  readonly percent: bigint;
}

/** While the market is not lively an order comes about this often, so that trades and candles never stop. */
const RESTING_MS = 20_000;
/** When the last price has left the feed by more than this, an order comes as soon as this. */
const AWAY_MS = 4_000;
const AWAY_PER_10_000 = 5n;
/** In a lively market orders come after one to three seconds, and are smaller. */
const LIVELY_MS = { least: 1_000, most: 3_000 };

/**
 * Whether to take now. The side follows the feed when the last price has fallen behind it; otherwise it evens out what
 * the taker has bought and sold. `draw` is a number in [0, 1): same input, same answer.
 */
export function decideTakerOrder(
  { feed, last, lastTookAt, boughtMore, lively, now }: TakerView,
  draw: number,
): TakerDecision | null {
  const rested = lastTookAt === null ? Number.POSITIVE_INFINITY : now - lastTookAt;
  const gap = last === null ? 0n : feed > last ? feed - last : last - feed;
  const away = last !== null && gap * 10_000n > feed * AWAY_PER_10_000;
  const resting = lively
    ? LIVELY_MS.least + (LIVELY_MS.most - LIVELY_MS.least) * draw
    : away
      ? AWAY_MS
      : RESTING_MS * (0.6 + 0.8 * draw);
  if (rested < resting) return null;
  const even: Side = boughtMore ? 'sell' : 'buy';
  const side: Side =
    away && last !== null ? (feed > last ? 'buy' : 'sell') : draw < 0.7 ? even : even === 'buy' ? 'sell' : 'buy';
  const spread = BigInt(Math.floor(draw * 1_000_003));
  return { side, percent: lively ? 5n + (spread % 41n) : 20n + (spread % 161n) };
}
