import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { bookChecksum } from '@bourse/contract';
import { ApiError, Bourse, NetworkError, SubscriptionRefused, type CallName, type Stream } from './index.js';
import { FIELDS } from './types.generated.js';
import { Server, type Socket } from 'socket.io';

jest.setTimeout(90_000);

/* The client before an exchange of the test's own, which is busy, has another clock, cuts lines and miscounts. */

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly fields: URLSearchParams;
  readonly key: string | undefined;
  readonly timestamp: number;
  readonly isSigned: boolean;
}
let aheadMs = 0;
let asked: Asked[] = [];
/** The answer to a call; by default its time, or an order. */
let answer: (call: Asked) => { status?: number; body: object; retryAfter?: number } | 'lost' | undefined = () =>
  undefined;
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
    fields: new URLSearchParams(method === 'GET' ? url.split('?')[1] : body),
    key: headers['idempotency-key'] as string | undefined,
    timestamp,
    isSigned: headers['x-api-signature'] === signed([method, url, String(timestamp)], digest),
  };
  asked.push(call);
  const now = Date.now() + aheadMs;
  const isLate = call.path !== '/api/time' && Math.abs(timestamp - now) > 5_000;
  const told = isLate ? { status: 401, body: refusal('apikey.signature') } : answer(call);
  if (told === 'lost') return void response.destroy();
  response.setHeader('date', new Date(now).toUTCString());
  if (told?.retryAfter !== undefined) response.setHeader('retry-after', String(told.retryAfter));
  response.writeHead(told?.status ?? 200, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(told?.body ?? { type: 'ok', message: '', id: '7', order: { id: '7' }, ids: [], request_id: '' }),
  );
}

const http = createServer((request, response) => void serve(request, response));
const sockets = new Server(http);
let handshakes = 0;
/** The clock by which handshakes are judged, where it drifts from the reported one. */
let socketAheadMs: number | undefined;
sockets.use((socket, next) => {
  handshakes += 1;
  const { timestamp } = socket.handshake.auth as { timestamp?: string };
  const isLate = Math.abs(Number(timestamp) - Date.now() - (socketAheadMs ?? aheadMs)) > 5_000;
  next(isLate ? new Error('apikey.signature') : undefined);
});
/** The sockets opened so far, with their handshakes. */
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
  [handshakes, socketAheadMs] = [0, undefined];
  const { port } = http.address() as AddressInfo;
  exchange = new Bourse({ url: `http://127.0.0.1:${String(port)}`, key: 'key', secret: 'secret' });
});
afterEach(() => {
  jest.restoreAllMocks();
  stream?.close();
  stream = undefined;
});
afterAll(() => sockets.close());

/** Waits between repeats pass twenty times as fast: the test proves the repeats, not their duration. */
function hasten(): void {
  const wait = globalThis.setTimeout;
  const shorter = (then: () => void, ms = 0, ...more: unknown[]): NodeJS.Timeout =>
    wait(then as (...given: unknown[]) => void, ms >= 250 ? ms / 20 : ms, ...more);
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(shorter as typeof setTimeout);
}

async function until(what: string, check: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !check(); await new Promise((resolve) => setTimeout(resolve, 10)))
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
}
const ORDER = { legal_id: 3, currency_id: 1, type: 1, amount: '1', target_price: '2' } as const;

