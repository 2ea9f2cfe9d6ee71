import * as z from 'zod/mini';
import {
  balanceUpdatePush,
  CHANNELS,
  c2cChatPush,
  c2cUpdatePush,
  dayMarketPush,
  depthPush,
  klinePush,
  leverClosedPush,
  leverTradePush,
  matchTradePush,
  microClosedPush,
  noticePush,
  orderUpdatePush,
  privatePush,
  transactionPush,
} from './answers/push.js';

/*
 * Everything that the socket sends (api §4), each message once: the gateway, the terminal and asyncapi.json read these
 * tables. A new message costs one line.
 */

/** A message of one pair or of the whole market. `channel` is what a client subscribes to. */
export interface PublicEvent {
  readonly channel: string;
  readonly payload: z.core.$ZodType;
  readonly about: string;
}
export const PUBLIC_EVENTS = {
  daymarket: { channel: 'daymarket', payload: dayMarketPush, about: 'Last price and day figures of a pair' },
  market_depth: { channel: 'depth', payload: depthPush, about: 'Book of a pair: whole, or as numbered differences' },
  kline: {
    channel: 'kline',
    payload: klinePush,
    about: 'Candle in progress, then final; a final one may come again corrected: the newest message of a time counts',
  },
  match_trade: { channel: 'trades', payload: matchTradePush, about: 'One trade of a pair' },
  transaction: { channel: 'transaction', payload: transactionPush, about: 'One trade of the whole market' },
} as const satisfies Readonly<Record<string, PublicEvent>>;
export type PublicEventName = keyof typeof PUBLIC_EVENTS;
export type PublicPayload<E extends PublicEventName> = z.output<(typeof PUBLIC_EVENTS)[E]['payload']>;

type LivePayload = Readonly<Record<string, unknown>>;
/** The shortest interval between two messages of one key, and the key of a payload. */
export interface LiveLane {
  readonly everyMs: number;
  readonly key: (payload: LivePayload) => string;
  /** Absent: the newer replaces the older. */
  readonly merge?: (older: LivePayload, newer: LivePayload) => LivePayload;
}
type LeverTrade = Pick<z.output<typeof leverTradePush>, 'trades_all' | 'trades_entrust'>;
/** Joins a newer state with the pending orders of the older one that it lacks and that have not opened. */
function mergeLeverTrade(older: LivePayload, newer: LivePayload): LivePayload {
  const { trades_entrust: before } = older as unknown as LeverTrade;
  const { trades_all: open, trades_entrust: pending } = newer as unknown as LeverTrade;
  const known = new Set([...open, ...pending].map(({ id }) => id));
  return { ...newer, trades_entrust: [...before.filter(({ id }) => !known.has(id)), ...pending] };
}

/** A message for one user; the service that owns it has stored its contents. */
export interface PrivateEvent {
  /**
   * `numbered`: counted in `user_seq` without gaps and repeated by `/api/stream/since`. `live`: a state of which only
   * the newest counts; it is sent at most once in `everyMs` for each `key`, is not kept, and bears the number of the
   * last numbered one. Where a state is partial, `merge` joins a waiting one with a newer one.
   */
  readonly lane: 'numbered' | LiveLane;
  readonly payload: z.core.$ZodType;
  readonly about: string;
  /**
   * The payload that programs with an API key get: without what the parties of a deal write to each other. Absent: all.
   */
  readonly forPrograms?: (payload: LivePayload) => LivePayload;
  /** The example of `examples/` that sends it: the documents of an exchange without that leave it out. */
  readonly example?: string;
}
const boxUpdatePush = z.extend(privatePush, {
  box: z.object({
    id: z.string(),
    currency: z.int(),
    amount: z.string(),
    state: z.enum(['open', 'closed']),
    closes_at: z.int(),
  }),
});
export const PRIVATE_EVENTS = {
  order_update: { lane: 'numbered', payload: orderUpdatePush, about: 'An own order as it is now, with its last fill' },
  balance_update: { lane: 'numbered', payload: balanceUpdatePush, about: 'Own balances that a journal has changed' },
  notice: { lane: 'numbered', payload: noticePush, about: 'A new personal notice' },
  lever_trade: {
    lane: { everyMs: 1_000, key: ({ legal_id }) => String(legal_id), merge: mergeLeverTrade },
    payload: leverTradePush,
    about: 'Own open positions of a quote as the mark price moves them, and pending orders that are new or changed',
  },
  lever_closed: { lane: 'numbered', payload: leverClosedPush, about: 'Own positions that are closed' },
  micro_closed: { lane: 'numbered', payload: microClosedPush, about: 'An own seconds contract that is settled' },
  c2c_update: { lane: 'numbered', payload: c2cUpdatePush, about: 'An own deal with another person as it is now' },
  c2c_chat: {
    lane: 'numbered',
    payload: c2cChatPush,
    about: 'A new line in the chat of an own deal; to programs without its text and picture',
    forPrograms: (payload) => ({ ...payload, line: { ...(payload['line'] as object), text: '', image: '' } }),
  },
  box_update: {
    lane: 'numbered',
    payload: boxUpdatePush,
    about: 'An own box as it is now',
    example: 'service-template',
  },
} as const satisfies Readonly<Record<string, PrivateEvent>>;
export type PrivateEventName = keyof typeof PRIVATE_EVENTS;
export type PrivatePayload<E extends PrivateEventName> = z.output<(typeof PRIVATE_EVENTS)[E]['payload']>;
/** An event as a program with an API key gets it. */
export function payloadForProgram(event: string, payload: LivePayload): LivePayload {
  const { forPrograms }: Partial<PrivateEvent> = isPrivateEvent(event) ? PRIVATE_EVENTS[event] : {};
  return forPrograms ? forPrograms(payload) : payload;
}
export const isPrivateEvent = (name: string): name is PrivateEventName => Object.hasOwn(PRIVATE_EVENTS, name);

