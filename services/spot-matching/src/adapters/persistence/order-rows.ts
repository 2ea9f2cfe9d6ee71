import { toUnits } from '@bourse/money';
import { feeScale, heldScale, lotsOf, PERCENT_SCALE, ticksOf, type Market } from '../../domain/market.js';
import type { CancelReason, Order, OrderType } from '../../domain/order.js';

export interface OrderRow {
  id: string;
  user_id: string;
  client_order_id: string;
  symbol: string;
  pair_id: number;
  side: 0 | 1;
  order_type: OrderType;
  time_in_force: 0 | 1 | 2;
  post_only: boolean;
  self_trade: 0 | 1 | 2;
  price: string;
  stop_price: string;
  quantity: string;
  held: string;
  maker_fee: string;
  taker_fee: string;
  placed_at: Date;
  updated_at: Date;
  sequence: string;
  cancel_sequence: string;
  status: 1 | 2;
  reason: CancelReason;
  triggered: boolean;
  filled: string;
  quote_filled: string;
  fee: string;
  hold_left: string;
  /** Of the last four, checkpoints of earlier versions have none. 0 without. */
  link_id?: string;
  parent_id?: string;
  take_profit?: string;
  stop_loss?: string;
}
export const ORDER_COLUMNS = `id, user_id, client_order_id, symbol, pair_id, side, order_type, time_in_force, post_only,
  self_trade, price, stop_price, quantity, held, maker_fee, taker_fee, placed_at, updated_at, sequence, cancel_sequence,
  status, reason, triggered, filled, quote_filled, fee, hold_left, link_id, parent_id, take_profit, stop_loss`;

export function orderFromRow(market: Market, row: OrderRow): Order {
  return {
    pairId: row.pair_id,
    id: row.id,
    clientOrderId: row.client_order_id,
    userId: Number(row.user_id),
    side: row.side,
    type: row.order_type,
    timeInForce: row.time_in_force,
    postOnly: row.post_only,
    selfTrade: row.self_trade,
    price: ticksOf(market, row.price),
    stopPrice: ticksOf(market, row.stop_price),
    quantity: lotsOf(market, row.quantity),
    held: toUnits(row.held, heldScale(market, row.side)),
    makerFee: toUnits(row.maker_fee, PERCENT_SCALE),
    takerFee: toUnits(row.taker_fee, PERCENT_SCALE),
    placedAt: row.placed_at.getTime(),
    updatedAt: row.updated_at.getTime(),
    sequence: Number(row.sequence),
    cancelSequence: Number(row.cancel_sequence),
    status: row.status,
    reason: row.reason,
    triggered: row.triggered,
    filled: lotsOf(market, row.filled),
    quoteFilled: toUnits(row.quote_filled, market.quoteScale),
    fee: toUnits(row.fee, feeScale(market, row.side)),
    holdLeft: toUnits(row.hold_left, heldScale(market, row.side)),
    linkId: idOf(row.link_id),
    parentId: idOf(row.parent_id),
    takeProfit: ticksOf(market, row.take_profit ?? '0'),
    stopLoss: ticksOf(market, row.stop_loss ?? '0'),
  };
}

const idOf = (id: string | undefined): string => (id === undefined || id === '0' ? '' : id);

export const timestamp = (ms: number): string => new Date(ms).toISOString();
