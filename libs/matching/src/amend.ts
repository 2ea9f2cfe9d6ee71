import { BUY } from './book.js';
import { limitHold, stopMarketHold, type Market } from './market.js';
import type { Order } from './order.js';
import { firstTrigger } from './trail.js';

/** Another price or amount for an open order, in ticks and lots; null: it stays as it is. */
export interface Amend {
  /** Names the hold of what the ledger has held for it. */
  readonly id: string;
  readonly price: number | null;
  /** The whole amount, what is filled of it included. */
  readonly quantity: number | null;
  /** Units that the ledger has held for it, beside what the order holds. */
  readonly held: bigint;
}

/** An applied amend. */
export interface Amended {
  readonly amend: Amend;
  readonly order: Order;
  /** The market's sequence of the amend. */
  readonly sequence: number;
  /** Place in time, price and quantity of the order before it. */
  readonly before: Pick<Order, 'sequence' | 'price' | 'quantity'>;
  /** Number of the market's last trade before it. */
  readonly tradeSequence: number;
  /** Units that go from what was held for it into the hold of the order, and units that leave that hold. */
  readonly taken: bigint;
  readonly given: bigint;
}

/**
 * Why an open order stays as it is: `filled` of it is as much as the new amount, it is post-only and would trade, what
 * is held does not cover it any more, the market is not open, or it shares its hold with the other leg of a pair.
 */
export type AmendRefusal = 'filled' | 'post_only' | 'hold' | 'paused' | 'linked';

/** The hold of an order for `lots` that are not filled, at a limit price (rules §2). */
export function holdFor(
  market: Market,
  { type, side, stopPrice, trail }: Pick<Order, 'type' | 'side' | 'stopPrice' | 'trail'>,
  price: number,
  lots: number,
): bigint {
  const name = side === BUY ? 'buy' : 'sell';
  if (trail) return stopMarketHold(market, name, firstTrigger(trail, side), lots);
  return type === 'stop_market' ? stopMarketHold(market, name, stopPrice, lots) : limitHold(market, name, price, lots);
}

/** Whether an order with these terms keeps its priority: only when its price stays and its amount does not grow. */
export const keepsPriority = (before: Pick<Order, 'price' | 'quantity'>, price: number, quantity: number): boolean =>
  price === before.price && quantity <= before.quantity;