/** A requested stream. */
const wish = z.object({
  channel: z.enum(CHANNELS),
  symbol: z.optional(z.string()),
  interval: z.optional(z.string()),
  seq: z.optional(z.int()),
});
/** A stream by its name; symbol and interval are empty where it has none. */
const stream = z.object({ channel: z.string(), symbol: z.string(), interval: z.string() });
const started = z.extend(stream, { seq: z.int(), snapshot: z.unknown() });
/** A frame that was refused as a whole; `retry_ms` where it came too soon: nothing of it was done. */
const frameRefusal = z.object({
  type: z.literal('error'),
  key: z.string(),
  field: z.optional(z.string()),
  params: z.optional(z.object({ retry_ms: z.optional(z.int()) })),
});

/**
 * Orders as messages, and what a program reads beside them: each is the call of its name, with its checks, rates, keys
 * and answers. A read is a GET.
 */
export const ORDER_MESSAGES = {
  'order.place': { method: 'POST', path: '/api/coin/trade' },
  'order.amend': { method: 'PUT', path: '/api/coin/order' },
  'order.cancel': { method: 'PUT', path: '/api/coin/trade' },
  'order.cancelAll': { method: 'POST', path: '/api/coin/cancel_all' },
  'order.get': { method: 'GET', path: '/api/coin/order' },
  'stream.since': { method: 'GET', path: '/api/stream/since' },
} as const;
export type OrderMessage = keyof typeof ORDER_MESSAGES;
export const isOrderMessage = (name: unknown): name is OrderMessage =>
  typeof name === 'string' && Object.hasOwn(ORDER_MESSAGES, name);
/** `id` comes back with the answer; `key` is an Idempotency-Key; `params` are the call's fields, amounts as text. */
const orderFrame = z.object({
  id: z.optional(z.union([z.string(), z.int()])),
  key: z.optional(z.string()),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.int(), z.boolean()]))),
});
const requestId = z.nullable(z.union([z.string(), z.int()]));
/** The answer of the call with its HTTP status, or the refusal of a frame that could not be read or came too soon. */
const orderAck = z.union([
  z.object({
    id: requestId,
    status: z.int(),
    answer: z.looseObject({ type: z.string(), key: z.optional(z.string()) }),
  }),
  z.object({
    id: requestId,
    type: z.literal('error'),
    key: z.string(),
    field: z.optional(z.string()),
    params: z.optional(z.record(z.string(), z.union([z.string(), z.int()]))),
  }),
]);

/** The messages that a client sends, with the payloads of their acknowledgements. */
export const CLIENT_MESSAGES = {
  login: {
    payload: z.union([z.int(), z.string(), z.object({ user_id: z.union([z.int(), z.string()]) })]),
    ack: z.union([z.object({ type: z.enum(['ok', '999']), user_seq: z.optional(z.int()) }), frameRefusal]),
    about:
      'The id of the user whom the token names, or the API key that signed the handshake; then private events flow',
  },
  subscribe: {
    payload: z.union([wish, z.object({ channels: z.array(wish).check(z.minLength(1), z.maxLength(50)) })]),
    ack: z.union([
      z.extend(started, { type: z.literal('ok') }),
      z.object({
        ok: z.array(started),
        refused: z.array(z.extend(stream, { key: z.string() })),
      }),
      frameRefusal,
    ]),
    about: 'Public streams, up to 50 in a frame and 200 of a socket; `seq` asks to resume behind it',
  },
  unsubscribe: {
    payload: z.object({
      channel: z.optional(z.string()),
      symbol: z.optional(z.string()),
      interval: z.optional(z.string()),
    }),
    ack: z.union([z.object({ type: z.literal('ok') }), frameRefusal]),
    about: 'The same stream; all of them if none is named',
  },
  'order.place': { payload: orderFrame, ack: orderAck, about: 'A spot order, as POST /api/coin/trade' },
  'order.amend': { payload: orderFrame, ack: orderAck, about: 'A change of an open order, as PUT /api/coin/order' },
  'order.cancel': { payload: orderFrame, ack: orderAck, about: 'The cancel of an order, as PUT /api/coin/trade' },
  'order.cancelAll': {
    payload: orderFrame,
    ack: orderAck,
    about: 'The cancel of all orders, or those of a pair or side, as POST /api/coin/cancel_all',
  },
  'order.get': { payload: orderFrame, ack: orderAck, about: 'An order, as GET /api/coin/order' },
  'stream.since': {
    payload: orderFrame,
    ack: orderAck,
    about: 'Private events after a number, as GET /api/stream/since',
  },
} as const;

/** The messages that the server sends about the socket itself. */
export const SOCKET_EVENTS = {
  heartbeat: { payload: privatePush, about: 'Every 10 s; `user_seq` is 0 for guests' },
  session_closed: { payload: z.object({ reason: z.string() }), about: 'The session has ended; the socket is cut' },
  server_closing: {
    payload: z.object({ reconnect_ms: z.int() }),
    about: 'This server stops; sessions stay valid. Reconnect at a random moment within this many ms',
  },
} as const;
