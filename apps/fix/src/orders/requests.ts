import type { Message } from '../protocol/message.js';
import { REJECTED, TAG, TYPE } from '../protocol/tags.js';

/* What messages of the application ask for, as fields of the exchange's calls. */

/** A message that is not as the standard or docs/fix.md says. */
export class Malformed extends Error {
  constructor(
    readonly tag: number,
    readonly reason: number,
    text: string,
  ) {
    super(text);
  }
}

/** Fields of every message. */
const HEADER: readonly number[] = [
  TAG.MsgType,
  TAG.MsgSeqNum,
  TAG.SenderCompID,
  TAG.TargetCompID,
  TAG.SendingTime,
  TAG.PossDupFlag,
  TAG.PossResend,
  TAG.OrigSendingTime,
];
/** Fields that programs send by habit and that change nothing here: Account, Currency, HandlInst, Text and the like. */
const IGNORED: readonly number[] = [1, 15, 21, 47, TAG.Text, TAG.TransactTime, 100, 167, 460, 528];

/** By type: the fields that it must have, and those that it may have beside. */
const FIELDS: Readonly<Record<string, { readonly needs: readonly number[]; readonly takes: readonly number[] }>> = {
  [TYPE.NewOrderSingle]: {
    needs: [TAG.ClOrdID, TAG.Symbol, TAG.Side, TAG.OrderQty, TAG.OrdType],
    takes: [TAG.Price, TAG.StopPx, TAG.TimeInForce, TAG.ExecInst],
  },
  [TYPE.OrderCancelRequest]: {
    needs: [TAG.ClOrdID, TAG.OrigClOrdID],
    takes: [TAG.OrderID, TAG.Symbol, TAG.Side, TAG.OrderQty],
  },
  [TYPE.OrderCancelReplaceRequest]: {
    needs: [TAG.ClOrdID, TAG.OrigClOrdID],
    takes: [TAG.OrderID, TAG.Symbol, TAG.Side, TAG.OrdType, TAG.OrderQty, TAG.Price, TAG.TimeInForce, TAG.ExecInst],
  },
  [TYPE.OrderStatusRequest]: {
    needs: [TAG.ClOrdID],
    takes: [TAG.OrderID, TAG.Symbol, TAG.Side, TAG.OrdStatusReqID],
  },
  [TYPE.OrderMassCancelRequest]: {
    needs: [TAG.ClOrdID, TAG.MassCancelRequestType],
    takes: [TAG.Symbol, TAG.Side],
  },
};
/** Whether the gateway takes messages of this type. */
export const isTaken = (type: string): boolean => Object.hasOwn(FIELDS, type);

/** Forms of values, by field. */
const DECIMAL = /^\d{1,18}(\.\d{1,18})?$/;
const NAME = /^[A-Za-z0-9_-]{1,36}$/;
const FORMS: Readonly<Record<number, RegExp>> = {
  [TAG.OrderQty]: DECIMAL,
  [TAG.Price]: DECIMAL,
  [TAG.StopPx]: DECIMAL,
  [TAG.ClOrdID]: NAME,
  [TAG.OrigClOrdID]: NAME,
};
/** Values, by field. */
const VALUES: Readonly<Record<number, readonly string[]>> = {
  [TAG.Side]: ['1', '2'],
  [TAG.OrdType]: ['1', '2', '3', '4'],
  [TAG.TimeInForce]: ['1', '3', '4'],
  [TAG.ExecInst]: ['6'],
  [TAG.MassCancelRequestType]: ['1', '7'],
};

/**
 * Checks the fields of a message of the application.
 *
 * @throws Malformed for the first field that is missing, given twice, without a value, of another form, or not taken:
 *   a wish that the gateway does not know is never dropped
 */
export function checkFields(message: Message): void {
  const { needs, takes } = FIELDS[message.type] ?? { needs: [], takes: [] };
  const seen = new Set<number>();
  for (const [tag, value] of message.fields) {
    if (seen.has(tag)) throw new Malformed(tag, REJECTED.twice, 'Tag appears more than once');
    seen.add(tag);
    if (value === '') throw new Malformed(tag, REJECTED.empty, 'Tag specified without a value');
    if (![...HEADER, ...IGNORED, ...needs, ...takes].includes(tag))
      throw new Malformed(tag, REJECTED.notForThisType, 'Tag is not taken in this message');
    if (FORMS[tag]?.test(value) === false) throw new Malformed(tag, REJECTED.format, 'Incorrect data format for value');
    if (VALUES[tag]?.includes(value) === false)
      throw new Malformed(tag, REJECTED.value, 'Value is incorrect for this tag');
  }
  const missing = needs.find((tag) => !seen.has(tag));
  if (missing !== undefined) throw new Malformed(missing, REJECTED.missing, 'Required tag missing');
}

