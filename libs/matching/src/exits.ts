import { pow10 } from '@bourse/money';
import { holdFor } from './amend.js';
import { BUY, GTC, SELL } from './book.js';
import { baseOf, type Market } from './market.js';
import { newOrder, type NewOrder, type Order } from './order.js';
import { pairHold } from './pair.js';

export const hasExits = ({ takeProfit, stopLoss }: Pick<Order, 'takeProfit' | 'stopLoss'>): boolean =>
  takeProfit > 0 || stopLoss > 0;

/** Lots that the exits of a done order close: of a buy the received amount after its fee, of a sell the sold amount. */
export const lotsToClose = (market: Market, { side, filled, fee }: Order): number =>
  side === BUY ? Number((baseOf(market, filled) - fee) / pow10(market.baseScale - market.numberScale)) : filled;

/** The exits of a done order: one order, or a pair under one hold. */
export interface ExitOrders {
  readonly first: Order;
  /** The stop leg of a pair. */
  readonly stopLeg: Order | null;
  /** Units that they need; less may be free. */
  readonly need: bigint;
}

/** Exits of a done order over `quantity` lots: the take profit as a limit, the stop loss as a stop market. */
export function exitOrders(market: Market, parent: Order, quantity: number, newId: () => string): ExitOrders {
  const { userId, takeProfit, stopLoss } = parent;
  const both = {
    clientOrderId: '',
    userId,
    pairId: market.pairId,
    side: parent.side === BUY ? SELL : BUY,
    timeInForce: GTC,
    postOnly: false,
    selfTrade: parent.selfTrade,
    quantity,
    held: 0n,
    makerFee: 0n,
    takerFee: 0n,
    placedAt: parent.updatedAt,
    parentId: parent.id,
  } as const satisfies Partial<NewOrder>;
  const limit =
    takeProfit === 0 ? null : newOrder({ ...both, id: newId(), type: 'limit', price: takeProfit, stopPrice: 0 });
  const stop =
    stopLoss === 0 ? null : newOrder({ ...both, id: newId(), type: 'stop_market', price: 0, stopPrice: stopLoss });
  const first = (limit ?? stop) as Order;
  const stopLeg = limit && stop;
  const need = stopLeg ? pairHold(market, first, stopLeg) : holdFor(market, first, first.price, quantity);
  return { first, stopLeg, need };
}
