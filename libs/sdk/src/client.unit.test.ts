import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { bookChecksum } from '@bourse/contract';
import { ApiError, Bourse, type Stream } from './index.js';
import { Server, type Socket } from 'socket.io';

jest.setTimeout(30_000);

/* The client before an exchange of the test's own, which is busy, has another clock, cuts lines and miscounts. */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly timestamp: number;
  readonly isSigned: boolean;
}
let aheadMs = 0;
let asked: Asked[] = [];
/** What a call is answered; by default its time, or an order. */
let answer: (call: Asked) => { status?: number; body: object } | undefined = () => undefined;
const refusal = (key: string): object => ({ type: 'error', key, message: 'No', request_id: '' });

const signed = (lines: readonly string[], digest: string): string =>
  createHmac('sha256', 'secret')
    .update([...lines, digest].join('\n'))
    .digest('hex');
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method = '', url = '', headers } = request;
  const timestamp = Number(headers['x-api-timestamp']);
  const digest = createHash('sha256').update(body).digest('hex');
  const call: Asked = {
    method,
    path: url.split('?')[0] ?? '',
    key: headers['idempotency-key'] as string | undefined,
    timestamp,
    isSigned: headers['x-api-signature'] === signed([method, url, String(timestamp)], digest),
  };
  asked.push(call);
  const now = Date.now() + aheadMs;
  const isLate = call.path !== '/api/time' && Math.abs(timestamp - now) > 5_000;
  const told = isLate ? { status: 401, body: refusal('apikey.signature') } : answer(call);
  response.setHeader('date', new Date(now).toUTCString());
  response.writeHead(told?.status ?? 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(told?.body ?? { type: 'ok', message: '', id: '7', order: { id: '7' }, request_id: '' }));
}

const http = createServer((request, response) => void serve(request, response));
const sockets = new Server(http);
/** Sockets that have been opened, with what their handshakes said. */
let lines: { readonly socket: Socket; readonly auth: Record<string, string> }[] = [];
let onLine: (socket: Socket) => void = () => undefined;
sockets.on('connection', (socket) => {
  lines.push({ socket, auth: socket.handshake.auth as Record<string, string> });
  onLine(socket);
});

let exchange: Bourse;
let stream: Stream | undefined;
beforeAll(() => new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve)));
beforeEach(() => {
  [aheadMs, asked, answer, lines, onLine] = [0, [], () => undefined, [], () => undefined];
  const { port } = http.address() as AddressInfo;
  exchange = new Bourse({ url: `http://127.0.0.1:${String(port)}`, key: 'key', secret: 'secret' });
});
afterEach(() => {
  stream?.close();
  stream = undefined;
});
afterAll(() => sockets.close());

async function until(what: string, check: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !check(); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
}
const ORDER = { legal_id: 3, currency_id: 1, type: 1, amount: '1', target_price: '2' } as const;

