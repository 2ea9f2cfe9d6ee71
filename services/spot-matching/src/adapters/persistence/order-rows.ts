import { toUnits } from '@bourse/money';
import {
  feeScale,
  heldScale,
  lotsOf,
  PERCENT_SCALE,
  ticksOf,
  type Market,
  BUY,
  type CancelReason,
  type Order,
  type OrderType,
  follow,
  triggerAt,
  type Trail,
  type TriggerPrice,
} from '@bourse/matching';

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
  /** Of the next five, checkpoints of earlier versions have none. 0 without. */
  link_id?: string;
  parent_id?: string;
  take_profit?: string;
  stop_loss?: string;
  trigger_by?: TriggerPrice;
  /** The trail of a trailing stop; absent or null for other orders, and when the trail was not read. */
  trail?: TrailRow | null;
}
/** A trail, with the highest and lowest price of the trades that its order has waited for since it was stored. */
interface TrailRow {
  percent: string;
  amount: string;
  activation: string;
  reference: string;
  since: string;
  best: string;
  high: string | null;
  low: string | null;
}
/** Reads trails `r` as `TrailRow`; a condition follows. */
export const TRAILS = `
  select r.percent::text as percent, r.amount::text as amount, r.activation::text as activation,
    r.reference::text as reference, r.since::text as since, r.best::text as best,
    t.high::text as high, t.low::text as low, r.order_id::text as order_id
  from trails r
  join orders w on w.id = r.order_id
  left join lateral (
    select max(price) as high, min(price) as low from trades
    where symbol = w.symbol and sequence > r.trade_sequence and w.status = 1 and not w.triggered) t on true
  where`;
export const ORDER_COLUMNS = `id, user_id, client_order_id, symbol, pair_id, side, order_type, time_in_force, post_only,
  self_trade, price, stop_price, quantity, held, maker_fee, taker_fee, placed_at, updated_at, sequence, cancel_sequence,
  status, reason, triggered, filled, quote_filled, fee, hold_left, link_id, parent_id, take_profit, stop_loss,
  trigger_by`;

/** Attaches the trails to the trailing stops among rows. @throws Error for one without: the rows were altered. */
export async function withTrails(
  database: { query<R extends object>(sql: string, params: readonly unknown[]): Promise<R[]> },
  rows: OrderRow[],
): Promise<OrderRow[]> {
  const trailing = rows.filter((row) => row.order_type === 'trailing_stop');
  if (trailing.length === 0) return rows;
  const trails = await database.query<TrailRow & { order_id: string }>(`${TRAILS} r.order_id = any($1::bigint[])`, [
    trailing.map(({ id }) => id),
  ]);
  const byId = new Map(trails.map((trail) => [trail.order_id, trail]));
  for (const row of trailing) {
    const trail = byId.get(row.id);
    if (!trail) throw new Error(`invariant: trailing stop ${row.id} has no trail`);
    row.trail = trail;
  }
  return rows;
}

/** The trail of a row, moved by the trades since it was stored. */
function trailFromRow(market: Market, { side, trail }: OrderRow): Trail | null {
  if (!trail) return null;
  const stored: Trail = {
    percent: Number(toUnits(trail.percent, 2)),
    amount: ticksOf(market, trail.amount),
    activation: ticksOf(market, trail.activation),
    reference: ticksOf(market, trail.reference),
    since: Number(trail.since),
    best: ticksOf(market, trail.best),
  };
  return follow(stored, side, ticksOf(market, (side === BUY ? trail.low : trail.high) ?? '0'));
}

export function orderFromRow(market: Market, row: OrderRow): Order {
  const trail = trailFromRow(market, row);
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
    stopPrice: trail ? triggerAt(trail, row.side, trail.best) : ticksOf(market, row.stop_price),
    trail,
    triggerBy: row.trigger_by ?? 'last',
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
