import { expect, test } from '@jest/globals';
import type { HttpAdapterHost } from '@nestjs/core';
import type { OrderMessage } from '@bourse/contract';
import fastify, { type FastifyInstance } from 'fastify';
import { programOfSocket } from '../../edge/application/socket-program.js';
import type { ClientSocket } from './client-socket.js';
import { FrameAllowance } from './frames.js';
import { SocketOrders } from './socket-orders.js';

interface Seen {
  readonly program: string | null;
  readonly ip: string;
  readonly token: string | null;
  readonly key: string | null;
  readonly body: unknown;
}

/** A server with one call, which returns what it received after `release`. */
function server(): { app: FastifyInstance; orders: SocketOrders; release: () => void } {
  const app = fastify();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let program: string | undefined;
  app.addHook('preValidation', (_request, _reply, done) => {
    program = programOfSocket();
    done();
  });
  app.post('/api/coin/trade', async ({ ip, headers, body }, reply) => {
    await released;
    const { authorization: token = null, 'idempotency-key': key = null } = headers;
    return reply.code(202).send({ program: program ?? null, ip, token, key, body });
  });
  app.get('/api/coin/order', ({ query }) => ({ program: programOfSocket() ?? null, query }));
  const host = { httpAdapter: { getInstance: () => app } } as unknown as HttpAdapterHost;
  return { app, orders: new SocketOrders(host), release };
}
function socketOf(data: Partial<ClientSocket['data']>): { socket: ClientSocket; isCut: () => boolean } {
  let cut = false;
  const socket = {
    handshake: { headers: {} },
    disconnect: () => (cut = true),
    data: {
      token: null,
      apiKey: null,
      isFirstUse: true,
      ordersUnderWay: 0,
      address: '192.0.2.7',
      frames: new FrameAllowance(performance.now()),
      ...data,
    },
  };
  return { socket: socket as unknown as ClientSocket, isCut: () => cut };
}
const ask = (
  orders: SocketOrders,
  socket: ClientSocket,
  frame: unknown,
  message: OrderMessage = 'order.place',
): Promise<Record<string, unknown>> =>
  new Promise((resolve, reject) => {
    orders.answer(socket, message, frame, (answer) => resolve(answer as never)).catch(reject);
  });

test('an order is the call of its name, as the person or the program of its socket [SOCKET-018]', async () => {
  const { app, orders, release } = server();
  release();
  const params = { amount: '0.10', type: 1, post_only: true, stop_price: null };
  const person = await ask(orders, socketOf({ token: 'abc' }).socket, { id: 'x', key: 'key-00001', params });
  expect(person).toEqual({
    id: 'x',
    status: 202,
    answer: {
      program: null,
      ip: '192.0.2.7',
      token: 'abc',
      key: 'key-00001',
      body: { amount: '0.10', type: '1', post_only: 'true' },
    } satisfies Seen,
  });
  const program = await ask(orders, socketOf({ apiKey: 'robot' }).socket, { id: 7, params: {} });
  expect(program).toMatchObject({ id: 7, answer: { program: 'robot', token: null, key: null, body: {} } });
  expect(programOfSocket()).toBeUndefined();
  await app.close();
});

test('frames that become no call are refused, a flood of them ends the socket [SOCKET-018]', async () => {
  const { app, orders, release } = server();
  const replayed = socketOf({ apiKey: 'robot', isFirstUse: false });
  expect(await ask(orders, replayed.socket, { id: 1, params: {} })).toEqual({
    id: 1,
    type: 'error',
    key: 'apikey.signature',
    params: { reason: 'replay' },
  });
  // It reads what its permission lets it read.
  expect(await ask(orders, replayed.socket, { id: 2, params: { id: '7&x=1' } }, 'order.get')).toEqual({
    id: 2,
    status: 200,
    answer: { program: 'robot', query: { id: '7&x=1' } },
  });
  const { socket, isCut } = socketOf({ token: 'abc' });
  const underWay = Array.from({ length: 40 }, (_, id) => ask(orders, socket, { id, params: {} }));
  expect(await ask(orders, socket, { id: 40, params: {} })).toMatchObject({ id: 40, key: 'common.tooMany' });
  release();
  expect((await Promise.all(underWay)).map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, id) => id));
  expect(await ask(orders, socket, { id: 41, params: {} })).toMatchObject({ id: 41, status: 202 });
  for (const amount of [0.1, 1e300, ['1'], {}])
    expect(await ask(orders, socket, { id: 1, params: { amount } })).toMatchObject({ id: 1, field: 'amount' });
  expect(isCut()).toBe(false);
  for (let sent = 0; sent < 100; sent += 1) void orders.answer(socket, 'order.place', null, undefined);
  expect(isCut()).toBe(true);
  await app.close();
});

