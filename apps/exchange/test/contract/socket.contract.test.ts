import { crc32 } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Socket } from 'socket.io-client';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { connect, get, post } from './client.js';
import { createTraders, createNewcomer } from './people.js';

const [ETH, USDT] = [2, 3];
const SYMBOL = 'ETH/USDT';
const sockets: Socket[] = [];
let one: string;
let two: string;
let [first, second]: [number, number] = [0, 0];

interface Numbered {
  readonly symbol: string;
  readonly seq: number;
  readonly prev_seq: number;
  readonly ts: number;
}
interface Depth extends Numbered {
  readonly kind: string;
  readonly b: string[];
  readonly a: string[];
  readonly checksum: number;
  readonly bids: { price: string; number: string }[];
  readonly asks: { price: string; number: string }[];
}
interface Private {
  readonly user_seq: number;
  readonly ts: number;
  readonly order?: { id: string };
  readonly cause_id?: string;
}
type Ack = Record<string, unknown> & { type: string; seq: number; snapshot: unknown };

beforeAll(async () => {
  const [a, b] = await createTraders(2, { change: { [USDT]: '1000', [ETH]: '1' } });
  [one, two, first, second] = [a.token, b.token, a.id, b.id];
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.disconnect();
  for (const token of [one, two]) await post('/api/coin/cancel_all', { legal_id: USDT, currency_id: ETH }, { token });
});

async function open(token?: string): Promise<Socket> {
  const socket = await connect(token);
  sockets.push(socket);
  return socket;
}
const ask = (socket: Socket, event: string, ...payload: unknown[]): Promise<Ack> =>
  socket.timeout(5_000).emitWithAck(event, ...payload);
function collect<T>(socket: Socket, event: string): T[] {
  const all: T[] = [];
  socket.on(event, (message: T) => all.push(message));
  return all;
}
/** A resting order below the market: it changes the book without a trade. */
const rest = (price: string, token = one): ReturnType<typeof post> =>
  post(
    '/api/coin/trade',
    { legal_id: USDT, currency_id: ETH, type: 1, target_price: price, amount: '0.01' },
    { token },
  );
/** Makes one trade. */
async function tradeOnce(): Promise<void> {
  await post(
    '/api/coin/trade',
    { legal_id: USDT, currency_id: ETH, type: 1, target_price: '4000', amount: '0.01' },
    { token: one },
  );
  await post(
    '/api/coin/trade',
    { legal_id: USDT, currency_id: ETH, type: 2, target_price: '4000', amount: '0.01' },
    { token: two },
  );
}

/** A client's book, built from the messages alone. */
class Book {
  private readonly bids = new Map<string, string>();
  private readonly asks = new Map<string, string>();
  seq = 0;

  start(depth: Depth): void {
    this.bids.clear();
    this.asks.clear();
    this.apply(depth);
  }
  apply(depth: Depth): void {
    load(this.bids, depth.b);
    load(this.asks, depth.a);
    this.seq = depth.seq;
  }
  checksum(): number {
    const bids = [...this.bids].sort(([a], [b]) => Number(b) - Number(a));
    const asks = [...this.asks].sort(([a], [b]) => Number(a) - Number(b));
    const parts: string[] = [];
    for (let at = 0; at < 20; at += 1) parts.push(...(bids[at] ?? []), ...(asks[at] ?? []));
    return crc32(parts.join(':'));
  }
}
function load(side: Map<string, string>, flat: readonly string[]): void {
  for (let at = 0; at < flat.length; at += 2) {
    if (flat[at + 1] === '0') side.delete(flat[at]!);
    else side.set(flat[at]!, flat[at + 1]!);
  }
}

