import { compareDecimals, decimals, formatUnits, toUnits } from '@bourse/money';
import type { Messages } from '@bourse/sdk';
import type { Field } from '../protocol/message.js';
import { timeOf } from '../protocol/message.js';
import { TAG } from '../protocol/tags.js';

export type SpotOrder = Messages['order_update']['order'];
export type SpotFill = NonNullable<Messages['order_update']['fill']>;

/** An order as it was reported last. */
export interface Order {
  readonly id: string;
  /** All its names, the first one first: each replacement gives it another. */
  readonly names: readonly string[];
  readonly price: string;
  readonly amount: string;
  readonly filled: string;
  /** Mean price of what is filled. */
  readonly mean: string;
  readonly status: 1 | 2;
  /** It has ended by its own terms. */
  readonly isExpired?: true;
  readonly triggered: 0 | 1;
  /** How many reports there were, which number them. */
  readonly reports: number;
  /** When it was reported last. Ms of the exchange. */
  readonly at: number;
}

/** The name under which an order is known now. */
export const nameOf = (order: Order): string => order.names.at(-1) ?? order.id;

/** Values of ExecType (150). */
const EXEC = {
  new: '0',
  cancelled: '4',
  replaced: '5',
  rejected: '8',
  expired: 'C',
  trade: 'F',
  status: 'I',
  triggered: 'L',
} as const;
const SIDES = { 1: '1', 2: '2' } as const;
const TYPES = { market: '1', limit: '2', stop_market: '3', stop_limit: '4', trailing_stop: 'P' } as const;
const TIMES = { GTC: '1', IOC: '3', FOK: '4' } as const;
/** Orders that end by their own terms expire; the others are cancelled. */
const EXPIRES: readonly string[] = ['ioc', 'fok', 'market'];

/** Whether an order has ended by its own terms. */
export const isExpired = (now: SpotOrder): boolean => now.cancelled === 1 && EXPIRES.includes(now.cancel_reason);

/** The reports of a change of an order, in their order, and what is known of it afterwards. */
export interface Reported {
  readonly order: Order;
  readonly reports: readonly (readonly Field[])[];
  /** Whether a report answers the request that was under way. */
  readonly isAnswered: boolean;
}

/**
 * The reports of an order that has become `now`. `known` is the order as it was reported last, `request` a change of it
 * that the session has requested. Without `fill` nothing of it traded with this change. `isOld`: an order that is not
 * known does not begin with this change.
 */
export function reportsOf(
  known: Order | undefined,
  now: SpotOrder,
  fill: SpotFill | null,
  {
    request,
    isCopy = false,
    isOld = false,
  }: { request?: { kind: string; name: string } | undefined; isCopy?: boolean; isOld?: boolean } = {},
): Reported {
  const reports: (readonly Field[])[] = [];
  const first = now.client_order_id === '' ? now.id : now.client_order_id;
  // An order that is seen first with its fill was open before it.
  let order: Order = known ?? {
    id: now.id,
    names: [first],
    price: now.target_price,
    amount: now.trade_amount,
    filled: fill ? minus(now.filled_amount, fill.number) : now.filled_amount,
    mean: now.trade_price,
    status: 1,
    triggered: 0,
    reports: 0,
    at: now.updated_ts,
  };
  let isAnswered = false;
  const report = (
    exec: string,
    more: { execId?: string; status?: string; fields?: Field[]; original?: string } = {},
  ) => {
    order = { ...order, reports: order.reports + 1, at: now.updated_ts };
    reports.push([
      ...headOf(now, nameOf(order), more.original),
      [TAG.ExecID, more.execId ?? `${now.id}.${order.reports}`],
      [TAG.ExecType, exec],
      [TAG.OrdStatus, more.status ?? openStatus(order.filled)],
      ...termsOf(now, order),
      ...(more.fields ?? []),
      ...(isCopy ? [[TAG.CopyMsgIndicator, 'Y'] as const] : []),
    ]);
  };
  if (!known) report(EXEC.new);
  const before = isOld ? reports.length : 0;
  if (now.triggered === 1 && order.triggered === 0) {
    order = { ...order, triggered: 1 };
    report(EXEC.triggered);
  }
  const isChanged = now.trade_amount !== order.amount || now.target_price !== order.price;
  // An amend to the same terms has an event too: a change of an open order that changes nothing.
  const isSame = reports.length === before && fill === null && now.status === 1;
  if (isChanged || (isSame && request?.kind === 'replace')) {
    const original = nameOf(order);
    const names = request?.kind === 'replace' ? [...order.names, request.name] : order.names;
    order = { ...order, names, price: now.target_price, amount: now.trade_amount };
    isAnswered = request?.kind === 'replace';
    report(EXEC.replaced, { original });
  }
  if (fill && compareDecimals(now.filled_amount, order.filled) > 0) {
    order = { ...order, filled: now.filled_amount, mean: now.trade_price };
    const isDone = compareDecimals(now.filled_amount, now.trade_amount) >= 0;
    report(EXEC.trade, { execId: fill.id, status: isDone ? '2' : '1', fields: tradeFields(fill) });
    if (isDone) order = { ...order, status: 2 };
  }
  if (now.status === 2 && order.status === 1) {
    order = { ...order, status: 2, filled: now.filled_amount, mean: now.trade_price };
    const isOurs = request?.kind === 'cancel' && now.cancel_reason === 'user';
    const original = nameOf(order);
    if (isOurs) {
      order = { ...order, names: [...order.names, request.name] };
      isAnswered = true;
    }
    const exec = isExpired(now) ? EXEC.expired : EXEC.cancelled;
    if (exec === EXEC.expired) order = { ...order, isExpired: true };
    const text: Field[] = now.cancel_reason === '' ? [] : [[TAG.Text, now.cancel_reason]];
    report(exec, { status: exec, fields: text, ...(isOurs ? { original } : {}) });
  }
  return { order, reports, isAnswered };
}

