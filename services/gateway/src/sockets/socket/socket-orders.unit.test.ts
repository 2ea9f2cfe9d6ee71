import { expect, test } from '@jest/globals';
import type { HttpAdapterHost } from '@nestjs/core';
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
  message: 'order.place' | 'order.get' = 'order.place',
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