describe('login', () => {
  test('private events flow to the user of the token, named in any of three ways [SOCKET-008]', async () => {
    for (const name of [first, String(first), { user_id: first }]) {
      expect(await ask(await open(one), 'login', name)).toEqual({ type: 'ok', user_seq: expect.any(Number) });
    }
  });

  test('another user, a guest or a bad token get 999 and nothing [SOCKET-008]', async () => {
    const other = await open(one);
    const events = collect<Private>(other, 'order_update');
    expect(await ask(other, 'login', second)).toEqual({ type: '999' });
    expect(await ask(other, 'login', null)).toEqual({ type: '999' });
    expect(await ask(await open(), 'login', first)).toEqual({ type: '999' });
    expect(await ask(await open('nonsense'), 'login', first)).toEqual({ type: '999' });
    const own = await open(one);
    await ask(own, 'login', first);
    const told = collect<Private>(own, 'order_update');
    await rest('1500', two);
    const { body } = await rest('1501', one);
    // An event that reached one socket would also have reached the other.
    await eventuallySatisfied(
      () => told,
      (all) => all.some(({ order }) => order?.id === body.id),
    );
    expect(events).toEqual([]);
  });
});

describe('private events', () => {
  test('each socket of a user gets each event once, without gaps, and again on request [SOCKET-006]', async () => {
    const sockets = await Promise.all([open(one), open(one)]);
    const [start] = (await Promise.all(sockets.map((socket) => ask(socket, 'login', first)))).map(
      (ack) => ack['user_seq'] as number,
    ) as [number];
    const seen = sockets.map((socket) => {
      const all: Private[] = [];
      for (const event of ['order_update', 'balance_update']) socket.on(event, (message: Private) => all.push(message));
      return all;
    });
    const id = (await rest('1600')).body.id as string;
    await eventuallySatisfied(
      () => seen,
      (lists) =>
        lists.every(
          (list) => list.some(({ order }) => order?.id === id) && list.some((event) => event.cause_id === id),
        ),
    );
    for (const list of seen) expect(list.map(({ user_seq }) => user_seq)).toEqual(list.map((_, at) => start + 1 + at));
    const since = (await get('/api/stream/since', { user_seq: start }, { token: one })).body.message as {
      events: { event: string; payload: Private }[];
      user_seq: number;
      complete: number;
    };
    expect(since.complete).toBe(1);
    expect(since.events.map(({ payload }) => payload.user_seq).slice(0, seen[0]!.length)).toEqual(
      seen[0]!.map(({ user_seq }) => user_seq),
    );
  });

  test('signing out ends the sockets of that session within 2 s, after saying so [SOCKET-009]', async () => {
    const { token, id } = await createNewcomer();
    const socket = await open(token);
    expect((await ask(socket, 'login', id)).type).toBe('ok');
    const said = collect<{ reason: string }>(socket, 'session_closed');
    await post('/api/user/logout', {}, { token });
    await eventuallySatisfied(
      () => socket.connected,
      (connected) => !connected,
      2_000,
    );
    expect(said).toEqual([{ reason: expect.any(String) }]);
  });

  test(
    'a heartbeat each 10 s carries the number [SOCKET-008]',
    async () => {
      const [guest, user] = await Promise.all([open(), open(two)]);
      const { user_seq: seq } = await ask(user, 'login', second);
      const beats = [
        collect<{ ts: number; user_seq: number }>(guest, 'heartbeat'),
        collect<{ ts: number; user_seq: number }>(user, 'heartbeat'),
      ];
      await eventuallySatisfied(
        () => beats,
        (lists) => lists.every((list) => list.length > 0),
        11_000,
      );
      expect(beats[0]![0]).toEqual({ ts: expect.any(Number), user_seq: 0 });
      expect(beats[1]![0]!.user_seq).toBeGreaterThanOrEqual(seq as number);
    },
    testTimeoutMs(10_000),
  );
});