describe('a call', () => {
  test('that the exchange cannot take is sent again under the same key, signed again [API-035]', async () => {
    hasten();
    answer = () => (asked.length < 3 ? { status: 503, body: refusal('common.unavailable') } : undefined);
    const { id } = await exchange.call('POST /api/coin/trade', ORDER, { intent: 'key-of-mine' });
    expect(id).toBe('7');
    expect(asked.map(({ key, isSigned }) => [key, isSigned])).toEqual(
      Array.from({ length: 3 }, () => ['key-of-mine', true]),
    );
    expect(new Set(asked.map(({ timestamp }) => timestamp)).size).toBe(3);
  });

  test('that gets a time to retry waits for that long; too many calls are refused [API-056]', async () => {
    const at: number[] = [];
    answer = () => {
      at.push(performance.now());
      return at.length < 2 ? { status: 503, body: refusal('common.unavailable'), retryAfter: 1 } : undefined;
    };
    await exchange.call('POST /api/coin/trade', ORDER);
    // Timers of two clocks may differ by a millisecond.
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(995);
    answer = () => ({ status: 429, body: refusal('common.tooMany'), retryAfter: 7 });
    await expect(exchange.call('POST /api/coin/trade', ORDER)).rejects.toMatchObject({ status: 429, retryAfter: 7 });
    expect(asked).toHaveLength(3);
  });

  test('without a key of its own gets one, and keeps it [API-035]', async () => {
    hasten();
    answer = () => (asked.length < 2 ? { status: 503, body: refusal('common.unavailable') } : undefined);
    await exchange.call('POST /api/coin/trade', ORDER);
    expect(asked[0]!.key).toMatch(/^[0-9a-f]{32}$/);
    expect(asked[1]!.key).toBe(asked[0]!.key);
  });

  test('whose answers are lost is sent again under its key until one comes [API-046]', async () => {
    hasten();
    const pending = { status: 202, body: { ...refusal('common.processing'), type: 'pending', command_id: 'c' } };
    const busy = { status: 503, body: refusal('common.unavailable') };
    const twice = { status: 200, body: refusal('common.repeated') };
    const told = ['lost', 'lost', pending, busy, twice] as const;
    answer = () => told[asked.length - 1];
    const { id } = await exchange.call('POST /api/coin/trade', ORDER);
    expect(id).toBe('7');
    expect(asked.map(({ path }) => path)).toEqual(Array.from({ length: 6 }, () => '/api/coin/trade'));
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    expect(asked.every(({ isSigned }) => isSigned)).toBe(true);
  });

  test('whose outcome stays unknown ends with an error that carries its key [API-046]', async () => {
    answer = () => 'lost';
    const lost = await exchange
      .call('POST /api/coin/trade', ORDER, { patienceMs: 500 })
      .catch((error: unknown) => error as NetworkError);
    expect(lost).toBeInstanceOf(NetworkError);
    expect(asked.length).toBeGreaterThan(1);
    expect(lost).toMatchObject({ intent: asked[0]!.key });
    // Turned away at last, it is not known either what became of the first one: that is no refusal.
    asked = [];
    answer = () => (asked.length === 1 ? 'lost' : { status: 503, body: refusal('common.unavailable') });
    const turned = exchange.call('POST /api/coin/trade', ORDER, { intent: 'key-of-mine', patienceMs: 500 });
    await expect(turned).rejects.toMatchObject({ name: 'NetworkError', intent: 'key-of-mine' });
    answer = () => ({ status: 202, body: { ...refusal('common.processing'), type: 'pending', command_id: 'c' } });
    const impatient = new Bourse({ url: exchange.url, key: 'key', secret: 'secret', patienceMs: 0 });
    asked = [];
    await expect(impatient.call('POST /api/coin/trade', ORDER)).rejects.toMatchObject({
      type: 'pending',
      intent: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown as string,
    });
    expect(asked).toHaveLength(1);
  });

  test('that a gate refuses after a lost answer has an unknown outcome, else it is refused [CLIENT-052]', async () => {
    for (const key of ['auth.frozen', 'common.forbidden', 'kyc.required']) {
      asked = [];
      answer = () => (asked.length === 1 ? 'lost' : { status: 200, body: refusal(key) });
      const gated = exchange.call('POST /api/coin/trade', ORDER, { intent: 'key-of-mine' });
      await expect(gated).rejects.toMatchObject({ name: 'NetworkError', intent: 'key-of-mine' });
      expect(asked).toHaveLength(2);
      // Without a lost answer it is a refusal.
      await expect(exchange.call('POST /api/coin/trade', ORDER)).rejects.toMatchObject({ name: 'ApiError', key });
    }
  });

  test('a defect of the exchange leaves its outcome open: it is sent again [CLIENT-150]', async () => {
    hasten();
    const defect = { status: 500, body: refusal('common.defect') };
    answer = () => (asked.length < 3 ? defect : undefined);
    expect((await exchange.call('POST /api/coin/trade', ORDER)).id).toBe('7');
    expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
    answer = () => defect;
    const unknown = exchange.call('POST /api/coin/trade', ORDER, { intent: 'key-of-mine', patienceMs: 0 });
    await expect(unknown).rejects.toMatchObject({ name: 'NetworkError', intent: 'key-of-mine' });
    // Nothing is done by a read.
    asked = [];
    await expect(exchange.call('GET /api/coin/list', {})).rejects.toMatchObject({ name: 'ApiError', status: 500 });
    expect(asked).toHaveLength(1);
  });

  test('that is ended by its caller is not sent again [API-046]', async () => {
    answer = () => 'lost';
    const ending = new AbortController();
    const call = exchange.call('POST /api/coin/trade', ORDER, { signal: ending.signal });
    await until('it was sent', () => asked.length > 0);
    ending.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    const sent = asked.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(asked).toHaveLength(sent);
  });

  test('that would act twice is not sent again [API-035]', async () => {
    answer = () => ({ status: 503, body: refusal('common.unavailable') });
    await expect(
      exchange.call('POST /api/complaint/add', { kind: 'other', subject: 'a', text: 'b' }),
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

describe('an unknown field or value [CLIENT-030]', () => {
  const names = Object.keys(FIELDS) as CallName[];
  const refused = async (wish: () => Promise<unknown>): Promise<string> =>
    wish().then(
      () => 'done',
      (error: unknown) => (error instanceof TypeError ? error.message : String(error)),
    );

  test('as a field of a call is refused in every call, and nothing is sent', async () => {
    expect(names.length).toBeGreaterThan(100);
    for (const name of names)
      expect(await refused(() => exchange.call(name, { trailing: '1' } as never))).toBe(`${name} takes no trailing`);
    // The types know it as well.
    // @ts-expect-error -- a field that the call does not take, of a value that is no literal
    const wrong = (fields: { id: string; trailing: string }): unknown => exchange.call('PUT /api/coin/trade', fields);
    expect(wrong).toBeInstanceOf(Function);
    expect(await refused(() => exchange.call('GET /api/none' as never, {} as never))).toContain(
      'no call GET /api/none',
    );
    expect(await refused(() => exchange.call('GET /api/time', {}, { retries: 3 } as never))).toContain('no retries');
    expect(asked).toEqual([]);
  });

  const order = { symbol: 'BTC/USDT', side: 'sell', amount: '1' };
  test.each([
    ['placeOrder', [{ ...order, stopLoss: '1' }]],
    ['placeOrder', [{ ...order, reduceOnly: true }]],
    ['placeOrder', [{ ...order, stopPrice: undefined }]],
    ['placeOrder', [{ ...order, trailPercent: undefined }]],
    ['placeOrder', [{ ...order, price: undefined }]],
    ['placeOrder', [{ ...order, price: null }]],
    ['placeOrder', [{ ...order, side: 'SELL' }]],
    ['placeOrder', [{ ...order, postOnly: 'false' }]],
    ['placeOrder', [order, { idempotencyKey: 'mine-1234' }]],
    ['cancelAll', [{ trigger: true }]],
    ['cancelAll', [{ symbol: undefined }]],
    ['cancelAll', [{ side: 'both' }]],
    ['cancelOrder', [{ client_order_id: 'mine' }]],
    ['cancelOrder', [{ clientOrderId: undefined }]],
    ['order', [{ clientOrderId: '' }]],
    ['fills', [{ since: 1 }]],
    ['fills', [{ limit: 0 }]],
  ] as const)('%s %j is refused, and nothing is sent', async (method, args) => {
    const call = exchange[method].bind(exchange) as (...given: readonly unknown[]) => Promise<unknown>;
    expect(await refused(() => call(...args))).toMatch(/ takes no /);
    expect(asked.filter(({ path }) => path.startsWith('/api/coin/'))).toEqual([]);
  });

  test('as an option of the client is refused', () => {
    expect(() => new Bourse({ url: exchange.url, apiKey: 'key' } as never)).toThrow('new Bourse takes no apiKey');
    expect(() => new Bourse({ url: '' })).toThrow(TypeError);
  });
});

test.each(['key', 'signature', 'replay'])('a refusal for its %s reads no clock [CLIENT-031]', async (reason) => {
  aheadMs = 0;
  answer = () => ({ status: 401, body: { ...refusal('apikey.signature'), params: { reason } } });
  await expect(exchange.call('POST /api/coin/trade', ORDER)).rejects.toMatchObject({ params: { reason } });
  expect(asked.map(({ path }) => path)).toEqual(['/api/coin/trade']);
});

test.each([3_600_000, -60_000])('a stream opens by the clock of the exchange, %s ms ahead [API-044]', async (ms) => {
  onLine = (socket) => socket.on('login', (_name, ack: (told: object) => void) => ack({ type: 'ok', user_seq: 1 }));
  aheadMs = ms;
  const errors: string[] = [];
  stream = exchange.stream(({ message }) => errors.push(message));
  await stream.ready();
  expect([handshakes, errors]).toEqual([2, []]);
  // A clock that jumps later, as that of a machine that slept, is corrected on the next line.
  aheadMs = 0;
  lines[0]!.socket.conn.close();
  await until('it opened again', () => lines.length === 2 && stream?.status === 'live');
  expect(errors).toEqual([]);
});

test('a stream that is refused with a right clock reports it and stops correcting the clock [API-044]', async () => {
  socketAheadMs = 600_000;
  const errors: string[] = [];
  stream = exchange.stream(({ message }) => errors.push(message));
  await expect(stream.ready()).rejects.toThrow('apikey.signature');
  expect([handshakes, errors]).toEqual([1, ['apikey.signature']]);
  // Nothing opens it any more.
  await expect(stream.ready()).rejects.toThrow('apikey.signature');
  stream.close();
  // The reported clock drifts further at each request.
  const other = new Bourse({
    url: exchange.url,
    key: 'key',
    secret: 'secret',
    fetch: (...call) => {
      aheadMs += 60_000;
      return fetch(...call);
    },
  });
  stream = other.stream();
  await expect(stream.ready()).rejects.toThrow('apikey.signature');
  expect(handshakes).toBe(4);
});

test('calls that are refused at the same time by a clock that is off are both repeated [API-036]', async () => {
  aheadMs = 60_000;
  const orders = [exchange.call('POST /api/coin/trade', ORDER), exchange.call('POST /api/coin/trade', ORDER)];
  expect((await Promise.all(orders)).map(({ id }) => id)).toEqual(['7', '7']);
});

const balances = (seq: number): object => ({
  ts: 1,
  user_seq: seq,
  balances: [{ currency: 3, currency_name: 'USDT', account: 'change', balance: String(seq), lock_balance: '0' }],
  cause_type: 'transfer',
  cause_id: String(seq),
});

/** Accepts each login, and returns the events since; `told` is called each time. */
function takesLogins(told: () => { seq: number; since: object }): void {
  onLine = (socket) =>
    socket.on('login', (_name, ack: (answer: object) => void) => ack({ type: 'ok', user_seq: told().seq }));
  answer = ({ path }) => (path === '/api/stream/since' ? { body: { type: 'ok', message: told().since } } : undefined);
}
const changed = (...numbers: readonly number[]): object[] =>
  numbers.map((seq) => ({ event: 'balance_update', payload: balances(seq) }));

test('after a lost line the stream signs in again, and missed events come once and in order [API-037]', async () => {
  hasten();
  let last = 5;
  let complete = 1;
  takesLogins(() => ({
    seq: last,
    since: { events: complete === 1 ? changed(7, 8) : [], user_seq: last, complete },
  }));
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
  await until('it signed in again', () => lines.length === 2);
  for (const { auth } of lines) {
    const digest = createHash('sha256').update('').digest('hex');
    expect(auth['signature']).toBe(signed(['GET', '/socket.io', auth['timestamp'] ?? ''], digest));
  }
  // A repeat is dropped, the next one counts.
  lines[1]!.socket.emit('balance_update', balances(8));
  lines[1]!.socket.emit('balance_update', balances(9));
  await until('the next message came', () => got.length === 4);
  expect([got, holes]).toEqual([['6', '7', '8', '9'], 0]);
  // Events that the exchange cannot repeat are reported.
  [last, complete] = [2_000, 0];
  lines[1]!.socket.conn.close();
  await until('the hole was told', () => holes === 1);
  expect(got).toHaveLength(4);
});

test('the stream is live once the exchange has taken its login, on each line [API-039]', async () => {
  hasten();
  const logins: ((told: object) => void)[] = [];
  onLine = (socket) => socket.on('login', (_name, ack: (told: object) => void) => logins.push(ack));
  answer = ({ path }) =>
    path === '/api/stream/since'
      ? { body: { type: 'ok', message: { events: [], user_seq: 0, complete: 1 } } }
      : undefined;
  stream = exchange.stream();
  const seen: string[] = [];
  stream.onStatus((status) => seen.push(status));
  let isReady = false;
  const ready = stream.ready().then(() => (isReady = true));
  await until('it wants to sign in', () => logins.length === 1);
  // The public stream runs already, and shows nothing of the private one.
  await new Promise<void>((resolve) => {
    stream?.trades('BTC/USDT', () => resolve());
    lines[0]!.socket.emit('match_trade', TRADE);
  });
  expect([stream.status, isReady]).toEqual(['connecting', false]);
  // A login that cannot be taken for the moment is sent again.
  logins[0]!({ type: 'error', key: 'common.unavailable' });
  await until('it signs in once more', () => logins.length === 2);
  expect(isReady).toBe(false);
  logins[1]!({ type: 'ok', user_seq: 0 });
  await ready;
  expect(stream.status).toBe('live');
  lines[0]!.socket.conn.close();
  await until('it signs in on another line', () => logins.length === 3);
  expect(stream.status).toBe('reconnecting');
  logins[2]!({ type: 'ok', user_seq: 0 });
  await stream.ready();
  expect(seen.filter((status, index) => status !== seen[index - 1])).toEqual(['live', 'reconnecting', 'live']);
});

test('a caller that waits for a stream gets its closing, and the refusal of its key [API-039]', async () => {
  onLine = (socket) => socket.on('login', (_name, ack: (told: object) => void) => ack({ type: '999' }));
  const errors: string[] = [];
  stream = exchange.stream(({ message }) => errors.push(message));
  await expect(stream.ready()).rejects.toThrow('the stream was closed: login');
  expect(errors).toEqual(['the stream was closed: login']);
  const waiting = stream.ready();
  stream.close();
  await expect(waiting).rejects.toThrow('the stream was closed');
});

test('a user without events before a lost connection misses none of the later ones [API-037]', async () => {
  hasten();
  let last = 0;
  takesLogins(() => ({ seq: last, since: { events: changed(1), user_seq: 1, complete: 1 } }));
  const got: string[] = [];
  stream = exchange.stream();
  stream.on('balance_update', ({ cause_id: id }) => got.push(id));
  await stream.ready();
  last = 1;
  lines[0]!.socket.conn.close();
  await until('what was missed came', () => got.length > 0);
  expect(got).toEqual(['1']);
});

const TRADE = {
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  id: 'BTC/USDT-1',
  price: '1',
  amount: '1',
  ts: 1,
  direction: 'buy',
  house: 0,
  seq: 1,
  prev_seq: 0,
};

const PAIRS = [
  { symbol: 'BTC/USDT', legal_id: 3, currency_id: 1 },
  { symbol: 'ETH/USDT', legal_id: 3, currency_id: 2 },
];
const listOf = (all: readonly { id: string }[], { fields }: Asked): object => {
  const from = (Number(fields.get('page')) - 1) * 100;
  const data = all.slice(from, from + 100);
  return { type: 'ok', message: { data, total: all.length, has_more: from + 100 < all.length ? 1 : 0 } };
};

describe('a program', () => {
  beforeEach(() => {
    answer = ({ path }) =>
      path === '/api/quotation_new' ? { body: { type: 'ok', message: [{ quotation: PAIRS }] } } : undefined;
  });
  const sent = (path: string): object[] =>
    asked.filter((call) => call.path === path).map(({ fields }) => Object.fromEntries(fields));

  test('places orders without reading the market each time, but for a pair that is not known [API-048]', async () => {
    const order = { symbol: 'BTC/USDT', side: 'buy', price: '2', amount: '1' } as const;
    await Promise.all([exchange.placeOrder(order), exchange.placeOrder(order)]);
    await exchange.placeOrder({ ...order, symbol: 'ETH/USDT' });
    expect(sent('/api/quotation_new')).toHaveLength(1);
    expect(sent('/api/coin/trade').map((fields) => (fields as { currency_id: string }).currency_id)).toEqual([
      ...['1', '1', '2'],
    ]);
    await expect(exchange.placeOrder({ ...order, symbol: 'NO/PE' })).rejects.toThrow('has no pair NO/PE');
    expect(sent('/api/quotation_new')).toHaveLength(2);
    const clock = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    // The ids of a known pair do not change: its order does not wait for the read.
    const read = answer;
    answer = (call) => (call.path === '/api/quotation_new' ? 'lost' : read(call));
    await exchange.placeOrder(order).finally(() => clock.mockRestore());
    await until('the market is read again', () => sent('/api/quotation_new').length > 2);
    expect(sent('/api/coin/trade')).toHaveLength(4);
  });

  test('marks the order that is returned for another one of its clientOrderId [CLIENT-060]', async () => {
    const order = { symbol: 'BTC/USDT', side: 'buy', price: '2', amount: '1', clientOrderId: 'mine' } as const;
    const read = answer;
    const tried = (more: object): Promise<object> => {
      answer = (call) =>
        call.path === '/api/coin/trade' ? { body: { type: 'ok', id: '7', order: { id: '7' }, ...more } } : read(call);
      return exchange.placeOrder(order);
    };
    expect(await tried({})).toEqual({ id: '7' });
    expect(await tried({ repeated: 1 })).toEqual({ id: '7', repeated: 1 });
  });

  test('places every kind of order, and names orders by either name [API-048]', async () => {
    const order = { symbol: 'BTC/USDT', amount: '1' } as const;
    const [mine, base] = [{ clientOrderId: 'mine' }, { legal_id: '3', currency_id: '1', amount: '1' }];
    await exchange.placeOrder({ ...order, side: 'sell', stopPrice: '3', triggerBy: 'mark' });
    await exchange.placeOrder({ ...order, side: 'buy', price: '2', stopPrice: '3', timeInForce: 'FOK', ...mine });
    await exchange.placeOrder({ ...order, side: 'buy', price: '2', postOnly: true, selfTrade: 'cancel_both' });
    await exchange.placeOrder({ ...order, side: 'sell', trailPercent: '1.5', activationPrice: '4' });
    await exchange.placeOrder({ ...order, side: 'buy', trailAmount: '2' });
    await exchange.cancelOrder(mine);
    await exchange.cancelOrder('7');
    expect(sent('/api/coin/trade')).toEqual([
      { ...base, type: '2', order_type: 'stop_market', stop_price: '3', trigger_by: 'mark' },
      {
        ...{ ...base, type: '1', order_type: 'stop_limit', target_price: '2', stop_price: '3' },
        ...{ time_in_force: 'FOK', client_order_id: 'mine' },
      },
      { ...base, type: '1', order_type: 'limit', target_price: '2', post_only: '1', stp: 'cancel_both' },
      { ...base, type: '2', order_type: 'trailing_stop', trail_percent: '1.5', activation_price: '4' },
      { ...base, type: '1', order_type: 'trailing_stop', trail_amount: '2' },
      { client_order_id: 'mine' },
      { id: '7' },
    ]);
    await exchange.cancelAll();
    await exchange.cancelAll({ symbol: 'ETH/USDT', side: 'sell' });
    expect(sent('/api/coin/cancel_all')).toEqual([{}, { legal_id: '3', currency_id: '2', type: '2' }]);
    await exchange.amendOrder('7', { price: '2' });
    await exchange.amendOrder(mine, { amount: '3', price: '2' });
    await exchange.cancelOrders(['7', '8']);
    const items = [{ op: 'cancel', id: '7' } as const];
    await exchange.call('POST /api/coin/batch', { items });
    expect([...sent('/api/coin/order'), ...sent('/api/coin/cancel'), ...sent('/api/coin/batch')]).toEqual([
      { id: '7', target_price: '2' },
      { client_order_id: 'mine', target_price: '2', amount: '3' },
      { ids: '["7","8"]' },
      { items: JSON.stringify(items) },
    ]);
    await expect(exchange.amendOrder('7', { prise: '2' } as never)).rejects.toThrow(TypeError);
  });

  test('reads every page of its open orders, again where they move, and the fills it wants [API-048]', async () => {
    const rows = Array.from({ length: 250 }, (_, index) => ({ id: String(250 - index) }));
    let left = rows;
    const before = answer;
    answer = (call) => {
      if (!call.path.startsWith('/api/coin/')) return before(call);
      const body = listOf(left, call);
      // The newest ends once the first page was read: the one at the turn of the page moves on to that.
      if (left === rows && call.path === '/api/coin/list') left = rows.slice(1);
      return { body };
    };
    expect((await exchange.openOrders('BTC/USDT')).map(({ id }) => id)).toEqual(rows.slice(1).map(({ id }) => id));
    expect(sent('/api/coin/list')[0]).toMatchObject({ status: '1', currency: '1', legal_id: '3', limit: '100' });
    left = rows;
    expect(await exchange.fills()).toHaveLength(100);
    expect(sent('/api/coin/fills')).toHaveLength(1);
    expect(await exchange.fills({ orderId: '9', limit: 220 })).toHaveLength(220);
    expect(sent('/api/coin/fills')[1]).toMatchObject({ order_id: '9' });
  });
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

test('a refused subscription is an error that names it, alone and among others [CLIENT-051]', async () => {
  onLine = (socket) => {
    socket.on('login', (_name, ack: (told: object) => void) => ack({ type: 'ok', user_seq: 1 }));
    socket.on('subscribe', (wish: { channels?: readonly object[] }, ack: (told: object) => void) => {
      const refused = (wish.channels ?? []).map((one) => ({ interval: '', key: 'common.tooMany', ...one }));
      ack(wish.channels ? { ok: [], refused } : { type: 'error', key: 'pair.delisted' });
    });
  };
  const errors: string[] = [];
  const refusals: string[][] = [];
  stream = exchange.stream((error) => {
    errors.push(error.message);
    if (!(error instanceof SubscriptionRefused)) return;
    const { channel, symbol, interval, key } = error;
    refusals.push([channel, symbol, interval, key]);
  });
  await stream.ready();
  stream.ticker('OLD/USDT', () => undefined);
  await until('one refusal came', () => errors.length === 1);
  stream.trades('BTC/USDT', () => undefined);
  stream.candles('BTC/USDT', '1min', () => undefined);
  await until('all refusals came', () => errors.length === 3);
  expect(errors).toEqual([
    'the subscription to daymarket of OLD/USDT was refused: pair.delisted',
    'the subscription to trades of BTC/USDT was refused: common.tooMany',
    'the subscription to kline of BTC/USDT was refused: common.tooMany',
  ]);
  expect(refusals).toEqual([
    ['daymarket', 'OLD/USDT', '', 'pair.delisted'],
    ['trades', 'BTC/USDT', '', 'common.tooMany'],
    ['kline', 'BTC/USDT', '1min', 'common.tooMany'],
  ]);
});
