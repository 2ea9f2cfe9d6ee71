import type { SpotAmend, SpotPlace } from '@bourse/events';
import { toUnits } from '@bourse/money';
import type { Amend } from '../domain/amend.js';
import type { SelfTrade, Side, TimeInForce } from '../domain/book.js';
import { heldScale, lotsOf, ticksOf, type Market } from '../domain/market.js';
import type { Order, OrderTerms } from '../domain/order.js';
import { numberText, priceText, SIDE_NAMES, STP_NAMES, TIF_NAMES } from './order-view.js';

/** An order as the ledger passes it on to its book; `termsOf` reads it there. */
export const placeOf = (market: Market, order: Order): SpotPlace => ({
  orderId: order.id,
  clientOrderId: order.clientOrderId,
  userId: order.userId,
  pairId: market.pairId,
  symbol: market.symbol,
  side: SIDE_NAMES[order.side],
  orderType: order.type,
  timeInForce: TIF_NAMES[order.timeInForce],
  postOnly: order.postOnly,
  selfTrade: STP_NAMES[order.selfTrade],
  price: priceText(market, order.price),
  quantity: numberText(market, order.quantity),
  stopPrice: order.stopPrice === 0 ? null : priceText(market, order.stopPrice),
  placedAt: order.placedAt,
});

/**
 * Terms of an order as the ledger passed it on, with what it holds and the fee rates of the moment it arrived.
 * @throws RangeError when a number does not fit the book.
 */
export function termsOf(
  market: Market,
  place: SpotPlace,
  held: string,
  { makerFee, takerFee }: Pick<OrderTerms, 'makerFee' | 'takerFee'>,
): OrderTerms {
  const side = SIDE_NAMES.indexOf(place.side) as Side;
  return {
    id: place.orderId,
    clientOrderId: place.clientOrderId,
    userId: place.userId,
    pairId: place.pairId,
    side,
    type: place.orderType,
    timeInForce: TIF_NAMES.indexOf(place.timeInForce) as TimeInForce,
    postOnly: place.postOnly,
    selfTrade: STP_NAMES.indexOf(place.selfTrade) as SelfTrade,
    price: ticksOf(market, place.price),
    stopPrice: place.stopPrice === null ? 0 : ticksOf(market, place.stopPrice),
    quantity: lotsOf(market, place.quantity),
    held: toUnits(held, heldScale(market, side)),
    makerFee,
    takerFee,
    placedAt: place.placedAt,
  };
}

/**
 * An amend as the ledger passed it on, with what was held for it.
 * @throws RangeError when a number does not fit the book.
 */
export function amendTermsOf(market: Market, amend: SpotAmend, held: string | undefined): Amend {
  const scale = amend.currency === market.quoteId ? market.quoteScale : market.baseScale;
  return {
    id: amend.amendId,
    price: amend.price === null ? null : ticksOf(market, amend.price),
    quantity: amend.quantity === null ? null : lotsOf(market, amend.quantity),
    held: held === undefined ? 0n : toUnits(held, scale),
  };
}
