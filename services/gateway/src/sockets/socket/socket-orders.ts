import type { HttpAdapterHost } from '@nestjs/core';
import { ORDER_MESSAGES, type OrderMessage } from '@bourse/contract';
import type { FastifyInstance } from 'fastify';
import { runAsProgram } from '../../edge/application/socket-program.js';
import type { ClientSocket } from './client-socket.js';
import type { Ack } from './socket-adapter.js';

/** Maximum orders in progress per socket. */
const UNDER_WAY_MAX = 40;
const RETRY_MS = 100;
const REQUEST_ID_MAX = 64;

type Fields = Readonly<Record<string, string>>;
/** A frame of an order. `id` is chosen by the client and returned with the answer; `key` is the Idempotency-Key. */
interface OrderFrame {
  readonly id: string | number | null;
  readonly key: string | undefined;
  readonly fields: Fields;
}

/**
 * Orders and reads as messages of a socket (api §4): each is the call of the same name, run through the same server
 * with the token or the API key of the socket, so that checks, rates, keys, answers, metrics and logs are those of the
 * call.
 */
export class SocketOrders {
  constructor(private readonly host: HttpAdapterHost) {}

  /** Runs the call of a frame and acknowledges it; changes of the order follow as `order_update`. */
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
    const { method, path } = ORDER_MESSAGES[message];
    const isRead = method === 'GET';
    // A socket whose handshake was used before may only read.
    if (data.apiKey !== null && !data.isFirstUse && !isRead)
      return refuse('apikey.signature', { params: { reason: 'replay' } });
    if (data.ordersUnderWay >= UNDER_WAY_MAX) return refuse('common.tooMany', { params: { retry_ms: RETRY_MS } });
    data.ordersUnderWay += 1;
    try {
      const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
      const agent = socket.handshake.headers['user-agent'];
      // The call begins when it is awaited: inside the function, so that it runs as the program.
      const response = await runAsProgram(data.apiKey, async () => {
        return await fastify.inject({
          method,
          url: isRead ? `${path}?${new URLSearchParams(frame.fields).toString()}` : path,
          remoteAddress: data.address,
          headers: {
            'user-agent': agent ?? '',
            ...(isRead ? {} : { 'content-type': 'application/json' }),
            ...(data.token === null ? {} : { authorization: data.token }),
            ...(frame.key === undefined ? {} : { 'idempotency-key': frame.key }),
          },
          ...(isRead ? {} : { payload: JSON.stringify(frame.fields) }),
        });
      });
      ack?.({ id, status: response.statusCode, answer: JSON.parse(response.payload) as object });
    } finally {
      data.ordersUnderWay -= 1;
    }
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
