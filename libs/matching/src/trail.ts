import { BUY, MAX_TICK, type Side } from './book.js';

/** A hundred percent, in the unit of `Trail.percent`. */
const PERCENT_WHOLE = 10_000;
/** Bounds of `trail_percent`, in hundredths of a percent. */
export const PERCENT_LEAST = 10;
export const PERCENT_MOST = 2_000;

/** The distance that a trailing stop keeps, and the price that it keeps it from. Prices are ticks. */
export interface Trail {
  /** Hundredths of a percent; 0: the distance is `amount`. */
  readonly percent: number;
  readonly amount: number;
  /** The price that activates it; 0: it is active from the beginning. */
  readonly activation: number;
  /** The last price when it was submitted, from which it trails; 0 with an activation price. */
  readonly reference: number;
  /** Number of the market's last trade when the order arrived; that trade's price is the first one that counts. */
  readonly since: number;
  /** The best price since it is active: the highest for a sell, the lowest for a buy; 0: it is not active. */
  readonly best: number;
}

/** A trailing stop as it is submitted. */
export const newTrail = (terms: Omit<Trail, 'since' | 'best'>): Trail => ({
  ...terms,
  since: 0,
  best: terms.reference,
});

/**
 * The trigger at a best price, rounded to a whole tick in the direction that delays triggering. 0: no price triggers
 * it.
 */
export function triggerAt({ percent, amount }: Pick<Trail, 'percent' | 'amount'>, side: Side, best: number): number {
  if (best === 0) return 0;
  if (side === BUY)
    return Math.min(
      MAX_TICK,
      amount > 0 ? best + amount : Math.ceil((best * (PERCENT_WHOLE + percent)) / PERCENT_WHOLE),
    );
  return Math.max(0, amount > 0 ? best - amount : Math.floor((best * (PERCENT_WHOLE - percent)) / PERCENT_WHOLE));
}

/** The first trigger that it can have: of a buy the highest one, whose cost it holds. */
export const firstTrigger = (trail: Pick<Trail, 'percent' | 'amount' | 'activation' | 'reference'>, side: Side) =>
  triggerAt(trail, side, trail.activation || trail.reference);

/** Whether a price is better for the side than another one: higher for a sell, lower for a buy. */
const isBetter = (side: Side, price: number, than: number): boolean => (side === BUY ? price < than : price > than);

/**
 * The trail after a last price, or after the best one of many: the first price at or beyond the activation price
 * activates it, and a better price moves it. The same object when neither happens.
 */
export function follow(trail: Trail, side: Side, price: number): Trail {
  const { best, activation } = trail;
  if (price === 0) return trail;
  const isMoved = best === 0 ? price === activation || isBetter(side, price, activation) : isBetter(side, price, best);
  return isMoved ? { ...trail, best: price } : trail;
}
