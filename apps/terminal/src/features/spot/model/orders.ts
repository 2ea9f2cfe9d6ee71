import { compareDecimals, decimals, divide, formatUnits, toUnits } from '@bourse/money';
import type { SpotOrder } from '@bourse/contract';

/**
 * The open list after one order changed: it stays while open, leaves when done, and an older state never overwrites a
 * newer one.
 */
export function patchOpenOrders(orders: readonly SpotOrder[], changed: SpotOrder): SpotOrder[] {
  const known = orders.find((order) => order.id === changed.id);
  if (changed.status === 2) return known ? orders.filter((order) => order.id !== changed.id) : [...orders];
  if (!known) return [changed, ...orders];
  return isOlder(changed, known) ? [...orders] : orders.map((order) => (order.id === changed.id ? changed : order));
}

/** The orders that have ended: an earlier state of one may come after its end, as the answer to its placing does. */
export class EndedOrders {
  private readonly ids = new Set<string>();

  /** Notes an order that has ended. @returns whether the state of an order is news */
  admits({ id, status }: Pick<SpotOrder, 'id' | 'status'>): boolean {
    if (status === 2) this.ids.add(id);
    return status === 2 || !this.ids.has(id);
  }
}

/** The history after one order changed. Cancelled orders without a fill leave every list (rules §2). */
export function patchDoneOrders(orders: readonly SpotOrder[], changed: SpotOrder): SpotOrder[] {
  if (changed.status !== 2) return [...orders];
  const others = orders.filter((order) => order.id !== changed.id);
  if (changed.cancelled === 1 && compareDecimals(changed.filled_amount, '0') === 0) return others;
  return [changed, ...others];
}

/** A stop whose price has not been reached: it is not in the book yet, and its line is at its trigger. */
export const isWaitingStop = ({ order_type: kind, triggered }: Pick<SpotOrder, 'order_type' | 'triggered'>): boolean =>
  isStopKind(kind) && triggered === 0;

/** Whether an order waits for a trigger before it is in the book. */
export const isStopKind = (kind: SpotOrder['order_type']): boolean =>
  kind.startsWith('stop') || kind === 'trailing_stop';
/** Whether an order has no price of its own. */
export const isMarketKind = (kind: SpotOrder['order_type']): boolean =>
  kind.endsWith('market') || kind === 'trailing_stop';
/** Whether an order waits for the mark. */
export const isByMark = (order: SpotOrder): boolean => order.trigger_by === 'mark' && isWaitingStop(order);
/** How the price that starts a stop lies to its trigger. */
export const reachSign = ({ type }: Pick<SpotOrder, 'type'>): '≥' | '≤' => (type === 1 ? '≥' : '≤');
/** Whether the trigger of an order follows the trades. */
export const isTrailing = (order: SpotOrder): boolean => order.order_type === 'trailing_stop' && isWaitingStop(order);

/**
 * An amount and a price whose product an order is worth in its quote coin: what is filled at the mean price, of an open
 * order all of it at its own price or its trigger. Zero where it has none yet.
 */
export function valuedAt(
  order: Pick<
    SpotOrder,
    'status' | 'order_type' | 'filled_amount' | 'trade_amount' | 'trade_price' | 'target_price' | 'stop_price'
  >,
): { readonly amount: string; readonly price: string } {
  if (order.status === 2) return { amount: order.filled_amount, price: order.trade_price };
  return { amount: order.trade_amount, price: isMarketKind(order.order_type) ? order.stop_price : order.target_price };
}

/** The unfilled amount of an order. */
export function remaining({
  filled_amount: filled,
  trade_amount: ordered,
}: Pick<SpotOrder, 'filled_amount' | 'trade_amount'>): string {
  const scale = Math.max(decimals(filled), decimals(ordered));
  return formatUnits(toUnits(ordered, scale) - toUnits(filled, scale), scale);
}