/** A server of orders whose calls end when the test says so; their names are those of their frames. */
function slowServer() {
  const app = fastify();
  const begun: string[] = [];
  const ends = new Map<string, (answer: object) => void>();
  const hold = ({ headers }: { headers: Record<string, unknown> }): Promise<object> => {
    const name = String(headers['idempotency-key']);
    begun.push(name);
    return new Promise((resolve) => ends.set(name, resolve));
  };
  app.post('/api/coin/trade', hold);
  app.put('/api/coin/trade', hold);
  app.put('/api/coin/order', hold);
  app.post('/api/coin/cancel_all', hold);
  app.get('/api/coin/order', hold);
  const orders = new SocketOrders({ httpAdapter: { getInstance: () => app } } as unknown as HttpAdapterHost);
  const { socket } = socketOf({ token: 'abc' });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    socket,
    /** Sends a frame with its name as its key. */
    send: (message: OrderMessage, name: string, params: object, by = socket) =>
      ask(orders, by, { id: name, key: name, params }, message),
    /** The calls that have begun. */
    begun: async (): Promise<string[]> => {
      await settled();
      return begun.splice(0);
    },
    end: (name: string, answer: object = { type: 'ok' }) => ends.get(name)?.(answer),
  };
}
const BTC = { legal_id: 3, currency_id: 1 };
const ETH = { legal_id: 3, currency_id: 2 };

test('frames about one order run in the order of their arrival, also after a failure [SOCKET-022]', async () => {
  const { send, begun, end } = slowServer();
  const answers = [
    send('order.place', 'place', { ...BTC, client_order_id: 'a' }),
    send('order.amend', 'amend', { client_order_id: 'a', amount: '2' }),
    send('order.cancel', 'cancel', { client_order_id: 'a' }),
    send('order.get', 'get', { client_order_id: 'a' }),
  ];
  expect(await begun()).toEqual(['place']);
  end('place', { type: 'error' });
  expect(await begun()).toEqual(['amend']);
  end('amend');
  expect(await begun()).toEqual(['cancel']);
  end('cancel');
  expect(await begun()).toEqual(['get']);
  end('get');
  expect((await Promise.all(answers)).map(({ id }) => id)).toEqual(['place', 'amend', 'cancel', 'get']);
});

test('frames about different orders, and frames of different sockets, run at the same time [SOCKET-022]', async () => {
  const { send, begun } = slowServer();
  void send('order.place', 'a', { ...BTC, client_order_id: 'a' });
  void send('order.place', 'b', { ...BTC, client_order_id: 'b' });
  void send('order.place', 'unnamed 1', BTC);
  void send('order.place', 'unnamed 2', BTC);
  void send('order.cancel', 'c', { client_order_id: 'c' });
  void send('order.cancel', 'd', { client_order_id: 'd' });
  void send('order.cancel', 'by another socket', { client_order_id: 'a' }, socketOf({ token: 'abc' }).socket);
  // An order whose id is known was placed before: it is none of those that are being placed.
  const { socket } = socketOf({ token: 'abc' });
  void send('order.place', 'e', { ...BTC, client_order_id: 'e' }, socket);
  void send('order.cancel', 'id 7', { id: '7' }, socket);
  void send('order.cancel', 'id 8', { id: '8' }, socket);
  const first = ['a', 'b', 'unnamed 1', 'unnamed 2', 'c', 'd', 'by another socket'];
  expect(await begun()).toEqual([...first, 'e', 'id 7', 'id 8']);
});

test('a frame by id waits for one by client id, unless the order is known to be another one [SOCKET-022]', async () => {
  const { send, begun, end } = slowServer();
  void send('order.amend', 'by name', { client_order_id: 'a' });
  void send('order.cancel', 'by id', { id: '7' });
  expect(await begun()).toEqual(['by name']);
  end('by name', { type: 'ok', order: { id: '7', client_order_id: 'a' } });
  expect(await begun()).toEqual(['by id']);
  end('by id', { type: 'ok', order: { id: '7', client_order_id: 'a' } });
  await begun();
  void send('order.amend', 'another name', { client_order_id: 'b' });
  void send('order.amend', 'its name', { client_order_id: 'a' });
  void send('order.cancel', 'its id', { id: '7' });
  expect(await begun()).toEqual(['another name', 'its name']);
  end('its name');
  expect(await begun()).toEqual(['its id']);
});

test('a mass cancel runs after the orders of its pair before it, and before those behind it [SOCKET-022]', async () => {
  const { send, begun, end } = slowServer();
  void send('order.place', 'before', BTC);
  void send('order.place', 'of another pair', ETH);
  void send('order.cancelAll', 'mass', BTC);
  void send('order.place', 'behind', { ...BTC, client_order_id: 'a' });
  void send('order.cancel', 'cancel', { client_order_id: 'a' });
  void send('order.place', 'another pair behind', ETH);
  expect(await begun()).toEqual(['before', 'of another pair', 'another pair behind']);
  end('before');
  expect(await begun()).toEqual(['mass']);
  void send('order.cancelAll', 'mass of all', {});
  end('mass');
  expect(await begun()).toEqual(['behind']);
  end('behind');
  expect(await begun()).toEqual(['cancel']);
  for (const name of ['of another pair', 'another pair behind']) end(name);
  expect(await begun()).toEqual([]);
  end('cancel');
  expect(await begun()).toEqual(['mass of all']);
});

test('frames of a closed socket are carried out in their turn, and count until then [SOCKET-022]', async () => {
  const { send, begun, end, socket } = slowServer();
  const placed = send('order.place', 'place', { ...BTC, client_order_id: 'a' });
  const cancelled = send('order.cancel', 'cancel', { client_order_id: 'a' });
  await begun();
  expect(socket.data.ordersUnderWay).toBe(2);
  Object.assign(socket, { connected: false });
  end('place');
  expect(await begun()).toEqual(['cancel']);
  end('cancel');
  await Promise.all([placed, cancelled]);
  expect(socket.data.ordersUnderWay).toBe(0);
});
