import { refuse, Refused, type WrittenAmount } from '@bourse/platform';
import { formatUnits, parseAmount } from '@bourse/money';
import {
  BUY,
  GTC,
  MAX_LOTS,
  MAX_TICK,
  SELL,
  type SelfTrade,
  type Side,
  type TimeInForce,
  holdFor,
  quoteOf,
  reaches,
  newOrder,
  type Order,
  pairHold,
  firstTrigger,
  newTrail,
  PERCENT_LEAST,
  PERCENT_MOST,
  triggerAt,
  type Trail,
  STP_NAMES,
  TIF_NAMES,
  marketBounds,
  type Bounds,
  type Hold,
} from '@bourse/matching';
import type { Depth, ListedMarket, Markets } from './markets.js';
import type { OcoBody, OrderFields } from './order-fields.js';

/** An order that passed all checks but the balance: nothing is held for it yet, and it has no fee rates. */
export interface OrderRequest {
  readonly market: ListedMarket;
  readonly order: Order;
  readonly hold: Hold;
  /** The stop leg of a pair, whose limit leg is `order`; absent: it is no pair. */
  readonly stopLeg?: Order;
}

/**
 * Reads an order in the order of rules §12.6: pair → price → amount → decimals → minimum → flags, stop → market open,
 * fresh → book. The balance is the ledger's to check. @throws Refused with the key of the first check that fails.
 */
export function readOrder(
  order: OrderFields,
  markets: Markets,
  made: Pick<Order, 'id' | 'userId' | 'placedAt'>,
): OrderRequest {
  const market = pairOf(order, markets);
  const { side, orderType: type } = order;
  const limited = type === 'limit' || type === 'stop_limit';
  const stops = type === 'stop_limit' || type === 'stop_market';

  const price = limited ? readPrice(order.price, side, market) : null;
  const amount = readQuantity(order.quantity, side, market);
  const priceTicks = price === null ? 0 : ticksWithin(price, market);
  const quantity = lotsWithin(amount, market);

  const depth = markets.depth(market);
  const stop = stops ? readStop(order, market) : null;
  const trail = type === 'trailing_stop' ? readTrail(order, market, depth) : null;
  const worthAt = limited
    ? priceTicks
    : type === 'market'
      ? (depth?.levels(side === BUY ? SELL : BUY)[0]?.[0] ?? depth?.lastPrice ?? 0)
      : trail && !(trail instanceof Refused)
        ? firstTrigger(trail, side)
        : (stop ?? 0);
  checkTotal(market, worthAt, quantity);

  const { timeInForce, postOnly, selfTrade } = order;
  if (postOnly && (timeInForce !== 'GTC' || !limited)) throw refuse('trade.flags', 'post_only');
  // A caller who gives a stop price expects the order to wait; without a stop type it would execute at once.
  if (!stops && order.stopPrice?.text !== undefined) throw refuse('trade.flags', 'stop_price');
  const { clientOrderId = '' } = order;
  const mark = order.triggerBy === 'mark' ? markOf(order, markets, market) : null;
  if (stops) checkStop(order, stop, side, order.triggerBy === 'mark' ? (mark ?? 0) : (depth?.lastPrice ?? 0));
  checkNoTrail(order);
  if (trail instanceof Refused) throw trail;
  const exits = readExits(order, market, type === 'market' ? (depth?.lastPrice ?? 0) : worthAt);

  if (!depth || depth.mode !== 'normal') throw new Refused('market.paused');
  if (order.triggerBy === 'mark' && mark === null) throw new Refused('market.stale');
  const stopPrice = trail ? triggerAt(trail, side, trail.best) : (stop ?? 0);
  const bounds =
    type === 'market'
      ? boundsNow(market, side, quantity, { markets, depth })
      : { price: priceTicks, hold: holdFor(market, { type, side, stopPrice, trail }, priceTicks, quantity) };
  return {
    market,
    hold: bounds.hold,
    order: newOrder({
      id: made.id,
      clientOrderId,
      userId: made.userId,
      pairId: market.pairId,
      side,
      type,
      timeInForce: TIF_NAMES.indexOf(timeInForce) as TimeInForce,
      postOnly,
      selfTrade: STP_NAMES.indexOf(selfTrade) as SelfTrade,
      price: bounds.price,
      stopPrice,
      trail,
      triggerBy: order.triggerBy,
      quantity,
      held: 0n,
      makerFee: 0n,
      takerFee: 0n,
      placedAt: made.placedAt,
      ...exits,
    }),
  };
}