/** The fields that place what was left of an order once more, of its own kind and at its own prices. */
export function commandAgain(order: SpotOrder): {
  legal_id: number;
  currency_id: number;
  type: 1 | 2;
  amount: string;
  order_type: SpotOrder['order_type'];
  target_price?: string;
  stop_price?: string;
  trigger_by?: 'mark';
  trail_percent?: string | undefined;
  trail_amount?: string | undefined;
  activation_price?: string | undefined;
  time_in_force?: SpotOrder['time_in_force'];
  post_only?: 1;
  take_profit?: string;
  stop_loss?: string;
} {
  const { legal_id, currency_id, order_type: kind } = order;
  // A stop that was reached is the order that it became.
  const waits = isWaitingStop(order);
  const market = isMarketKind(kind);
  const trails = waits && kind === 'trailing_stop';
  return {
    legal_id,
    currency_id,
    type: order.type === 1 ? 1 : 2,
    amount: remaining(order),
    order_type: waits ? kind : market ? 'market' : 'limit',
    ...(!market && { target_price: order.target_price }),
    ...(waits && !trails && { stop_price: order.stop_price }),
    ...(isByMark(order) && { trigger_by: 'mark' as const }),
    ...(trails && {
      ...(isGiven(order.trail_percent) ? { trail_percent: order.trail_percent } : { trail_amount: order.trail_amount }),
      ...(isGiven(order.activation_price) && { activation_price: order.activation_price }),
    }),
    ...(order.time_in_force !== 'GTC' && { time_in_force: order.time_in_force }),
    ...(order.post_only === 1 && { post_only: 1 as const }),
    ...(isGiven(order.take_profit) && { take_profit: order.take_profit }),
    ...(isGiven(order.stop_loss) && { stop_loss: order.stop_loss }),
  };
}

/** Whether an optional price is given: an absent one is 0. */
export const isGiven = (price: string | undefined): boolean => /[1-9]/.test(price ?? '');

/** Whether an open order is a leg of a pair whose other leg is open too: the start or the first fill of one ends it. */
export const isLeg = (order: SpotOrder): boolean =>
  order.link_id !== '' &&
  (isWaitingStop(order) || (order.order_type === 'limit' && compareDecimals(order.filled_amount, '0') === 0));

/** The price of an order line: the trigger of a waiting stop, before its activation that price, else the limit. */
export const linePrice = (order: SpotOrder): string => {
  if (!isWaitingStop(order)) return order.target_price;
  return isGiven(order.stop_price) ? order.stop_price : (order.activation_price ?? order.stop_price);
};

/** The fields that place the rest of an order with another price of its line. */
export function commandAt(order: SpotOrder, price: string): ReturnType<typeof commandAgain> {
  const command = commandAgain(order);
  return isWaitingStop(order) ? { ...command, stop_price: price } : { ...command, target_price: price };
}

/**
 * The outcome of a move to another price: `beyond` for a stop on the wrong side of the last price, which the server
 * refuses; `crosses` for a limit that would be filled at once. A stop that waits for the mark is the server's to check.
 */
export function moveOutcome(order: SpotOrder, price: string, lastPrice: string): 'rests' | 'crosses' | 'beyond' {
  if (lastPrice === '' || isByMark(order)) return 'rests';
  const against = compareDecimals(price, lastPrice) * (order.type === 1 ? 1 : -1);
  if (isWaitingStop(order)) return against <= 0 ? 'beyond' : 'rests';
  return against >= 0 ? 'crosses' : 'rests';
}

/** Prices of the orders that rest in the book. */
export const restingPrices = (orders: readonly SpotOrder[]): { side: 'bids' | 'asks'; price: string }[] =>
  orders
    .filter((order) => !isWaitingStop(order) && /limit$/.test(order.order_type))
    .map(({ type, target_price }) => ({ side: type === 1 ? 'bids' : 'asks', price: target_price }));

/** How much of an order is filled, in whole percent, down. */
export function filledPercent({
  filled_amount: filled,
  trade_amount: ordered,
}: Pick<SpotOrder, 'filled_amount' | 'trade_amount'>): string {
  const all = toUnits(ordered, 18);
  return all === 0n ? '0' : String(divide(toUnits(filled, 18) * 100n, all, 'down'));
}

const isOlder = (a: SpotOrder, b: SpotOrder): boolean =>
  a.updated_at < b.updated_at || compareDecimals(a.filled_amount, b.filled_amount) < 0;
