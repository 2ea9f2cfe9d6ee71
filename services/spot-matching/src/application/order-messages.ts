import {
  SpotPlaceByMarkV1,
  SpotPlaceLinkedV1,
  SpotPlaceTrailingV1,
  SpotPlaceV1,
  type Message,
  type SpotAmend,
  type SpotPlace,
  type SpotPlaceByMark,
  type SpotPlaceLinked,
  type SpotPlaceTrailing,
} from '@bourse/events';
import { formatUnits, toUnits } from '@bourse/money';
import {
  type Amend,
  type SelfTrade,
  type Side,
  type TimeInForce,
  heldScale,
  lotsOf,
  ticksOf,
  type Market,
  type NewOrder,
  type Order,
  type OrderTerms,
  newTrail,
  triggerAt,
  type Trail,
  numberText,
  priceText,
  SIDE_NAMES,
  STP_NAMES,
  TIF_NAMES,
} from '@bourse/matching';

/** Bodies of the messages that place orders. */
export type AnyPlace = SpotPlace | SpotPlaceLinked | SpotPlaceTrailing | SpotPlaceByMark;

/** The message by which the ledger passes an order on to its book, with the stop leg of its pair. */
export function placeMessage(market: Market, order: Order, stopLeg: Order | null): Message {
  const { type, trail, parentId, takeProfit, stopLoss } = order;
  if (type === 'trailing_stop') {
    if (!trail) throw new Error(`invariant: trailing stop ${order.id} has no trail`);
    return SpotPlaceTrailingV1.encode({ ...placeOf(market, order), orderType: type, ...trailFields(market, trail) });
  }
  const place = { ...placeOf(market, order), orderType: type };
  if (order.triggerBy === 'mark') {
    if (type !== 'stop_limit' && type !== 'stop_market') throw new Error(`invariant: ${type} ${order.id} has no mark`);
    return SpotPlaceByMarkV1.encode({ ...place, orderType: type, triggerBy: 'mark', ...exitFields(market, order) });
  }
  return stopLeg || parentId !== '' || takeProfit > 0 || stopLoss > 0
    ? SpotPlaceLinkedV1.encode({ ...place, ...linkFields(market, order, stopLeg) })
    : SpotPlaceV1.encode(place);
}

const placeOf = (market: Market, order: Order): Omit<SpotPlace, 'orderType'> => ({
  orderId: order.id,
  clientOrderId: order.clientOrderId,
  userId: order.userId,
  pairId: market.pairId,
  symbol: market.symbol,
  side: SIDE_NAMES[order.side],
  timeInForce: TIF_NAMES[order.timeInForce],
  postOnly: order.postOnly,
  selfTrade: STP_NAMES[order.selfTrade],
  price: priceText(market, order.price),
  quantity: numberText(market, order.quantity),
  stopPrice: order.stopPrice === 0 ? null : priceText(market, order.stopPrice),
  placedAt: order.placedAt,
});

const trailFields = (market: Market, { percent, amount, activation, reference }: Trail) => ({
  trailPercent: percent === 0 ? null : formatUnits(BigInt(percent), 2),
  trailAmount: amount === 0 ? null : priceText(market, amount),
  activationPrice: activation === 0 ? null : priceText(market, activation),
  reference: reference === 0 ? null : priceText(market, reference),
});

const exitFields = (market: Market, { takeProfit, stopLoss }: Order) => ({
  takeProfit: takeProfit === 0 ? null : priceText(market, takeProfit),
  stopLoss: stopLoss === 0 ? null : priceText(market, stopLoss),
});

/** The orders that are linked to an order. */
const linkFields = (market: Market, order: Order, stopLeg: Order | null): Omit<SpotPlaceLinked, keyof SpotPlace> => ({
  ...exitFields(market, order),
  parentId: order.parentId === '' ? null : order.parentId,
  stopLeg: stopLeg && {
    orderId: stopLeg.id,
    orderType: stopLeg.type === 'stop_limit' ? 'stop_limit' : 'stop_market',
    stopPrice: priceText(market, stopLeg.stopPrice),
    price: priceText(market, stopLeg.price),
  },
});

/** Terms of an order alone, with its hold and the fee rates of the moment it arrived. */
function termsOf(
  market: Market,
  place: AnyPlace,
  held: string,
  { makerFee, takerFee }: Pick<OrderTerms, 'makerFee' | 'takerFee'>,
): NewOrder {
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

/** The trail of an order as the ledger passed it on, and its first trigger. */
function trailOf(market: Market, place: SpotPlaceTrailing, side: Side): Pick<NewOrder, 'trail' | 'stopPrice'> {
  const ticks = (price: string | null): number => (price === null ? 0 : ticksOf(market, price));
  const trail = newTrail({
    percent: place.trailPercent === null ? 0 : Number(toUnits(place.trailPercent, 2)),
    amount: ticks(place.trailAmount),
    activation: ticks(place.activationPrice),
    reference: ticks(place.reference),
  });
  return { trail, stopPrice: triggerAt(trail, side, trail.best) };
}

/** The hold of an order as the ledger passed it on; an exit whose owner has moved the money away has none. */
export const heldOf = (message: Message, place: AnyPlace): string | undefined =>
  message.context?.held ?? ('parentId' in place && place.parentId !== null ? '0' : undefined);

/**
 * Terms of an order as the ledger passed it on, and of the stop leg of its pair; an exit may hold less than it needs.
 * @throws RangeError when a number does not fit the book.
 */
export function placeTermsOf(
  market: Market,
  place: AnyPlace,
  held: string,
  fees: Pick<OrderTerms, 'makerFee' | 'takerFee'>,
): { readonly terms: NewOrder; readonly stopLeg: NewOrder | null } {
  const plain = termsOf(market, place, held, fees);
  if ('reference' in place) return { terms: { ...plain, ...trailOf(market, place, plain.side) }, stopLeg: null };
  if (!('takeProfit' in place)) return { terms: plain, stopLeg: null };
  const exits = {
    takeProfit: place.takeProfit === null ? 0 : ticksOf(market, place.takeProfit),
    stopLoss: place.stopLoss === null ? 0 : ticksOf(market, place.stopLoss),
  };
  if ('triggerBy' in place) return { terms: { ...plain, ...exits, triggerBy: place.triggerBy }, stopLeg: null };
  const { stopLeg, parentId } = place;
  const links = { linkId: stopLeg?.orderId ?? '', parentId: parentId ?? '' };
  return {
    terms: { ...plain, ...links, ...exits },
    stopLeg: stopLeg && {
      ...plain,
      ...links,
      id: stopLeg.orderId,
      clientOrderId: '',
      linkId: place.orderId,
      type: stopLeg.orderType,
      postOnly: false,
      price: ticksOf(market, stopLeg.price),
      stopPrice: ticksOf(market, stopLeg.stopPrice),
      held: 0n,
    },
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