/** The state of an order, as a question for it is answered (ExecType I). */
export function statusReport(now: SpotOrder, name: string, more: readonly Field[]): readonly Field[] {
  const ended = isExpired(now) ? EXEC.expired : EXEC.cancelled;
  const status = now.cancelled === 1 ? ended : now.status === 2 ? '2' : openStatus(now.filled_amount);
  const order = {
    amount: now.trade_amount,
    filled: now.filled_amount,
    mean: now.trade_price,
    status: now.status,
  };
  return [
    ...headOf(now, name, undefined),
    [TAG.ExecID, '0'],
    [TAG.ExecType, EXEC.status],
    [TAG.OrdStatus, status],
    ...termsOf(now, order),
    ...more,
  ];
}

/** An order that the exchange did not take; `fields` are those of the request. */
export function rejection(
  request: { readonly name: string; readonly symbol: string; readonly side: string; readonly amount: string },
  { execId, reason, text }: { readonly execId: string; readonly reason: string; readonly text: string },
): readonly Field[] {
  return [
    [TAG.OrderID, 'NONE'],
    [TAG.ClOrdID, request.name],
    [TAG.ExecID, execId],
    [TAG.ExecType, EXEC.rejected],
    [TAG.OrdStatus, '8'],
    [TAG.OrdRejReason, reason],
    [TAG.Symbol, request.symbol],
    [TAG.Side, request.side],
    [TAG.OrderQty, request.amount],
    [TAG.LeavesQty, '0'],
    [TAG.CumQty, '0'],
    [TAG.AvgPx, '0'],
    [TAG.Text, text],
  ];
}

/** A question for an order that there is not. */
export const unknownStatus = (
  { name, symbol, side }: { readonly name: string; readonly symbol: string; readonly side: string },
  more: readonly Field[],
): readonly Field[] => [
  [TAG.OrderID, 'NONE'],
  [TAG.ClOrdID, name],
  [TAG.ExecID, '0'],
  [TAG.ExecType, EXEC.status],
  [TAG.OrdStatus, '8'],
  [TAG.OrdRejReason, '5'],
  [TAG.Symbol, symbol],
  [TAG.Side, side],
  [TAG.LeavesQty, '0'],
  [TAG.CumQty, '0'],
  [TAG.AvgPx, '0'],
  ...more,
];

/** Status of an order as it was reported last; without one it is rejected. */
export function statusOf(order: Order | undefined): string {
  if (order === undefined) return '8';
  if (order.status === 1) return openStatus(order.filled);
  if (order.isExpired) return EXEC.expired;
  return order.filled === order.amount ? '2' : EXEC.cancelled;
}

const openStatus = (filled: string): string => (isZero(filled) ? '0' : '1');
const isZero = (decimal: string): boolean => !/[1-9]/.test(decimal);

function headOf(now: SpotOrder, name: string, original: string | undefined): Field[] {
  return [
    [TAG.OrderID, now.id],
    [TAG.ClOrdID, name],
    ...(original === undefined ? [] : [[TAG.OrigClOrdID, original] as const]),
  ];
}

function termsOf(
  now: SpotOrder,
  { amount, filled, mean, status }: Pick<Order, 'amount' | 'filled' | 'mean' | 'status'>,
): Field[] {
  return [
    [TAG.Symbol, now.symbol],
    [TAG.Side, SIDES[now.type]],
    [TAG.OrderQty, amount],
    [TAG.OrdType, TYPES[now.order_type]],
    ...(isZero(now.target_price) ? [] : [[TAG.Price, now.target_price] as const]),
    ...(isZero(now.stop_price) ? [] : [[TAG.StopPx, now.stop_price] as const]),
    [TAG.TimeInForce, TIMES[now.time_in_force]],
    ...(now.post_only === 1 ? [[TAG.ExecInst, '6'] as const] : []),
    [TAG.LeavesQty, status === 2 ? '0' : minus(amount, filled)],
    [TAG.CumQty, filled],
    // The exchange has the mean of all fills, and an order without any has none.
    [TAG.AvgPx, isZero(filled) ? '0' : mean],
    [TAG.TransactTime, timeOf(now.updated_ts)],
  ];
}

function tradeFields(fill: SpotFill): Field[] {
  return [
    [TAG.LastQty, fill.number],
    [TAG.LastPx, fill.price],
    [TAG.LastLiquidityInd, fill.role === 'maker' ? '1' : '2'],
    [TAG.Commission, fill.fee],
    [TAG.CommType, '3'],
    [TAG.CommCurrency, fill.fee_currency],
  ];
}

/** The exact difference of two decimal texts. */
function minus(one: string, other: string): string {
  const scale = Math.max(decimals(one), decimals(other));
  return formatUnits(toUnits(one, scale) - toUnits(other, scale), scale);
}
