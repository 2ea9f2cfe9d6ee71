import type { SpotOrder } from '@bourse/contract';
import { formatUnits, parseAmount } from '@bourse/money';
import {
  BUY,
  CANCEL_NEWEST,
  firstTrigger,
  GTC,
  holdFor,
  marketBounds,
  MAX_LOTS,
  MAX_TICK,
  newOrder,
  newTrail,
  pairHold,
  PERCENT_LEAST,
  PERCENT_MOST,
  quoteOf,
  SELL,
  TIF_NAMES,
  triggerAt,
  type Hold,
  type Market,
  type Order,
  type Side,
  type TimeInForce,
  type Trail,
} from '@bourse/matching';
import type { ReplayBook } from './replay-book.js';

/** The fields of the order call that a practice order takes; the ticket fills them (api §2.3). */
export interface PracticeFields {
  readonly type: 1 | 2;
  readonly order_type: SpotOrder['order_type'] | 'oco';
  readonly amount: string;
  readonly target_price?: string | undefined;
  readonly stop_price?: string | undefined;
  readonly stop_limit_price?: string | undefined;
  readonly trail_percent?: string | undefined;
  readonly trail_amount?: string | undefined;
  readonly activation_price?: string | undefined;
  readonly take_profit?: string | undefined;
  readonly stop_loss?: string | undefined;
  readonly time_in_force?: SpotOrder['time_in_force'] | undefined;
  readonly post_only?: 0 | 1 | undefined;
}

/** A practice order that the rules of the market refuse; `key` is that of the exchange's refusal. */
export class PracticeRefusal extends Error {
  constructor(
    readonly key: string,
    readonly params: Readonly<Record<string, string | number>> = {},
  ) {
    super(key);
  }
}

/**
 * An order, or the two legs of a pair, with what it must hold. They have no ids yet: a refused order, which no record
 * has, must draw none, else the repeated commands would give other ids than the first time.
 */
export interface PracticeOrder {
  readonly order: Order;
  readonly stopLeg?: Order;
  readonly hold: Hold;
}

/** The moment at which an order is read. */
export interface PracticeMoment {
  readonly market: Market;
  readonly userId: number;
  readonly at: number;
  /** Ticks of the last print. */
  readonly last: number;
  readonly book: ReplayBook;
}

/** Reads an order as the exchange does (rules §12.6). @throws PracticeRefusal with the first check that fails */
export function readPracticeOrder(fields: PracticeFields, moment: PracticeMoment): PracticeOrder {
  const { market, last } = moment;
  const side: Side = fields.type === 1 ? BUY : SELL;
  const kind = fields.order_type;
  const isLimited = kind === 'limit' || kind === 'stop_limit' || kind === 'oco';
  const price = isLimited ? ticksIn(market, fields.target_price, side === BUY ? 'cuy.pbPrice' : 'cuy.psPrice') : 0;
  const quantity = stepsIn(fields.amount, market.numberScale, MAX_LOTS, side === BUY ? 'cuy.pbNum' : 'cuy.psNum');
  const hasStop = kind === 'stop_limit' || kind === 'stop_market' || kind === 'oco';
  const stopPrice = hasStop ? ticksIn(market, fields.stop_price, 'trade.stopRequired') : 0;
  const trail = kind === 'trailing_stop' ? trailIn(fields, side, moment) : null;
  const levels = side === BUY ? moment.book.asks : moment.book.bids;
  const worthAt = isLimited
    ? price
    : kind === 'market'
      ? (levels[0]?.[0] ?? last)
      : trail
        ? firstTrigger(trail, side)
        : stopPrice;
  checkTotal(market, worthAt, quantity);
  if (hasStop && (side === BUY ? stopPrice <= last : stopPrice >= last)) throw new PracticeRefusal('trade.stopPrice');
  const terms = {
    id: '',
    clientOrderId: '',
    userId: moment.userId,
    pairId: market.pairId,
    side,
    selfTrade: CANCEL_NEWEST,
    quantity,
    held: 0n,
    makerFee: market.makerFee,
    takerFee: market.takerFee,
    placedAt: moment.at,
  } as const;
  if (kind === 'oco') return pairIn(fields, moment, { ...terms, price, stopPrice });
  const bounds =
    kind === 'market'
      ? marketBounds(market, side, quantity, levels)
      : { price, hold: holdFor(market, { type: kind, side, stopPrice, trail }, price, quantity) };
  if (!bounds) throw new PracticeRefusal('trade.bookEmpty');
  return {
    hold: bounds.hold,
    order: newOrder({
      ...terms,
      type: kind,
      timeInForce: TIF_NAMES.indexOf(fields.time_in_force ?? 'GTC') as TimeInForce,
      postOnly: fields.post_only === 1,
      price: bounds.price,
      stopPrice: trail ? triggerAt(trail, side, trail.best) : stopPrice,
      trail,
      ...exitsIn(fields, market, side, kind === 'market' ? last : worthAt),
    }),
  };
}

