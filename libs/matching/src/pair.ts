import { holdFor } from './amend.js';
import type { Market } from './market.js';
import type { Order } from './order.js';

/** Units that leave the hold of the limit leg of a pair: into the hold of its stop leg, or back to their owner. */
export interface HoldMove {
  /** The limit leg, which holds for both. */
  readonly limit: Order;
  /** The stop leg that takes them; null: they go back to their owner. */
  readonly stop: Order | null;
  readonly units: bigint;
}

/** The least amount of one hold for both legs of a pair: no more than one of them is ever filled. */
export function pairHold(market: Market, limit: Order, stop: Order): bigint {
  const [ofLimit, ofStop] = [limit, stop].map((leg) => holdFor(market, leg, leg.price, leg.quantity)) as [
    bigint,
    bigint,
  ];
  return ofLimit > ofStop ? ofLimit : ofStop;
}

/**
 * The amount that the stop leg of a pair takes when it starts. A stop market order takes all, since its hold is its
 * budget: the band may have changed since the pair was placed.
 */
export const takenBy = (market: Market, stop: Order, held: bigint): bigint =>
  stop.type === 'stop_market' ? held : holdFor(market, stop, stop.price, stop.quantity);
