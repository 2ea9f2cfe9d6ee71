import type { OrderUpdatePush, SpotFill, SpotOrder } from '@bourse/contract';
import { z } from 'zod';
import { decode, defineEvent, userId, type Message } from '../define.js';
import { TOPICS } from '../topics.js';
import { UserEventV1, type ToldPayload, type UserEvent } from './event.v1.js';

/*
 * The two private events that every order has, without the names of their fields: these were half of their bytes, and
 * these events half of what an order leaves in the outbox. Fields are added at the end, and none is removed.
 */

const ORDER_FIELDS = [
  'id',
  'client_order_id',
  'created_at',
  'updated_at',
  'ts',
  'updated_ts',
  'symbol',
  'legal_id',
  'currency_id',
  'legal_name',
  'currency_name',
  'type',
  'order_type',
  'time_in_force',
  'post_only',
  'stop_price',
  'triggered',
  'status',
  'cancelled',
  'cancel_reason',
  'trade_amount',
  'filled_amount',
  'target_price',
  'trade_price',
  'fee',
  'fee_currency',
  'link_id',
  'parent_id',
  'take_profit',
  'stop_loss',
] as const satisfies readonly (keyof SpotOrder)[];
const FILL_FIELDS = [
  'id',
  'order_id',
  'symbol',
  'type',
  'price',
  'number',
  'total',
  'fee',
  'fee_currency',
  'role',
  'create_time',
  'ts',
] as const satisfies readonly (keyof SpotFill)[];
type Balance = ToldPayload<'balance_update'>['balances'][number];
const BALANCE_FIELDS = [
  'currency',
  'currency_name',
  'account',
  'balance',
  'lock_balance',
] as const satisfies readonly (keyof Balance)[];

/** `true` where each field of the object is listed. */
type Lists<Whole, Fields extends readonly unknown[]> = [keyof Whole] extends [Fields[number]] ? true : never;
const isComplete: readonly [
  Lists<SpotOrder, typeof ORDER_FIELDS>,
  Lists<SpotFill, typeof FILL_FIELDS>,
  Lists<Balance, typeof BALANCE_FIELDS>,
] = [true, true, true];
void isComplete;

type Values = readonly (string | number)[];
const valuesOf = (fields: readonly string[]): z.ZodType<Values> =>
  z.array(z.union([z.string(), z.number()])).length(fields.length);
const packed = <T extends object>(fields: readonly (keyof T)[], whole: T): Values =>
  fields.map((field) => whole[field] as string | number);
const unpacked = <T extends object>(fields: readonly (keyof T)[], values: Values): T =>
  Object.fromEntries(fields.map((field, index) => [field, values[index]])) as T;

/** The private event `order_update`. */
export const UserOrderV1 = defineEvent({
  type: 'user.order',
  version: 1,
  topic: TOPICS.userEvents,
  key: (update) => String(update.userId),
  schema: z.object({ userId, order: valuesOf(ORDER_FIELDS), fill: valuesOf(FILL_FIELDS).nullable() }),
});
/** The private event `balance_update`. */
export const UserBalancesV1 = defineEvent({
  type: 'user.balances',
  version: 1,
  topic: TOPICS.userEvents,
  key: (update) => String(update.userId),
  schema: z.object({ userId, balances: z.array(valuesOf(BALANCE_FIELDS)), causeType: z.string(), causeId: z.string() }),
});

/**
 * How a sender writes these two events. Packed only within one process: gateways of an earlier version, which run
 * beside this one during an upgrade, would not number the packed form.
 */
export interface EventForm {
  readonly isPacked: boolean;
}

/** An order as it is now, with its last fill, for its owner's sockets. */
export function orderUpdate(
  user: number,
  { order, fill }: Pick<OrderUpdatePush, 'order' | 'fill'>,
  { isPacked }: EventForm,
): Message {
  if (!isPacked) return UserEventV1.build({ userId: user, event: 'order_update', payload: { order, fill } });
  return UserOrderV1.build({
    userId: user,
    order: packed(ORDER_FIELDS, order),
    fill: fill && packed(FILL_FIELDS, fill),
  });
}

/** Balances that a journal has changed, for their owner's sockets. */
export function balanceUpdate(user: number, payload: ToldPayload<'balance_update'>, { isPacked }: EventForm): Message {
  if (!isPacked) return UserEventV1.build({ userId: user, event: 'balance_update', payload });
  return UserBalancesV1.build({
    userId: user,
    balances: payload.balances.map((balance) => packed(BALANCE_FIELDS, balance)),
    causeType: payload.cause_type,
    causeId: payload.cause_id,
  });
}

/** Reads a message of `user.events`, in whichever form its sender has written it. */
export function readUserEvent(message: Message): ReturnType<typeof decode<typeof UserEventV1.schema>> {
  if (message.type === UserOrderV1.name) {
    const read = decode(UserOrderV1, message);
    if (!read.ok) return read;
    const { userId: user, order, fill } = read.body;
    const payload = {
      order: unpacked<SpotOrder>(ORDER_FIELDS, order),
      fill: fill && unpacked<SpotFill>(FILL_FIELDS, fill),
    };
    return { ok: true, body: { userId: user, event: 'order_update', payload } satisfies UserEvent };
  }
  if (message.type === UserBalancesV1.name) {
    const read = decode(UserBalancesV1, message);
    if (!read.ok) return read;
    const { userId: user, balances, causeType, causeId } = read.body;
    const payload = {
      balances: balances.map((values) => unpacked<Balance>(BALANCE_FIELDS, values)),
      cause_type: causeType,
      cause_id: causeId,
    };
    return { ok: true, body: { userId: user, event: 'balance_update', payload } satisfies UserEvent };
  }
  return decode(UserEventV1, message);
}