describe('a call', () => {
  test('that the exchange cannot take is sent again under the same key, signed anew [API-035]', async () => {
    answer = () => (asked.length < 3 ? { status: 503, body: refusal('common.unavailable') } : undefined);
    const { id } = await exchange.call('POST /api/coin/trade', ORDER, { intent: 'key-of-mine' });
    expect(id).toBe('7');
    expect(asked.map(({ key, isSigned }) => [key, isSigned])).toEqual(
      Array.from({ length: 3 }, () => ['key-of-mine', true]),
    );
    expect(new Set(asked.map(({ timestamp }) => timestamp)).size).toBe(3);
  });

  test('without a key of its own gets one, and keeps it [API-035]', async () => {
    answer = () => (asked.length < 2 ? { status: 503, body: refusal('common.unavailable') } : undefined);
    await exchange.call('POST /api/coin/trade', ORDER);
    expect(asked[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(asked[1]!.key).toBe(asked[0]!.key);
  });

  test('that would act twice is not sent again [API-035]', async () => {
    answer = () => ({ status: 503, body: refusal('common.unavailable') });
    await expect(
      exchange.call('POST /api/complaint/add', { title: 'a', content: 'b' } as never),
    ).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });

  test.each([3_600_000, -60_000])('is signed by the clock of the exchange, %s ms ahead [API-036]', async (ms) => {
    aheadMs = ms;
    await exchange.call('POST /api/coin/trade', ORDER);
    await exchange.call('POST /api/coin/trade', ORDER);
    expect(asked.map(({ path }) => path)).toEqual([
      ...['/api/coin/trade', '/api/time', '/api/coin/trade', '/api/coin/trade'],
    ]);
    // One order: its key was kept over the correction.
    expect(asked[2]!.key).toBe(asked[0]!.key);
    expect(asked[3]!.key).not.toBe(asked[0]!.key);
  });

  test('with a wrong secret is refused once, whatever the time [API-036]', async () => {
    answer = ({ path }) => (path === '/api/time' ? undefined : { status: 401, body: refusal('apikey.signature') });
    await expect(exchange.call('POST /api/coin/trade', ORDER)).rejects.toMatchObject({ key: 'apikey.signature' });
    expect(asked.filter(({ path }) => path === '/api/coin/trade')).toHaveLength(1);
  });
});

const balances = (seq: number): object => ({
  ts: 1,
  user_seq: seq,
  balances: [{ currency: 3, currency_name: 'USDT', account: 'change', balance: String(seq), lock_balance: '0' }],
  cause_type: 'transfer',
  cause_id: String(seq),
});

test('after a lost line the stream signs in anew, and what was missed comes once and in order [API-037]', async () => {
  let last = 5;
  let complete = 1;
  onLine = (socket) => socket.on('login', (_name, ack: (told: object) => void) => ack({ type: 'ok', user_seq: last }));
  answer = ({ path }) =>
    path === '/api/stream/since'
      ? {
          body: {
            type: 'ok',
            message: {
              events: complete === 1 ? [7, 8].map((seq) => ({ event: 'balance_update', payload: balances(seq) })) : [],
              user_seq: last,
              complete,
            },
          },
        }
      : undefined;
  const got: string[] = [];
  let holes = 0;
  stream = exchange.stream();
  stream.on('balance_update', ({ cause_id: id }) => got.push(id));
  stream.onHole(() => (holes += 1));
  await until('it is live', () => stream?.status === 'live');
  lines[0]!.socket.emit('balance_update', balances(6));
  await until('the first message came', () => got.length === 1);
  last = 8;
  lines[0]!.socket.conn.close();
  await until('what was missed came', () => got.length === 3);
  await until('it signed in anew', () => lines.length === 2);
  for (const { auth } of lines) {
    const digest = createHash('sha256').update('').digest('hex');
    expect(auth['signature']).toBe(signed(['GET', '/socket.io', auth['timestamp'] ?? ''], digest));
  }
  // A repeat is dropped, the next one counts.
  lines[1]!.socket.emit('balance_update', balances(8));
  lines[1]!.socket.emit('balance_update', balances(9));
  await until('the next message came', () => got.length === 4);
  expect([got, holes]).toEqual([['6', '7', '8', '9'], 0]);
  // What the exchange cannot give again is told.
  [last, complete] = [2_000, 0];
  lines[1]!.socket.conn.close();
  await until('the hole was told', () => holes === 1);
  expect(got).toHaveLength(4);
});

type Levels = [string, string][];
const depth = (seq: number, bids: Levels, more: object = {}): object => ({
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  ts: seq,
  seq,
  prev_seq: seq - 1,
  last_price: '1',
  proportion: '0',
  yesterday: '1',
  today: '1',
  checksum: bookChecksum(bids, []),
  kind: 'snapshot',
  b: bids.flat(),
  a: [],
  ...more,
});

test.each([
  ['a wrong checksum', { checksum: 1 }],
  ['a gap', { prev_seq: 9 }],
])('after %s the book starts over from a snapshot [API-038]', async (_fault, wrong) => {
  const subscribed: object[] = [];
  onLine = (socket) => {
    socket.on('login', (_name, ack: (told: object) => void) => ack({ type: 'ok', user_seq: 1 }));
    socket.on('subscribe', (what: object, ack: (told: object) => void) => {
      subscribed.push(what);
      const seq = subscribed.length === 1 ? 1 : 20;
      ack({ type: 'ok', seq, snapshot: depth(seq, [[String(seq), '1']]) });
    });
  };
  const states: [number, string | undefined][] = [];
  stream = exchange.stream();
  const book = stream.book('BTC/USDT', ({ seq, bids }) => states.push([seq, bids[0]?.[0]]));
  await until('the first snapshot came', () => states.length === 1);
  const [{ socket }] = lines as [(typeof lines)[0]];
  socket.emit(
    'market_depth',
    depth(
      2,
      [
        ['2', '1'],
        ['1', '1'],
      ],
      { kind: 'diff', b: ['2', '1'] },
    ),
  );
  await until('a difference came', () => states.length === 2);
  socket.emit(
    'market_depth',
    depth(
      3,
      [
        ['3', '1'],
        ['2', '1'],
        ['1', '1'],
      ],
      { kind: 'diff', b: ['3', '1'], ...wrong },
    ),
  );
  await until('the second snapshot came', () => states.length === 3);
  expect(states).toEqual([
    [1, '1'],
    [2, '2'],
    [20, '20'],
  ]);
  expect(subscribed).toHaveLength(2);
  expect(book.bids).toEqual([['20', '1']]);
});