/**
 * Reads an OCO pair in the order of rules §12.6. @throws Refused with the key of the first check that fails.
 */
export function readPair(
  fields: OcoBody,
  markets: Markets,
  made: Pick<Order, 'id' | 'linkId' | 'userId' | 'placedAt'>,
): OrderRequest {
  const market = pairOf(fields, markets);
  const { side, postOnly, selfTrade, clientOrderId = '' } = fields;
  const price = readPrice(fields.price, side, market);
  const limitStop = fields.stopLimitPrice?.text !== undefined;
  const stopLimit = limitStop ? readPrice(fields.stopLimitPrice, side, market, 'stop_limit_price') : null;
  const amount = readQuantity(fields.quantity, side, market);
  const priceTicks = ticksWithin(price, market);
  const stopTicks = stopLimit === null ? 0 : ticksWithin(stopLimit, market, 'stop_limit_price');
  const quantity = lotsWithin(amount, market);
  const depth = markets.depth(market);
  const stopPrice = readStop(fields, market);
  checkTotal(market, priceTicks, quantity);
  checkTotal(market, limitStop ? stopTicks : (stopPrice ?? 0), quantity);
  const last = depth?.lastPrice ?? 0;
  checkStop(fields, stopPrice, side, last);
  const isBetween = (reference: number): boolean => (side === BUY ? priceTicks < reference : priceTicks > reference);
  if (!isBetween(stopPrice) || (last > 0 && !isBetween(last)))
    throw new Refused('trade.ocoSide', {}, { field: 'target_price' });
  if (!depth || depth.mode !== 'normal') throw new Refused('market.paused');
  const both = {
    userId: made.userId,
    pairId: market.pairId,
    side,
    timeInForce: GTC,
    selfTrade: STP_NAMES.indexOf(selfTrade) as SelfTrade,
    quantity,
    held: 0n,
    makerFee: 0n,
    takerFee: 0n,
    placedAt: made.placedAt,
  } as const;
  const order = newOrder({
    ...both,
    id: made.id,
    linkId: made.linkId,
    clientOrderId,
    type: 'limit',
    postOnly,
    price: priceTicks,
    stopPrice: 0,
  });
  const stopLeg = newOrder({
    ...both,
    id: made.linkId,
    linkId: made.id,
    clientOrderId: '',
    type: limitStop ? 'stop_limit' : 'stop_market',
    triggerBy: fields.triggerBy,
    postOnly: false,
    price: stopTicks,
    stopPrice,
  });
  return { market, order, stopLeg, hold: pairHold(market, order, stopLeg) };
}

/** The fields of a trailing stop, and those that no trailing stop has. */
const TRAIL_FIELDS = {
  trailPercent: 'trail_percent',
  trailAmount: 'trail_amount',
  activationPrice: 'activation_price',
};
const EXIT_FIELDS = { takeProfit: 'take_profit', stopLoss: 'stop_loss' };

/** @throws Refused trade.flags for a field that belongs to another type of order. */
function checkNoTrail(order: OrderFields): void {
  const others = order.orderType === 'trailing_stop' ? EXIT_FIELDS : TRAIL_FIELDS;
  for (const [name, field] of Object.entries(others))
    if ((order[name as keyof OrderFields] as WrittenAmount | undefined)?.text !== undefined)
      throw refuse('trade.flags', field);
}