/** The kinds of orders of the exchange, by OrdType (40), with the prices that each needs. */
const KINDS = {
  1: { orderType: 'market', prices: [] },
  2: { orderType: 'limit', prices: [TAG.Price] },
  3: { orderType: 'stop_market', prices: [TAG.StopPx] },
  4: { orderType: 'stop_limit', prices: [TAG.Price, TAG.StopPx] },
} as const;
const TIMES = { 1: 'GTC', 3: 'IOC', 4: 'FOK' } as const;

type CallFields = Readonly<Record<string, string | number>>;

/**
 * A NewOrderSingle as fields of `order.place`.
 *
 * @throws Malformed for prices that do not belong to the type of the order
 */
export function placing(message: Message, pair: { legal_id: number; currency_id: number }): CallFields {
  const kind = KINDS[message.get(TAG.OrdType) as '1' | '2' | '3' | '4'];
  for (const tag of [TAG.Price, TAG.StopPx] as const) {
    const isNeeded = (kind.prices as readonly number[]).includes(tag);
    if (isNeeded && message.get(tag) === undefined) throw new Malformed(tag, REJECTED.missing, 'Required tag missing');
    if (!isNeeded && message.get(tag) !== undefined)
      throw new Malformed(tag, REJECTED.notForThisType, 'Tag does not belong to this OrdType');
  }
  const [price, stop] = [message.get(TAG.Price), message.get(TAG.StopPx)];
  const time = message.get(TAG.TimeInForce) as keyof typeof TIMES | undefined;
  return {
    legal_id: pair.legal_id,
    currency_id: pair.currency_id,
    type: Number(message.get(TAG.Side)),
    amount: message.get(TAG.OrderQty) ?? '',
    order_type: kind.orderType,
    client_order_id: message.get(TAG.ClOrdID) ?? '',
    ...(price === undefined ? {} : { target_price: price }),
    ...(stop === undefined ? {} : { stop_price: stop }),
    ...(time === undefined ? {} : { time_in_force: TIMES[time] }),
    ...(message.get(TAG.ExecInst) === undefined ? {} : { post_only: 1 }),
  };
}

/**
 * An OrderCancelReplaceRequest as fields of `order.amend`: price and amount, whatever else it repeats of the order.
 *
 * @throws Malformed when it names neither
 */
export function amending(message: Message, order: { id: string } | { client_order_id: string }): CallFields {
  const [price, amount] = [message.get(TAG.Price), message.get(TAG.OrderQty)];
  if (price === undefined && amount === undefined)
    throw new Malformed(TAG.OrderQty, REJECTED.missing, 'Required tag missing');
  return {
    ...order,
    ...(price === undefined ? {} : { target_price: price }),
    ...(amount === undefined ? {} : { amount }),
  };
}

/** Reasons of a rejected order (103), by the key of the refusal; any other one is 99. */
const ORDER_REASONS: Readonly<Record<string, string>> = {
  'pair.delisted': '1',
  'market.paused': '2',
  'balance.insufficient': '3',
  'quantity.rule': '13',
  'trade.numberScale': '13',
};
export const orderReason = (key: string): string => ORDER_REASONS[key] ?? '99';

/** Reasons of a cancel or change that was refused (102). */
const CANCEL_REASONS: Readonly<Record<string, string>> = { 'common.notFound': '1', 'trade.notOpen': '0' };
export const cancelReason = (key: string): string => CANCEL_REASONS[key] ?? '99';

/** A refusal of the exchange as a text: its key, and what it says beside. */
export function refusalText(answer: Readonly<Record<string, unknown>>): string {
  const { key, params, field } = answer as {
    readonly key: string;
    readonly params?: Readonly<Record<string, string | number>>;
    readonly field?: string;
  };
  const more = Object.entries({ ...params, ...(field === undefined ? {} : { field }) });
  return [key, ...more.map(([name, value]) => `${name}=${value}`)].join(' ');
}