describe('depth', () => {
  test(
    'snapshot and differences give the book of the checksum, in unbroken numbers [SOCKET-003]',
    async () => {
      const socket = await open();
      await rest('1700');
      const messages = collect<Depth>(socket, 'market_depth');
      const ack = await ask(socket, 'subscribe', { channel: 'depth', symbol: SYMBOL });
      expect(ack).toMatchObject({
        type: 'ok',
        channel: 'depth',
        symbol: SYMBOL,
        seq: expect.any(Number),
        snapshot: { kind: 'snapshot', symbol: SYMBOL, legal_id: USDT, currency_id: ETH },
      });
      const book = new Book();
      book.start(ack.snapshot as Depth);
      expect(book.checksum()).toBe((ack.snapshot as Depth).checksum);
      messages.splice(0);
      for (const price of ['1701', '1702.5', '1703']) {
        const seen = messages.length;
        await rest(price);
        await eventuallySatisfied(
          () => messages.length,
          (count) => count > seen,
          15_000,
        );
      }
      await post('/api/coin/cancel_all', { legal_id: USDT, currency_id: ETH }, { token: one });
      await eventuallySatisfied(
        () => messages.length,
        (count) => count >= 2,
        15_000,
      );
      for (const depth of messages) {
        expect([depth.kind, depth.prev_seq]).toEqual(['diff', book.seq]);
        expect(depth.seq).toBeGreaterThan(depth.prev_seq);
        book.apply(depth);
        expect(book.checksum()).toBe(depth.checksum);
        for (const text of [...depth.b, ...depth.a]) expect(text).toMatch(/^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }
    },
    testTimeoutMs(10_000),
  );

  test(
    'a socket that returns with its number gets missed events instead of a snapshot [SOCKET-005]',
    async () => {
      const [stays, goes] = await Promise.all([open(), open()]);
      await rest('1800');
      await ask(stays, 'subscribe', { channel: 'depth', symbol: SYMBOL });
      const book = new Book();
      const ack = await ask(goes, 'subscribe', { channel: 'depth', symbol: SYMBOL });
      book.start(ack.snapshot as Depth);
      goes.on('market_depth', (depth: Depth) => {
        if (depth.prev_seq === book.seq) book.apply(depth);
      });
      await ask(goes, 'unsubscribe', { channel: 'depth', symbol: SYMBOL });
      const held = book.seq;
      const moved = collect<Depth>(stays, 'market_depth');
      await rest('1801');
      await eventuallySatisfied(
        () => moved.length,
        (count) => count > 0,
        15_000,
      );
      const again = await ask(goes, 'subscribe', { channel: 'depth', symbol: SYMBOL, seq: held });
      expect(again).toMatchObject({ type: 'ok', snapshot: null });
      expect(book.seq).toBe(again.seq);
      expect(again.seq).toBeGreaterThan(held);
      const foreign = await ask(goes, 'subscribe', { channel: 'depth', symbol: SYMBOL, seq: 4_000_000_000_000 });
      expect(foreign.snapshot).toMatchObject({ kind: 'snapshot' });
    },
    testTimeoutMs(10_000),
  );

  test('the number is the one REST gives, and so is the checksum [SOCKET-003]', async () => {
    await rest('1900');
    const socket = await open();
    const compared = await eventuallySatisfied(
      async () => {
        const before = await ask(socket, 'subscribe', { channel: 'depth', symbol: SYMBOL });
        const rest = (await post('/api/transaction/deal', { legal_id: USDT, currency_id: ETH })).body.message;
        return { push: before.snapshot as Depth, rest };
      },
      ({ push, rest }) => push.seq === rest.seq,
    );
    expect(compared.push.checksum).toBe(compared.rest.checksum);
  });
});

describe('trades', () => {
  test('every fill comes once, numbered as REST numbers it [SOCKET-010]', async () => {
    const socket = await open();
    const fills = collect<Numbered & { id: string; price: string; amount: string; direction: string }>(
      socket,
      'match_trade',
    );
    const whole = collect<Numbered & { total: string; type: string; direction: string; create_time: string }>(
      socket,
      'transaction',
    );
    const ack = await ask(socket, 'subscribe', { channel: 'trades', symbol: SYMBOL });
    await ask(socket, 'subscribe', { channel: 'transaction' });
    fills.splice(0);
    await tradeOnce();
    await eventuallySatisfied(
      () => fills.length,
      (count) => count > 0,
    );
    let held = ack.seq;
    for (const fill of fills) {
      expect(fill.prev_seq).toBe(held);
      held = fill.seq;
      expect(fill).toMatchObject({
        symbol: SYMBOL,
        legal_id: USDT,
        currency_id: ETH,
        direction: expect.stringMatching(/^(buy|sell)$/),
        amount: expect.stringMatching(/^\d+\.\d{4}$/),
        price: expect.stringMatching(/^\d+\.\d{2}$/),
      });
    }
    // A push and an answer come by two ways: the answer may be behind for a moment.
    const listed = await eventuallySatisfied(
      async () => (await get('/api/market/trades', { legal_id: USDT, currency_id: ETH })).body.message,
      ({ seq }) => seq >= held,
    );
    expect(listed.list.map(({ id }) => id)).toContain(fills[0]!.id);
    await eventuallySatisfied(
      () => Promise.resolve(whole.filter(({ symbol }) => symbol === SYMBOL).length),
      (count) => count > 0,
    );
    const shown = whole.find(({ symbol }) => symbol === SYMBOL)!;
    expect(shown).toMatchObject({
      type: shown.direction === 'buy' ? 'in' : 'out',
      total: expect.stringMatching(/^\d+\.\d{8}$/),
      create_time: expect.stringMatching(/^\d{4}-/),
    });
  });
});

describe('subscriptions', () => {
  test('a socket gets all pairs in full, from its first wish on only that, or all again [SOCKET-001]', async () => {
    const socket = await open();
    const depth = collect<Depth>(socket, 'market_depth');
    await rest('2000');
    const full = await eventuallySatisfied(
      () =>
        Promise.resolve(
          depth.find(({ symbol, kind, bids }) => symbol === SYMBOL && kind === 'full' && bids.length > 0),
        ),
      (message) => message !== undefined,
    );
    expect(full!.bids.length).toBeLessThanOrEqual(20);
    expect(full!.bids[0]).toEqual({ price: expect.any(String), number: expect.any(String) });
    await ask(socket, 'subscribe', { channel: 'daymarket', symbol: 'BTC/USDT' });
    depth.splice(0);
    const other = collect<Depth>(await open(), 'market_depth');
    const { seq } = full!;
    await rest('2001');
    // A socket that gets all pairs is sent the new book; this one is not.
    await eventuallySatisfied(
      () => other,
      (messages) => messages.some((message) => message.symbol === SYMBOL && message.seq > seq),
    );
    expect(depth).toEqual([]);
    expect(await ask(socket, 'unsubscribe', {})).toEqual({ type: 'ok' });
    await rest('2002');
    await eventuallySatisfied(
      () => depth,
      (messages) => messages.some(({ kind }) => kind === 'full'),
    );
  });

  test('without an ack the start comes as an event [SOCKET-011]', async () => {
    const socket = await open();
    const snapshots = collect<Ack>(socket, 'snapshot');
    socket.emit('subscribe', { channel: 'kline', symbol: SYMBOL, interval: '5' });
    await eventuallySatisfied(
      () => snapshots.length,
      (count) => count === 1,
    );
    expect(snapshots[0]).toMatchObject({ type: 'ok', channel: 'kline', symbol: SYMBOL, interval: '5min' });
  });

  test.each<[unknown, string]>([
    [{ channel: 'depth', symbol: 'NO/PAIR' }, 'pair.delisted'],
    [{ channel: 'secrets' }, 'common.fieldInvalid'],
    [{ channel: 'depth' }, 'common.fieldInvalid'],
    [{ channel: 'depth', symbol: 5 }, 'common.fieldInvalid'],
    [{}, 'common.fieldInvalid'],
    ['depth', 'common.fieldInvalid'],
    [null, 'common.fieldInvalid'],
    [{ channel: 'kline', symbol: SYMBOL, interval: '7min' }, 'common.fieldInvalid'],
    [{ channel: 'depth', symbol: SYMBOL, seq: -1 }, 'common.fieldInvalid'],
    [{ channel: '__proto__', symbol: SYMBOL }, 'common.fieldInvalid'],
  ])('%j is refused with %s [SOCKET-011]', async (payload, key) => {
    expect(await ask(await open(), 'subscribe', payload)).toEqual({ type: 'error', key });
  });

  test('more than ten frames a second are refused, a frame above 16 kB ends the socket [SOCKET-012]', async () => {
    const socket = await open();
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(socket, 'unsubscribe', {})));
    const refused = answers.filter(({ type }) => type === 'error');
    expect(refused.length).toBeGreaterThanOrEqual(10);
    for (const answer of refused)
      expect(answer).toEqual({ type: 'error', key: 'common.tooMany', params: { retry_ms: expect.any(Number) } });
    const big = await open();
    big.emit('subscribe', { channel: 'x'.repeat(20_000) });
    await eventuallySatisfied(
      () => big.connected,
      (connected) => !connected,
    );
  });

  test('refused frames cost nothing; a hundred of them in ten seconds cut the socket [CLIENT-110]', async () => {
    const socket = await open();
    await Promise.all(Array.from({ length: 90 }, () => ask(socket, 'unsubscribe', {})));
    const { params } = await eventuallySatisfied(
      async () => ask(socket, 'unsubscribe', {}),
      ({ type, params }) => type === 'ok' || (params as { retry_ms: number }).retry_ms <= 1_000,
    );
    // After `retry_ms` the next frame is admitted, however many were refused before.
    if (params) await new Promise((resolve) => setTimeout(resolve, (params as { retry_ms: number }).retry_ms));
    await eventuallySatisfied(
      async () => (await ask(socket, 'unsubscribe', {})).type,
      (type) => type === 'ok',
    );
    const flood = await open();
    for (let sent = 0; sent < 200; sent += 1) flood.emit('unsubscribe', {});
    await eventuallySatisfied(
      () => flood.connected,
      (connected) => !connected,
    );
  });

  test('one frame asks for up to fifty streams, and each is answered by itself [CLIENT-110]', async () => {
    const socket = await open();
    const channels = [
      { channel: 'depth', symbol: SYMBOL },
      { channel: 'depth', symbol: 'NO/PAIR' },
      { channel: 'kline', symbol: SYMBOL, interval: '5' },
      { channel: 'secrets' },
      { channel: 'kline', symbol: SYMBOL, interval: '7min' },
      { channel: 'daymarket' },
    ];
    const answer = (await ask(socket, 'subscribe', { channels })) as unknown as {
      ok: Record<string, unknown>[];
      refused: Record<string, unknown>[];
    };
    expect(answer.ok.map(({ channel, symbol, interval }) => [channel, symbol, interval])).toEqual([
      ['depth', SYMBOL, ''],
      ['kline', SYMBOL, '5min'],
      ['daymarket', '', ''],
    ]);
    expect(answer.ok[0]).toMatchObject({ seq: expect.any(Number), snapshot: { kind: 'snapshot', symbol: SYMBOL } });
    expect(answer.refused).toEqual([
      { channel: 'depth', symbol: 'NO/PAIR', interval: '', key: 'pair.delisted' },
      { channel: 'secrets', symbol: '', interval: '', key: 'common.fieldInvalid' },
      { channel: 'kline', symbol: SYMBOL, interval: '7min', key: 'common.fieldInvalid' },
    ]);
    for (const wrong of [[], 'depth', null, Array.from({ length: 51 }, () => channels[0])])
      expect(await ask(socket, 'subscribe', { channels: wrong })).toEqual({
        type: 'error',
        key: 'common.fieldInvalid',
        field: 'channels',
      });
    // More than a hundred streams begin in three frames.
    const symbols = ['BTC/USDT', 'ETH/USDT', 'LTC/USDT', 'XRP/USDT', 'DOGE/USDT', 'ADA/USDT', 'ETH/BTC', 'LTC/BTC'];
    const periods = ['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'];
    const plain = ['depth', 'trades', 'daymarket', 'transaction'];
    const all = [...symbols, 'XRP/BTC'].flatMap((symbol) => [
      ...periods.map((interval) => ({ channel: 'kline', symbol, interval })),
      ...plain.map((channel) => ({ channel, symbol })),
    ]);
    const other = await open();
    const begun: unknown[] = [];
    for (let at = 0; at < all.length; at += 50) {
      const { ok, refused } = (await ask(other, 'subscribe', {
        channels: all.slice(at, at + 50),
      })) as unknown as typeof answer;
      begun.push(...ok);
      expect(refused).toEqual([]);
    }
    expect(begun).toHaveLength(all.length);
  });

  test('events of the server cannot be made by a client [SOCKET-012]', async () => {
    const [sender, other] = await Promise.all([open(one), open(two)]);
    await ask(other, 'login', second);
    const forged = collect(other, 'balance_update');
    sender.emit('balance_update', { balances: [] });
    sender.emit('join', `user:${second}`);
    // The frames of a socket are read in their order: with this answer the two before it are done.
    expect(await ask(sender, 'unsubscribe', {})).toEqual({ type: 'ok' });
    expect(await ask(other, 'unsubscribe', {})).toEqual({ type: 'ok' });
    expect(forged).toEqual([]);
  });
});