type PairTerms = Pick<
  Order,
  | 'id'
  | 'clientOrderId'
  | 'userId'
  | 'pairId'
  | 'side'
  | 'selfTrade'
  | 'quantity'
  | 'held'
  | 'makerFee'
  | 'takerFee'
  | 'placedAt'
  | 'price'
  | 'stopPrice'
>;

/** The legs of an OCO pair: the last price lies between the limit and the stop. */
function pairIn(fields: PracticeFields, moment: PracticeMoment, terms: PairTerms): PracticeOrder {
  const { market, last } = moment;
  const { side, price, stopPrice, quantity } = terms;
  const isLimited = (fields.stop_limit_price ?? '') !== '';
  const stopLimit = isLimited ? ticksIn(market, fields.stop_limit_price, 'cuy.pbPrice') : 0;
  checkTotal(market, isLimited ? stopLimit : stopPrice, quantity);
  if (side === BUY ? price >= last : price <= last) throw new PracticeRefusal('trade.ocoSide');
  const both = { ...terms, timeInForce: GTC } as const;
  const order = newOrder({
    ...both,
    type: 'limit',
    postOnly: fields.post_only === 1,
    stopPrice: 0,
  });
  const stopLeg = newOrder({
    ...both,
    type: isLimited ? 'stop_limit' : 'stop_market',
    postOnly: false,
    price: stopLimit,
  });
  return { order, stopLeg, hold: pairHold(market, order, stopLeg) };
}

function trailIn(fields: PracticeFields, side: Side, { market, last }: PracticeMoment): Trail {
  const byPercent = (fields.trail_percent ?? '') !== '';
  const percent = byPercent ? stepsIn(fields.trail_percent, 2, PERCENT_MOST, 'trade.trail') : 0;
  const amount = byPercent ? 0 : ticksIn(market, fields.trail_amount, 'trade.trail');
  const hasActivation = (fields.activation_price ?? '') !== '';
  const activation = hasActivation ? ticksIn(market, fields.activation_price, 'trade.activationPrice') : 0;
  if (byPercent && percent < PERCENT_LEAST) throw new PracticeRefusal('trade.trail');
  if (hasActivation && (side === BUY ? activation >= last : activation <= last))
    throw new PracticeRefusal('trade.activationPrice');
  const from = activation || last;
  if (side === BUY ? from + amount > MAX_TICK : from <= amount) throw new PracticeRefusal('trade.trail');
  return newTrail({ percent, amount, activation, reference: hasActivation ? 0 : last });
}

function exitsIn(
  fields: PracticeFields,
  market: Market,
  side: Side,
  price: number,
): Pick<Order, 'takeProfit' | 'stopLoss'> {
  const read = (text: string | undefined): number =>
    (text ?? '') === '' ? 0 : ticksIn(market, text, 'trade.exitSide');
  const [takeProfit, stopLoss] = [read(fields.take_profit), read(fields.stop_loss)];
  const isGain = (from: number, to: number): boolean =>
    from === 0 || to === 0 || (side === BUY ? to > from : to < from);
  if (!isGain(price, takeProfit) || !isGain(stopLoss, price) || !isGain(stopLoss, takeProfit))
    throw new PracticeRefusal('trade.exitSide');
  return { takeProfit, stopLoss };
}

/** @throws PracticeRefusal for an order whose total at this price is below the least of the market */
export function checkTotal(market: Market, price: number, quantity: number): void {
  if (price > 0 && quoteOf(market, price, quantity, 'down') < market.minTotal)
    throw new PracticeRefusal('quantity.ruleMin', { min: formatUnits(market.minTotal, market.quoteScale) });
}

/** Ticks of a written price. @throws PracticeRefusal */
export const ticksIn = (market: Market, text: string | undefined, key: string): number =>
  stepsIn(text, market.priceScale, MAX_TICK, key);

function stepsIn(text: string | undefined, scale: number, most: number, key: string): number {
  const parsed = parseAmount(text, scale);
  if (!parsed.ok || parsed.units === 0n || parsed.units > BigInt(most)) throw new PracticeRefusal(key);
  return Number(parsed.units);
}
