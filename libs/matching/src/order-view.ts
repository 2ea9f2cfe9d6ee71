import { writtenTime, type SpotFill, type SpotOrder } from '@bourse/contract';
import { divide, formatUnits, pow10 } from '@bourse/money';
import { BUY, type Side } from './book.js';
import { feeScale, quoteOf, type Market } from './market.js';
import { isMarket, isStop, type Order } from './order.js';
import { firstTrigger, type Trail } from './trail.js';

/** Names of the contract for the numbers of the book. */
export const TIF_NAMES = ['GTC', 'IOC', 'FOK'] as const;
export const STP_NAMES = ['cancel_newest', 'cancel_oldest', 'cancel_both'] as const;
export const SIDE_NAMES = ['buy', 'sell'] as const;

/** An order as the contract shows it (api §2.3). */
export function orderView(market: Market, order: Order): SpotOrder {
  const buy = order.side === BUY;
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    created_at: writtenTime(order.placedAt),
    updated_at: writtenTime(order.updatedAt),
    ts: order.placedAt,
    updated_ts: order.updatedAt,
    symbol: market.symbol,
    legal_id: market.quoteId,
    currency_id: market.baseId,
    legal_name: market.quoteName,
    currency_name: market.baseName,
    type: buy ? 1 : 2,
    order_type: order.type,
    time_in_force: TIF_NAMES[order.timeInForce],
    post_only: order.postOnly ? 1 : 0,
    stop_price: priceText(market, order.stopPrice),
    triggered: order.triggered ? 1 : 0,
    status: order.status,
    cancelled: order.status === 2 && order.filled < order.quantity ? 1 : 0,
    cancel_reason: order.reason,
    trade_amount: numberText(market, order.quantity),
    filled_amount: numberText(market, order.filled),
    // A market order has no price; its bound was computed by the exchange.
    target_price: priceText(market, isMarket(order) ? 0 : order.price),
    trade_price: meanPrice(market, order),
    fee: formatUnits(order.fee, feeScale(market, order.side)),
    fee_currency: buy ? market.baseName : market.quoteName,
    link_id: order.linkId,
    parent_id: order.parentId,
    take_profit: priceText(market, order.takeProfit),
    stop_loss: priceText(market, order.stopLoss),
    ...(order.trail && trailView(market, order.trail)),
    ...(isStop(order) && !order.trail && { trigger_by: order.triggerBy }),
  };
}

/** The fields that a trailing stop alone has. */
const trailView = (market: Market, { percent, amount, activation, best }: Trail): Partial<SpotOrder> => ({
  trail_percent: formatUnits(BigInt(percent), 2),
  trail_amount: priceText(market, amount),
  activation_price: priceText(market, activation),
  trail_active: best > 0 ? 1 : 0,
});

/** One execution, with the numbers both sides share. */
export interface Execution {
  readonly sequence: number;
  readonly price: number;
  readonly quantity: number;
  readonly quote: bigint;
  readonly at: number;
}

/** One side of an execution as the contract shows it. */
export function fillView(
  market: Market,
  trade: Execution,
  side: Side,
  orderId: string,
  fee: bigint,
  role: 'maker' | 'taker',
): SpotFill {
  const buy = side === BUY;
  return {
    id: `${market.symbol}-${trade.sequence}`,
    order_id: orderId,
    symbol: market.symbol,
    type: buy ? 1 : 2,
    price: priceText(market, trade.price),
    number: numberText(market, trade.quantity),
    total: formatUnits(trade.quote, market.quoteScale),
    fee: formatUnits(fee, feeScale(market, side)),
    fee_currency: buy ? market.baseName : market.quoteName,
    role,
    create_time: writtenTime(trade.at),
    ts: trade.at,
  };
}

export const priceText = (market: Market, ticks: number): string => formatUnits(BigInt(ticks), market.priceScale);
export const numberText = (market: Market, lots: number): string => formatUnits(BigInt(lots), market.numberScale);
/** Money of the whole order at its price, for the entrust lists. */
export const totalText = (market: Market, order: Order): string =>
  formatUnits(
    quoteOf(
      market,
      order.price || order.stopPrice || (order.trail ? firstTrigger(order.trail, order.side) : 0),
      order.quantity,
      'down',
    ),
    market.quoteScale,
  );

/** Mean price of the fills, to the price scale; zero before the first. */
export function meanPrice(market: Market, order: Order): string {
  if (order.filled === 0) return priceText(market, 0);
  const scale = market.numberScale + market.priceScale - market.quoteScale;
  const numerator = scale >= 0 ? order.quoteFilled * pow10(scale) : order.quoteFilled;
  const divisor = scale >= 0 ? BigInt(order.filled) : BigInt(order.filled) * pow10(-scale);
  return formatUnits(divide(numerator, divisor, 'half_up'), market.priceScale);
}
