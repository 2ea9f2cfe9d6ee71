import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Alarms } from '@bourse/platform';
import { io, type Socket } from 'socket.io-client';
import { eventually, eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { person, startGateway, type GatewayProcess } from './gateway-process.js';

jest.setTimeout(testTimeoutMs(24_000));

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => {
  await gateway.end();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}
async function call(
  method: string,
  path: string,
  token?: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: {
      ...(token ? { authorization: token } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}
const post = (path: string, token?: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> =>
  call('POST', path, token, headers, body);

describe('calls', () => {
  test('a money call without an answer is pending after 5 s, any other unavailable [EDGE-007]', async () => {
    gateway.people.set(1, person(1));
    const token = gateway.token(1);
    const key = { 'idempotency-key': 'slow-money-1' };
    const [money, repeated, read] = await Promise.all([
      post('/api/probe/slow_money', token, key),
      new Promise<Answer>((resolve, reject) => {
        setTimeout(() => {
          post('/api/probe/slow_money', token, key).then(resolve, reject);
        }, 200);
      }),
      post('/api/probe/slow', token),
    ]);
    expect([money.status, money.body]).toEqual([
      202,
      expect.objectContaining({ type: 'pending', key: 'common.processing', command_id: expect.any(String) }),
    ]);
    expect(repeated.body).toMatchObject({ type: 'error', key: 'common.repeated' });
    expect([read.status, read.body['key'], read.headers.get('retry-after')]).toEqual([503, 'common.unavailable', '1']);
  });

  test('an unavailable dependency is 503, a defect is 500 without details [EDGE-010]', async () => {
    gateway.people.set(1, person(1));
    const down = await post('/api/probe/down', gateway.token(1));
    expect([down.status, down.body['key'], down.headers.get('retry-after')]).toEqual([503, 'common.unavailable', '1']);
    const defect = await post('/api/probe/defect');
    expect([defect.status, Object.keys(defect.body).sort()]).toEqual([500, ['key', 'message', 'request_id', 'type']]);
    expect(JSON.stringify(defect.body)).not.toContain('swordfish');
  });

  test('a handler without a policy, and the calls of a demo install, are nowhere [EDGE-005]', async () => {
    for (const path of [
      '/api/probe/bare',
      '/dev/clock',
      '/dev/inbox',
      '/internal/routes',
      '/internal/ask/auth.session',
    ]) {
      for (const method of ['GET', 'POST']) expect([path, (await call(method, path)).status]).toEqual([path, 404]);
    }
  });

  test('a gate refuses only after reading auth again, and admits as soon as auth does [EDGE-005]', async () => {
    gateway.people.set(2, person(2, { hasFundPassword: false, reviewStatus: 0 }));
    const token = gateway.token(2);
    expect((await post('/api/probe/trade', token)).body).toMatchObject({ type: 'not', key: 'fund.notSet' });
    gateway.people.set(2, person(2, { reviewStatus: 1 }));
    expect((await post('/api/probe/trade', token)).body).toMatchObject({ type: '998', key: 'kyc.required' });
    gateway.people.set(2, person(2));
    expect((await post('/api/probe/trade', token)).body).toMatchObject({ type: 'ok', message: 'traded' });
    gateway.people.set(2, person(2, { frozen: 'trade' }));
    gateway.views.publish('session/2', { userId: 2, ended: [] });
    const frozen = await eventuallySatisfied(
      () => post('/api/probe/trade', token),
      ({ body }) => body['type'] === 'error',
    );
    expect(frozen.body).toMatchObject({ type: 'error', key: 'auth.frozen' });
  });

  test('sessions are cached for a minute or until revoked; forged tokens never reach auth [EDGE-009]', async () => {
    gateway.people.set(3, person(3));
    const token = gateway.token(3);
    const before = gateway.asked.sessions;
    for (let at = 0; at < 3; at += 1) expect((await post('/api/probe/money', token)).body['type']).toBe('ok');
    expect(gateway.asked.sessions - before).toBe(1);
    gateway.people.delete(3);
    gateway.views.publish('session/3', { userId: 3, ended: 'all' });
    await eventuallySatisfied(
      () => post('/api/probe/money', token),
      ({ body }) => body['type'] === '999',
    );
    const asked = gateway.asked.sessions;
    const [head, claims] = token.split('.');
    for (const bad of [
      gateway.token(3, { exp: 1 }),
      `${head}.${claims}.AAAA`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${claims}.`,
    ])
      expect((await post('/api/probe/money', bad)).body['type']).toBe('999');
    expect(gateway.asked.sessions).toBe(asked);
  });

  test('during an audit alarm orders and transfers are refused; reads and cancels continue [EDGE-019]', async () => {
    gateway.people.set(7, person(7));
    const token = gateway.token(7);
    const alarms = gateway.app.get(Alarms);
    alarms.raise('audit:wallet-ledger', 'a planted difference');
    const order = await post('/api/probe/new_order', token);
    expect([order.status, order.body['key']]).toEqual([503, 'common.unavailable']);
    expect((await post('/api/probe/cancel', token)).body['type']).toBe('ok');
    expect((await call('GET', '/api/status')).body).toMatchObject({ message: { audit: 'alarm' } });
    alarms.clear('audit:wallet-ledger');
    expect((await post('/api/probe/new_order', token)).body['type']).toBe('ok');
  });

  test('a session of the points login reaches points calls only [EDGE-009]', async () => {
    gateway.people.set(4, person(4, { kind: 'points' }));
    expect((await call('GET', '/api/probe/points', gateway.token(4))).body['type']).toBe('ok');
    expect((await post('/api/probe/money', gateway.token(4))).body).toMatchObject({
      type: 'error',
      key: 'common.noPermission',
    });
  });

  test('more orders at once than the burst are too many, with seconds to wait [EDGE-004]', async () => {
    gateway.people.set(5, person(5));
    const token = gateway.token(5);
    const answers = await gateway.inOneWindow(5, () =>
      Promise.all(Array.from({ length: 45 }, () => post('/api/probe/order', token))),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]!.body).toMatchObject({
      type: 'error',
      key: 'common.tooMany',
      params: { seconds: expect.any(Number) },
    });
    expect(Number(refused[0]!.headers.get('retry-after'))).toBe(
      (refused[0]!.body['params'] as { seconds: number }).seconds,
    );
    expect((await post('/api/probe/order', token, {}, 'a=1&a=2')).status).toBe(400);
  });
});

describe('sockets', () => {
  const sockets: Socket[] = [];
  afterAll(() => {
    for (const socket of sockets) socket.disconnect();
  });
  const open = (token?: string): Promise<Socket | string> =>
    new Promise((resolve) => {
      const socket = io(gateway.url, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: token ? { token } : {},
      });
      socket.once('connect', () => {
        sockets.push(socket);
        resolve(socket);
      });
      socket.once('connect_error', (error) => resolve(error.message));
    });
  const close = (): void => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  };

  test('five of one person, twenty of one address [SOCKET-012]', async () => {
    gateway.people.set(6, person(6));
    const own: (Socket | string)[] = [];
    for (let at = 0; at < 6; at += 1) own.push(await open(gateway.token(6)));
    expect(own.map((socket) => typeof socket)).toEqual(['object', 'object', 'object', 'object', 'object', 'string']);
    expect(own[5]).toBe('common.tooMany');
    const guests: (Socket | string)[] = [];
    for (let at = 0; at < 16; at += 1) guests.push(await open());
    // Refused at its handshake, before anything is kept for it.
    expect(guests.filter((socket) => typeof socket === 'string')).toEqual(['websocket error']);
    close();
    // The edge counts a socket until it has received its end.
    await eventually(async () => typeof (await open(gateway.token(6))) === 'object');
    close();
  });

  test('of ten sockets opened at once by one person five are admitted [SOCKET-012]', async () => {
    gateway.people.set(8, person(8));
    const token = gateway.token(8);
    const opened = await Promise.all(Array.from({ length: 10 }, () => open(token)));
    expect(opened.filter((socket) => socket === 'common.tooMany')).toHaveLength(5);
    expect(opened.filter((socket) => typeof socket === 'object')).toHaveLength(5);
    close();
    await eventually(async () => typeof (await open(token)) === 'object');
    close();
  });

  test('a client that stops reading loses old depth frames first and is closed above 1 MB [SOCKET-013]', async () => {
    const socket = (await open()) as Socket;
    await socket.emitWithAck('subscribe', { channel: 'trades', symbol: 'BTC/USDT' });
    const raw = (socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } }).ws
      ._socket;
    raw.pause();
    let seq = 0;
    // More than the kernel's own buffers take.
    for (let round = 0; round < 150 && gateway.app.getHttpServer().listening; round += 1) {
      gateway.views.publish('trades/BTC/USDT', {
        symbol: 'BTC/USDT',
        pairId: 1,
        trades: Array.from({ length: 300 }, () => ({
          seq: (seq += 1),
          price: '56637.5',
          quantity: '0.1',
          takerSide: 'buy',
          at: Date.now(),
        })),
      });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, 600));
    raw.resume();
    await eventually(() => !socket.connected);
  });
});
