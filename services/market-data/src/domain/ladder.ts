import { compareUnits, maxOf } from '@bourse/money';

/**
 * The parameters by which the maker quotes a pair. Prices in units of the pair's price scale, quantities in units of
 * its number scale.
 */
export interface LadderPair {
  readonly symbol: string;
  readonly priceScale: number;
  readonly numberScale: number;
  /** Value of one level, in quote units of scale `priceScale + numberScale`. */
  readonly levelValue: bigint;
  /** Smallest value of an order, same scale. */
  readonly minTotal: bigint;
}
export type Side = 'buy' | 'sell';
export interface Quote {
  readonly side: Side;
  readonly price: bigint;
  readonly quantity: bigint;
}
/** A resting order of the maker, as far as the maker knows. */
export interface RestingOrder {
  readonly id: string;
  readonly side: Side;
  readonly price: bigint;
}

const LEVELS = 20;
/** Levels that a move of the feed has left behind stay as far out as this: when it comes back they are needed again. */
const LEVELS_KEPT = 30;
/** The first level is at most 0.02 % from the feed (rules §17): no step of the grid may be wider. */
const STEP_MOST = { part: 2n, of: 10_000n };
/**
 * Another step is chosen only when the present one has become too wide, or less than this part of the widest: a price
 * at a threshold must not requote whole ladders.
 */
const STEP_LEAST = { part: 6n, of: 100_000n };

/** Steps in tenths, times 10ⁿ units: the wider a step, the fewer commands a move of the feed costs. */
const STEPS = [10n, 12n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 70n, 80n, 90n];

/**
 * Step of the grid at a price: the widest round one that keeps the first level near; `present` is kept while it fits.
 * Never below one unit.
 */
export function gridStep(price: bigint, present: bigint | null): bigint {
  const most = (price * STEP_MOST.part) / STEP_MOST.of;
  if (present !== null && (present <= most || present === 1n) && present * STEP_LEAST.of >= price * STEP_LEAST.part)
    return present;
  let step = 1n;
  for (let power = 1n; power <= most; power *= 10n)
    for (const tenths of STEPS)
      if ((tenths * power) % 10n === 0n && (tenths * power) / 10n <= most) step = (tenths * power) / 10n;
  return step;
}

/**
 * The ladder around a price: 20 levels a side on the grid of multiples of the step, the best bid at or under the price
 * and the best ask above it. The quantity of a level depends on its price alone, so that a move of the feed changes
 * only the levels at the ends.
 */
export function ladderAround(pair: LadderPair, price: bigint, step: bigint, levels = LEVELS): Quote[] {
  const below = price / step;
  const quotes: Quote[] = [];
  for (let level = 0; level < levels; level++) {
    const bid = (below - BigInt(level)) * step;
    if (bid > 0n) quotes.push({ side: 'buy', price: bid, quantity: quantityAt(pair, bid) });
    const ask = (below + 1n + BigInt(level)) * step;
    quotes.push({ side: 'sell', price: ask, quantity: quantityAt(pair, ask) });
  }
  return quotes;
}

/**
 * Between half and one and a half of the level's value, by a hash of the price; rounded up to the lot, never below the
 * smallest order.
 */
function quantityAt(pair: LadderPair, price: bigint): bigint {
  const percent = 50n + (((price * 2654435761n) >> 7n) % 101n);
  const value = (pair.levelValue * percent) / 100n;
  return maxOf(value / price, pair.minTotal / price + 1n);
}

export interface LadderPlan {
  /** Orders on the wrong side of the feed, most dangerous first. */
  readonly crossing: readonly RestingOrder[];
  /** Levels to add that match no resting order, nearest to the feed first: they can be placed before any cancel. */
  readonly free: readonly Quote[];
  /** Levels to add where a resting order of the other side is still in the way. */
  readonly blocked: readonly Quote[];
  /** Orders that are not needed and do no harm: off the grid, further out, or the second on a level. */
  readonly surplus: readonly RestingOrder[];
}

/**
 * The changes that turn the resting orders into the ladder around a price: 20 required levels a side, ten optional
 * ones behind them. A side that the feed leaves behind whole has its new levels before the old ones go, so that no side
 * is ever empty.
 */
export function planLadder(
  pair: LadderPair,
  price: bigint,
  step: bigint,
  resting: readonly RestingOrder[],
): LadderPlan {
  const want = new Map(ladderAround(pair, price, step).map((quote) => [levelKey(quote), quote]));
  const may = new Set(ladderAround(pair, price, step, LEVELS_KEPT).map(levelKey));
  const bestBid = (price / step) * step;
  /** How far an order is on the wrong side: a bid over the best bid, or an ask at or under it. */
  const crossing = ({ side, price: at }: RestingOrder): bigint => (side === 'buy' ? at - bestBid : bestBid + 1n - at);
  const cancels: RestingOrder[] = [];
  for (const order of resting) {
    const key = levelKey(order);
    if (may.delete(key)) want.delete(key);
    else cancels.push(order);
  }
  const isBlocked = ({ side, price: at }: Quote): boolean =>
    resting.some((order) => order.side !== side && (side === 'buy' ? order.price <= at : order.price >= at));
  // The ladder runs from the feed outwards, and the map keeps its order.
  const places = [...want.values()];
  return {
    crossing: cancels
      .filter((order) => crossing(order) > 0n)
      .sort((one, other) => compareUnits(crossing(other), crossing(one))),
    free: places.filter((quote) => !isBlocked(quote)),
    blocked: places.filter(isBlocked),
    surplus: cancels.filter((order) => crossing(order) <= 0n),
  };
}

export const levelKey = ({ side, price }: { readonly side: Side; readonly price: bigint }): string =>
  `${side}:${price}`;

/** A token bucket of commands: so many a second, and a burst after a pause. Real time in ms. */
export class Budget {
  private tokens: number;
  private at: number | null = null;
  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
  }

  /** Takes up to `wanted` commands; returns how many are allowed now. */
  take(wanted: number, now: number): number {
    if (this.at !== null)
      this.tokens = Math.min(this.burst, this.tokens + (Math.max(0, now - this.at) * this.perSecond) / 1000);
    this.at = now;
    const given = Math.min(wanted, Math.floor(this.tokens));
    this.tokens -= given;
    return given;
  }

  /** Returns unused tokens. */
  giveBack(count: number): void {
    this.tokens = Math.min(this.burst, this.tokens + count);
  }
}
