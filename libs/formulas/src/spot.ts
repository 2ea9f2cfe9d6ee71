import { multiply, rescale } from '@bourse/money';

/** Scale of coins (rules §2). */
export const COIN_SCALE = 8;

/**
 * The decimals of a pair. Prices are ticks of `priceScale`, quantities lots of `numberScale`, money units of its
 * currency's scale.
 */
export interface PairScales {
  readonly priceScale: number;
  readonly numberScale: number;
  readonly baseScale: number;
  readonly quoteScale: number;
}
export type Side = 'buy' | 'sell';

/**
 * Quote money of a price and a quantity. A fill rounds down once, the same for both sides; a hold rounds up (rules §2).
 */
export function quoteOf(pair: PairScales, ticks: bigint, lots: bigint, rounding: 'down' | 'up'): bigint {
  return multiply(ticks, pair.priceScale, lots, pair.numberScale, pair.quoteScale, rounding);
}

/** Base money of a quantity. Exact: a pair never counts finer than its currency. */
export const baseOf = (pair: PairScales, lots: bigint): bigint => rescale(lots, pair.numberScale, pair.baseScale, 'up');

/** Money a limit order holds: price × amount of the quote, up, for a buy; the amount for a sell (rules §2). */
export const holdOf = (pair: PairScales, side: Side, ticks: bigint, lots: bigint): bigint =>
  side === 'buy' ? quoteOf(pair, ticks, lots, 'up') : baseOf(pair, lots);

/** The result of walking the levels of one side for a quantity. */
export interface Walk {
  /** Quote money, up, rounded once. */
  readonly cost: bigint;
  /** Lots that the levels hold of it. */
  readonly taken: bigint;
  /** Ticks of the last level it reaches; 0 when it reaches none. */
  readonly worst: bigint;
}

/**
 * Walks levels, best first, for a quantity, as a market order would. @param within whether a price may be taken; the
 * walk ends at the first that may not
 */
export function walk(
  pair: PairScales,
  levels: Iterable<readonly [ticks: bigint, lots: bigint]>,
  lots: bigint,
  within: (ticks: bigint) => boolean = () => true,
): Walk {
  let left = lots;
  let raw = 0n;
  let worst = 0n;
  for (const [ticks, available] of levels) {
    if (left === 0n || !within(ticks)) break;
    const take = available < left ? available : left;
    raw += ticks * take;
    left -= take;
    worst = ticks;
  }
  const cost = rescale(raw, pair.priceScale + pair.numberScale, pair.quoteScale, 'up');
  return { cost, taken: lots - left, worst };
}