describe('orders as messages [SOCKET-017]', () => {
  const PAIR = { legal_id: USDT, currency_id: ETH };
  interface Answered {
    readonly id: string | number | null;
    readonly status?: number;
    readonly answer?: Record<string, unknown> & { readonly id: string };
    readonly key?: string;
  }
  const send = async (socket: Socket, message: string, frame: unknown) =>
    (await ask(socket, message, frame)) as unknown as Answered;

  test('an order is placed, changed and cancelled as by its calls; the answer has the id of its frame', async () => {
    const socket = await open(one);
    await ask(socket, 'login', first);
    const updates = collect<Private>(socket, 'order_update');
    const params = { ...PAIR, type: 1, target_price: '901', amount: '0.01', client_order_id: 'frame-1' };
    const placed = await send(socket, 'order.place', { id: 'a-1', key: 'frame-key-1', params });
    expect(placed).toMatchObject({ id: 'a-1', status: 200, answer: { type: 'ok', key: 'trade.success' } });
    const id = placed.answer?.id;
    const again = await send(socket, 'order.place', { id: 2, key: 'frame-key-1', params });
    expect(again).toMatchObject({ id: 2, answer: { type: 'ok', id } });
    const other = { ...params, amount: '0.02' };
    expect(await send(socket, 'order.place', { key: 'frame-key-1', params: other })).toMatchObject({
      id: null,
      answer: { type: 'error', key: 'common.keyReused' },
    });
    expect(await send(socket, 'order.amend', { id: 3, params: { id, target_price: '902' } })).toMatchObject({
      id: 3,
      answer: { type: 'ok', key: 'trade.amended', order: { target_price: '902.00' } },
    });
    expect(await send(socket, 'order.cancel', { id: 4, params: { client_order_id: 'frame-1' } })).toMatchObject({
      id: 4,
      answer: { type: 'ok', key: 'trade.cancelled', id },
    });
    expect(await send(socket, 'order.cancelAll', { id: 5, params: PAIR })).toMatchObject({
      id: 5,
      answer: { type: 'ok', key: 'trade.cancelledAll', ids: [] },
    });
    await eventuallySatisfied(
      () => updates.length,
      (count) => count >= 3,
    );
    expect(updates.every(({ order }) => order?.id === id)).toBe(true);
    // The reads of a program that has one signed handshake alone: the order, and the events that it missed.
    expect(await send(socket, 'order.get', { id: 6, params: { client_order_id: 'frame-1' } })).toMatchObject({
      id: 6,
      answer: { type: 'ok', message: { id, cancel_reason: 'user' } },
    });
    const seq = updates[0]!.user_seq;
    const { answer } = await send(socket, 'stream.since', { id: 7, params: { user_seq: seq } });
    expect(answer).toMatchObject({ type: 'ok', message: { complete: 1 } });
    const { events } = answer!['message'] as { events: { event: string; payload: Private }[] };
    const missed = events.filter(({ event }) => event === 'order_update').map(({ payload }) => payload.user_seq);
    expect(missed.slice(0, 2)).toEqual(updates.slice(1, 3).map(({ user_seq }) => user_seq));
  });

  test('a cancel directly behind its order finds it, and a mass cancel those before it [SOCKET-022]', async () => {
    const socket = await open(one);
    const order = (name: string, price: string) =>
      send(socket, 'order.place', {
        params: { ...PAIR, type: 1, target_price: price, amount: '0.01', client_order_id: name },
      });
    const frames = Array.from({ length: 5 }, (_, at) => [
      order(`in-turn-${at}`, '904'),
      send(socket, 'order.amend', { params: { client_order_id: `in-turn-${at}`, target_price: '905' } }),
      send(socket, 'order.cancel', { params: { client_order_id: `in-turn-${at}` } }),
    ]);
    for (const answers of await Promise.all(frames.map((one) => Promise.all(one))))
      expect(answers.map(({ answer }) => answer?.['key'])).toEqual([
        'trade.success',
        'trade.amended',
        'trade.cancelled',
      ]);
    const [before, cancelled, behind] = await Promise.all([
      Promise.all([order('before-1', '906'), order('before-2', '907')]),
      send(socket, 'order.cancelAll', { params: PAIR }),
      order('behind', '908'),
    ]);
    const ids = cancelled.answer!['ids'] as string[];
    expect(ids.toSorted()).toEqual(before.map(({ answer }) => answer!.id).toSorted());
    expect(await send(socket, 'order.cancel', { params: { id: behind.answer!.id } })).toMatchObject({
      answer: { type: 'ok', key: 'trade.cancelled' },
    });
  });

  test('a refusal is that of the call; an unreadable frame names its field, guests order nothing', async () => {
    const [socket, guest] = await Promise.all([open(one), open()]);
    const params = { ...PAIR, type: 1, target_price: '901', amount: '0.01' };
    expect(await send(socket, 'order.place', { id: 1, params: { ...params, target_price: '0' } })).toMatchObject({
      id: 1,
      status: 200,
      answer: { type: 'error', key: 'cuy.pbPrice', field: 'target_price' },
    });
    expect(await send(socket, 'order.place', { id: 2, key: 'x', params })).toMatchObject({
      id: 2,
      status: 400,
      answer: { type: 'error', key: 'common.badRequest' },
    });
    for (const [frame, field] of [
      [{ id: 3, params: { ...params, amount: 0.01 } }, 'amount'],
      [{ id: 3, params: { ...params, amount: ['0.01'] } }, 'amount'],
      [{ id: 3, params: 'x' }, 'params'],
      [{ id: 3, key: 4, params }, 'key'],
      [{ id: {}, params }, 'id'],
      [null, 'params'],
    ] as const)
      expect(await send(socket, 'order.place', frame)).toMatchObject({
        type: 'error',
        key: 'common.fieldInvalid',
        field,
      });
    expect(await send(guest, 'order.place', { id: 4, params })).toMatchObject({
      id: 4,
      answer: { type: '999', key: 'auth.expired' },
    });
    const theirs = await rest('903', two);
    expect(await send(socket, 'order.cancel', { id: 5, params: { id: theirs.body.id } })).toMatchObject({
      answer: { type: 'error', key: 'common.notFound' },
    });
  });

  test('many are under way at once, each is answered, and the rates of frames do not count them', async () => {
    const socket = await open(one);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        send(socket, 'order.place', { id: at, params: { ...PAIR, type: 1, target_price: '900', amount: '0.01' } }),
      ),
    );
    expect(answers.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, at) => at));
    expect(new Set(answers.map(({ answer }) => answer?.id)).size).toBe(30);
    expect(new Set(answers.map(({ answer }) => answer?.['key']))).toEqual(new Set(['trade.success']));
  });
});