/** The trail of a trailing stop from the last price or its activation price on; a refusal is thrown with the flags. */
function readTrail(
  { side, trailPercent, trailAmount, activationPrice }: OrderFields,
  market: ListedMarket,
  depth: Depth | null,
): Trail | Refused {
  const last = depth?.lastPrice ?? 0;
  const [percent, amount, activation] = [trailPercent?.text, trailAmount?.text, activationPrice?.text];
  try {
    if ((percent === undefined) === (amount === undefined))
      return refuse('trade.trail', percent === undefined ? 'trail_percent' : 'trail_amount');
    const ticksIn = (written: WrittenAmount | undefined, field: string, key: string): number =>
      ticksWithin(readSteps(written, field, market.priceScale, key, MAX_TICK), market, field);
    const terms = {
      percent:
        percent === undefined
          ? 0
          : (readSteps(trailPercent, 'trail_percent', 2, 'trade.trail', PERCENT_MOST).steps ?? 0),
      amount: amount === undefined ? 0 : ticksIn(trailAmount, 'trail_amount', 'trade.trail'),
      activation: activation === undefined ? 0 : ticksIn(activationPrice, 'activation_price', 'trade.activationPrice'),
      reference: activation === undefined ? last : 0,
    };
    if (percent !== undefined && terms.percent < PERCENT_LEAST) return refuse('trade.trail', 'trail_percent');
    const isAhead = side === BUY ? terms.activation < last : terms.activation > last;
    if (activation === undefined ? last === 0 : last > 0 && !isAhead)
      return refuse('trade.activationPrice', 'activation_price');
    const from = terms.activation || last;
    // No trade could trigger it, or its trigger would not fit the book.
    if (side === BUY ? from + terms.amount > MAX_TICK : from <= terms.amount)
      return refuse('trade.trail', 'trail_amount');
    return newTrail(terms);
  } catch (refusal) {
    if (refusal instanceof Refused) return refusal;
    throw refusal;
  }
}

const NO_EXITS = { takeProfit: 0, stopLoss: 0 };

/**
 * Ticks of the exits of an order that is expected to trade at `price` (0: not known): the take profit on the side of a
 * gain, the stop loss on the side of a loss. @throws Refused trade.priceScale, trade.exitSide
 */
function readExits(
  { side, takeProfit, stopLoss }: OrderFields,
  market: ListedMarket,
  price: number,
): Pick<Order, 'takeProfit' | 'stopLoss'> {
  if (takeProfit?.text === undefined && stopLoss?.text === undefined) return NO_EXITS;
  const read = (written: WrittenAmount | undefined, field: string): number =>
    written?.text === undefined
      ? 0
      : ticksWithin(readSteps(written, field, market.priceScale, 'trade.exitSide', MAX_TICK), market, field);
  const exits = { takeProfit: read(takeProfit, 'take_profit'), stopLoss: read(stopLoss, 'stop_loss') };
  checkExits({ side, ...exits }, price);
  return exits;
}

/**
 * An order that trades at `price` (0: not known) has its take profit on the side of a gain, and its stop loss on the
 * side of a loss. @throws Refused trade.exitSide
 */
export function checkExits(
  { side, takeProfit, stopLoss }: Pick<Order, 'side' | 'takeProfit' | 'stopLoss'>,
  price: number,
): void {
  const isGain = (from: number, to: number): boolean =>
    from === 0 || to === 0 || (side === BUY ? to > from : to < from);
  if (!isGain(price, takeProfit)) throw new Refused('trade.exitSide', {}, { field: 'take_profit' });
  if (!isGain(stopLoss, price) || !isGain(stopLoss, takeProfit))
    throw new Refused('trade.exitSide', {}, { field: 'stop_loss' });
}

function pairOf({ quoteId, baseId }: Pick<OrderFields, 'quoteId' | 'baseId'>, markets: Markets): ListedMarket {
  const market = markets.byCurrencies(quoteId, baseId);
  // Right after a start the catalog is still on its way; then no pair is known, and none is delisted for that.
  if (!market && markets.all().length === 0) throw new Refused('common.unavailable');
  if (!market?.openSpot) throw new Refused('pair.delisted');
  return market;
}

/** @throws Refused quantity.rule {min} for an order whose total, in quote money at this price, is below the least. */
export function checkTotal(market: ListedMarket, worthAt: number, quantity: number): void {
  if (worthAt > 0 && quoteOf(market, worthAt, quantity, 'down') < market.minTotal)
    throw new Refused('quantity.rule', { min: formatUnits(market.minTotal, market.quoteScale) }, { field: 'amount' });
}

