import type { HttpAdapterHost } from '@nestjs/core';
import { ORDER_MESSAGES, type OrderMessage } from '@bourse/contract';
import { Turns } from '@bourse/platform';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { runAsProgram } from '../../edge/application/socket-program.js';
import { claimOfExisting, claimOfMany, claimOfNew, overlap, type OrderClaim } from '../domain/order-claim.js';
import type { ClientSocket } from './client-socket.js';
import type { Ack } from './socket-adapter.js';

/** Maximum orders in progress per socket. */
const UNDER_WAY_MAX = 40;
const RETRY_MS = 100;
/** Orders whose client ids a socket remembers from its answers. */
const NAMES_MAX = 200;
const REQUEST_ID_MAX = 64;

type Fields = Readonly<Record<string, string>>;
/** A frame of an order. `id` is chosen by the client and returned with the answer; `key` is the Idempotency-Key. */
interface OrderFrame {
  readonly id: string | number | null;
  readonly key: string | undefined;
  readonly fields: Fields;
}
/** HTTP status and envelope of a call. */
interface CallAnswer {
  readonly status: number;
  readonly answer: Readonly<Record<string, unknown>>;
}

/** The frames of a socket that have not ended, in the order of their arrival, and the orders that they are about. */
class OrderTurns {
  private readonly turns = new Turns<OrderClaim>(overlap);
  /** Client ids by the ids of their orders; '': the order has none. */
  private readonly names = new LRUCache<string, string>({ max: NAMES_MAX });

  /** Runs the call of a frame after those of the earlier frames that may be about the same order. */
  async run(message: OrderMessage, fields: Fields, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
    const claim = this.claimOf(message, fields);
    if (claim === undefined) return call();
    return this.turns.run(claim, async () => {
      const answered = await call();
      this.remember(answered.answer);
      return answered;
    });
  }

  private claimOf(message: OrderMessage, fields: Fields): OrderClaim | undefined {
    switch (message) {
      case 'order.place':
        return claimOfNew(fields);
      case 'order.cancelAll':
        return claimOfMany(fields);
      case 'stream.since':
        return undefined;
      default:
        return claimOfExisting(fields, (id) => this.names.get(id));
    }
  }

  /** Keeps the client id of the order in an answer. */
  private remember({ order, message }: CallAnswer['answer']): void {
    const found = isObject(order) ? order : message;
    if (!isObject(found)) return;
    const { id, client_order_id: name } = found;
    if (typeof id === 'string' && typeof name === 'string') this.names.set(id, name);
  }
}

/**
 * Orders and reads as messages of a socket (api §4): each is the call of the same name, run through the same server
 * with the token or the API key of the socket, so that checks, rates, keys, answers, metrics and logs are those of the
 * call.
 */
export class SocketOrders {
  /** Of sockets that have sent an order; not among their data, which other gateways read. */
  private readonly turns = new WeakMap<ClientSocket, OrderTurns>();

  constructor(private readonly host: HttpAdapterHost) {}

  /**
   * Runs the call of a frame and acknowledges it; changes of the order follow as `order_update`. Frames about one order
   * run in the order of their arrival [SOCKET-022].
   */
  async answer(socket: ClientSocket, message: OrderMessage, payload: unknown, ack: Ack): Promise<void> {
    const { data } = socket;
    const frame = readFrame(payload);
    const id = typeof frame === 'string' ? idOf(payload) : frame.id;
    // No rate counts a frame that does not become a call: a flood of such frames closes the socket.
    const refuse = (key: string, more: object): void => {
      if (data.frames.refuse(performance.now())) socket.disconnect(true);
      else ack?.({ id, type: 'error', key, ...more });
    };
    if (typeof frame === 'string') return refuse('common.fieldInvalid', { field: frame });
    const isRead = ORDER_MESSAGES[message].method === 'GET';
    // A socket whose handshake was used before may only read.
    if (data.apiKey !== null && !data.isFirstUse && !isRead)
      return refuse('apikey.signature', { params: { reason: 'replay' } });
    if (data.ordersUnderWay >= UNDER_WAY_MAX) return refuse('common.tooMany', { params: { retry_ms: RETRY_MS } });
    data.ordersUnderWay += 1;
    try {
      const turns = this.turns.get(socket) ?? new OrderTurns();
      this.turns.set(socket, turns);
      ack?.({ id, ...(await turns.run(message, frame.fields, () => this.call(socket, message, frame))) });
    } finally {
      data.ordersUnderWay -= 1;
    }
  }

  private async call(socket: ClientSocket, message: OrderMessage, { key, fields }: OrderFrame): Promise<CallAnswer> {
    const { data } = socket;
    const { method, path } = ORDER_MESSAGES[message];
    const isRead = method === 'GET';
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const agent = socket.handshake.headers['user-agent'];
    // The call begins when it is awaited: inside the function, so that it runs as the program.
    const response = await runAsProgram(data.apiKey, async () => {
      return await fastify.inject({
        method,
        url: isRead ? `${path}?${new URLSearchParams(fields).toString()}` : path,
        remoteAddress: data.address,
        headers: {
          'user-agent': agent ?? '',
          ...(isRead ? {} : { 'content-type': 'application/json' }),
          ...(data.token === null ? {} : { authorization: data.token }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(isRead ? {} : { payload: JSON.stringify(fields) }),
      });
    });
    return { status: response.statusCode, answer: JSON.parse(response.payload) as CallAnswer['answer'] };
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function idOf(payload: unknown): string | number | null {
  const { id } = isObject(payload) ? payload : {};
  if (typeof id === 'string' && id.length <= REQUEST_ID_MAX) return id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : null;
}

/** @returns the frame, or the name of the unreadable field */
function readFrame(payload: unknown): OrderFrame | string {
  if (!isObject(payload)) return 'params';
  const { id, key, params } = payload;
  const named = idOf(payload);
  if (id !== undefined && named === null) return 'id';
  if (key !== undefined && typeof key !== 'string') return 'key';
  if (params !== undefined && !isObject(params)) return 'params';
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of Object.entries(params ?? {})) {
    if (value === null || value === undefined) continue;
    // Parsed JSON numbers have lost their written digits, so amounts must be texts.
    if (typeof value === 'string') fields[name] = value;
    else if (typeof value === 'boolean') fields[name] = String(value);
    else if (typeof value === 'number' && Number.isSafeInteger(value)) fields[name] = String(value);
    else return name;
  }
  return { id: named, key, fields };
}