/** Whole steps of a limit price. @throws Refused with the key of its side. */
export const readPrice = (
  written: WrittenAmount | undefined,
  side: Side,
  { priceScale }: ListedMarket,
  field = 'target_price',
): Steps => readSteps(written, field, priceScale, side === BUY ? 'cuy.pbPrice' : 'cuy.psPrice', MAX_TICK);
/** Whole steps of an amount. @throws Refused with the key of its side. */
export const readQuantity = (written: WrittenAmount | undefined, side: Side, { numberScale }: ListedMarket): Steps =>
  readSteps(written, 'amount', numberScale, side === BUY ? 'cuy.pbNum' : 'cuy.psNum', MAX_LOTS);
/** Ticks of a price. @throws Refused trade.priceScale {scale} */
export const ticksWithin = (price: Steps, { priceScale }: ListedMarket, field = 'target_price'): number =>
  withinScale(price, 'trade.priceScale', priceScale, field);
/** Lots of an amount. @throws Refused trade.numberScale {scale} */
export const lotsWithin = (amount: Steps, { numberScale }: ListedMarket): number =>
  withinScale(amount, 'trade.numberScale', numberScale, 'amount');

/** A positive decimal in whole steps; null: it has more decimals than there are steps. */
interface Steps {
  readonly steps: number | null;
}

/** Whole steps of a positive decimal; null when it is one but has too many decimals, which is checked later. */
function readSteps(written: WrittenAmount | undefined, name: string, scale: number, key: string, most: number): Steps {
  const text = written?.text;
  const parsed = parseAmount(text, scale);
  if (!parsed.ok && parsed.fault === 'notation') throw refuse('common.fieldInvalid', name);
  if (!parsed.ok && parsed.fault === 'scale') return { steps: null };
  if (!parsed.ok || parsed.units === 0n || parsed.units > BigInt(most)) throw new Refused(key, {}, { field: name });
  return { steps: Number(parsed.units) };
}

function withinScale({ steps }: Steps, key: string, scale: number, field: string): number {
  if (steps === null) throw new Refused(key, { scale }, { field });
  return steps;
}

/** Ticks of the stop price; null for a missing or unreadable one, which the check of the flags refuses. */
function readStop({ stopPrice }: Pick<OrderFields, 'stopPrice'>, market: ListedMarket): number | null {
  const parsed = parseAmount(stopPrice?.text, market.priceScale);
  if (!parsed.ok && parsed.fault === 'notation') throw refuse('common.fieldInvalid', 'stop_price');
  return parsed.ok && parsed.units > 0n && parsed.units <= BigInt(MAX_TICK) ? Number(parsed.units) : null;
}

/** The mark in ticks; null: it is not fresh. @throws Refused trade.flags for an order that no mark starts. */
function markOf({ orderType }: OrderFields, markets: Markets, market: ListedMarket): number | null {
  if (orderType !== 'stop_limit' && orderType !== 'stop_market') throw refuse('trade.flags', 'trigger_by');
  return markets.mark(market)?.ticks ?? null;
}

/**
 * At submit the stop must lie on the far side of the price that is to reach it; while that is not known (0), any stop
 * price is allowed.
 */
function checkStop(
  { stopPrice }: Pick<OrderFields, 'stopPrice'>,
  stop: number | null,
  side: Side,
  price: number,
): asserts stop is number {
  if (stopPrice?.text === undefined) throw refuse('common.fieldRequired', 'stop_price');
  if (stop === null || (price > 0 && reaches({ side, stopPrice: stop }, price)))
    throw new Refused('trade.stopPrice', {}, { field: 'stop_price' });
}

/**
 * Cap C, cost W and hold R of a market order (rules §2), by the published book: an old one costs fills, never money.
 */
function boundsNow(
  market: ListedMarket,
  side: Side,
  quantity: number,
  { markets, depth }: { readonly markets: Markets; readonly depth: Depth },
): Bounds {
  if (!markets.feedIsFresh(market)) throw new Refused('market.stale');
  const bounds = marketBounds(market, side, quantity, depth.levels(side === BUY ? SELL : BUY));
  if (!bounds) throw new Refused('trade.bookEmpty');
  return bounds;
}
