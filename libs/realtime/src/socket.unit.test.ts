import { describe, expect, jest, test } from '@jest/globals';
import type { OrderUpdatePush, SpotOrder } from '@bourse/contract';
import { Feed, type FeedOptions, type SocketLike } from './socket.js';

/** A socket whose server is the test. */
class FakeSocket implements SocketLike {
  connected = false;
  auth: unknown;
  readonly sent: { event: string; payload: unknown; ack?: ((answer: unknown) => void) | undefined }[] = [];
  private readonly listeners = new Map<string, ((...values: unknown[]) => void)[]>();
  on(event: string, listener: (...values: never[]) => void): void {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener as (...values: unknown[]) => void]);
  }
  emit(event: string, payload: unknown, ack?: unknown): void {
    this.sent.push({ event, payload, ack: ack as ((answer: unknown) => void) | undefined });
  }
  connect(): void {
    this.connected = true;
    this.push('connect');
  }
  disconnect(): void {
    this.connected = false;
    this.push('disconnect');
  }
  push(event: string, payload?: unknown): void {
    for (const listener of this.listeners.get(event) ?? []) listener(payload);
  }
  last(event: string) {
    return this.sent.filter((frame) => frame.event === event).at(-1);
  }
}

async function started(more: Partial<FeedOptions> = {}) {
  const socket = new FakeSocket();
  const told: string[] = [];
  const feed = new Feed({
    open: () => Promise.resolve(socket),
    token: () => 'tok',
    userId: () => '7',
    lang: () => 'en',
    now: () => 0,
    onHole: () => told.push('hole'),
    since: () => Promise.reject(new Error('not expected')),
    onSessionClosed: (reason) => told.push(`closed ${reason}`),
    ...more,
  });
  await feed.start();
  return { feed, socket, told };
}
/** Requests of one turn leave after it. */
const frames = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await Promise.resolve();
};
const daymarket = (symbol: string) => ({
  symbol,
  legal_id: 3,
  currency_id: 1,
  legal_name: 'USDT',
  currency_name: 'BTC',
  change: '0',
  now_price: '1',
  volume: '1',
  high: '1',
  low: '1',
  ts: 1,
  seq: 1,
  prev_seq: 0,
});
const ORDER: SpotOrder = {
  id: 'o1',
  client_order_id: '',
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-01-01 00:00:00',
  ts: 1_767_225_600_000,
  updated_ts: 1_767_225_600_000,
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  legal_name: 'USDT',
  currency_name: 'BTC',
  type: 1,
  order_type: 'limit',
  time_in_force: 'GTC',
  post_only: 0,
  stop_price: '0',
  triggered: 0,
  status: 1,
  cancelled: 0,
  cancel_reason: '',
  trade_amount: '1',
  filled_amount: '0',
  target_price: '1',
  trade_price: '0',
  fee: '0',
  fee_currency: 'BTC',
  link_id: '',
  parent_id: '',
  take_profit: '0.00',
  stop_loss: '0.00',
};
const update = (seq: number): OrderUpdatePush => ({
  order: { ...ORDER, id: `o${seq}` },
  fill: null,
  ts: 1,
  user_seq: seq,
});

describe('the feed', () => {
  test('after a reconnect each subscription starts from a snapshot; older answers drop [FEED-020]', async () => {
    const { feed, socket } = await started();
    const seen: unknown[] = [];
    feed.subscribe(
      { channel: 'depth', symbol: 'BTC/USDT' },
      { event: () => undefined, snapshot: (snapshot) => seen.push(snapshot), reset: () => seen.push('reset') },
    );
    await frames();
    const first = socket.last('subscribe');
    socket.disconnect();
    expect(feed.status).toBe('reconnecting');
    socket.connect();
    await frames();
    first?.ack?.({ type: 'ok', snapshot: 'old', seq: 1 });
    socket.last('subscribe')?.ack?.({ type: 'ok', snapshot: 'new', seq: 9 });
    expect(seen).toEqual(['reset', 'new']);
    expect(feed.status).toBe('live');
  });

  test('a socket that the server cut is connected again; the library does not do that itself [FEED-026]', async () => {
    jest.useFakeTimers();
    try {
      const { feed, socket } = await started();
      socket.disconnect();
      jest.advanceTimersByTime(1_000);
      expect(socket.connected).toBe(true);
      expect(feed.status).toBe('live');
      socket.disconnect();
      feed.stop();
      jest.advanceTimersByTime(10_000);
      expect(socket.connected).toBe(false);
      expect(feed.status).toBe('offline');
    } finally {
      jest.useRealTimers();
    }
  });

  test('a quiet stream is confirmed by its number, and too many frames are sent again later [FEED-027]', async () => {
    jest.useFakeTimers();
    try {
      let now = 0;
      const { feed, socket } = await started({ now: () => now });
      const subscription = feed.subscribe({ channel: 'depth', symbol: 'BTC/USDT' }, { event: () => undefined });
      await frames();
      socket.last('subscribe')?.ack?.({ type: 'error', key: 'common.tooMany', params: { retry_ms: 400 } });
      const before = socket.sent.length;
      jest.advanceTimersByTime(399);
      expect(socket.sent.length).toBe(before);
      jest.advanceTimersByTime(1);
      expect(socket.sent.length).toBe(before + 1);
      now = 4_000;
      subscription.confirm(17);
      await frames();
      expect(socket.last('subscribe')?.payload).toEqual({ channel: 'depth', symbol: 'BTC/USDT', seq: 17 });
      socket.last('subscribe')?.ack?.({ type: 'ok', seq: 17, snapshot: null });
      expect(feed.ageOf('BTC/USDT')).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([45, 100])(
    '%i streams all begin: fifty in a frame, ten frames a second at most [CLIENT-112]',
    async (count) => {
      jest.useFakeTimers();
      try {
        const { feed, socket } = await started();
        const begun: string[] = [];
        const symbols = Array.from({ length: count }, (_, at) => `P${at}/USDT`);
        for (const symbol of symbols)
          feed.subscribe({ channel: 'depth', symbol }, { event: () => undefined, snapshot: () => begun.push(symbol) });
        await frames();
        // The first frame is refused for its rate: its streams come all the same. One of each is refused for good.
        const server = jest.fn((asked: readonly { symbol: string }[], ack: (answer: unknown) => void) => {
          const [refused, ...ok] = asked.map(({ symbol }) => ({ channel: 'depth', symbol, interval: '' }));
          ack({
            ok: ok.map((one) => ({ ...one, seq: 1, snapshot: {} })),
            refused: [{ ...refused, key: 'pair.delisted' }],
          });
        });
        let answered = 0;
        for (let step = 0; step < 10; step += 1) {
          const asked = socket.sent.filter(({ event }) => event === 'subscribe');
          for (const { payload, ack } of asked.slice(answered)) {
            const { channels } = payload as { channels: { symbol: string }[] };
            expect(channels.length).toBeLessThanOrEqual(50);
            answered += 1;
            if (answered === 1) ack?.({ type: 'error', key: 'common.tooMany', params: { retry_ms: 300 } });
            else server(channels, ack!);
          }
          await jest.advanceTimersByTimeAsync(100);
        }
        const refused = Math.ceil(count / 50);
        expect(begun).toHaveLength(count - refused);
        expect(new Set(begun).size).toBe(begun.length);
        expect(socket.sent.filter(({ event }) => event === 'subscribe')).toHaveLength(refused + 1);
      } finally {
        jest.useRealTimers();
      }
    },
  );

  test('subscriptions to one stream are requested once, and each gets the state [CLIENT-112]', async () => {
    const { feed, socket } = await started();
    const seen: string[] = [];
    for (const name of ['a', 'b'])
      feed.subscribe(
        { channel: 'kline', symbol: 'BTC/USDT', ...(name === 'a' ? {} : { interval: '1min' }) },
        { event: () => undefined, snapshot: () => seen.push(name) },
      );
    await frames();
    expect(socket.sent.filter(({ event }) => event === 'subscribe')).toHaveLength(1);
    socket.last('subscribe')?.ack?.({ type: 'ok', seq: 1, snapshot: {} });
    expect(seen).toEqual(['a', 'b']);
  });

  test('events reach the subscription of their pair only [FEED-021]', async () => {
    const { feed, socket } = await started();
    const seen: string[] = [];
    const subscription = feed.subscribe(
      { channel: 'daymarket', symbol: 'BTC/USDT' },
      { event: (push) => seen.push(push.symbol) },
    );
    socket.push('daymarket', daymarket('ETH/USDT'));
    socket.push('daymarket', daymarket('BTC/USDT'));
    subscription.close();
    socket.push('daymarket', daymarket('BTC/USDT'));
    expect(seen).toEqual(['BTC/USDT']);
    expect(socket.last('unsubscribe')?.payload).toEqual({ channel: 'daymarket', symbol: 'BTC/USDT' });
  });

  test('the age of a pair is that of its own data [FEED-022]', async () => {
    let now = 1_000;
    const { feed, socket } = await started({ now: () => now });
    expect(feed.ageOf('BTC/USDT')).toBe(Infinity);
    feed.subscribe({ channel: 'daymarket' }, { event: () => undefined });
    socket.push('daymarket', daymarket('BTC/USDT'));
    now = 4_500;
    socket.push('daymarket', daymarket('ETH/USDT'));
    expect([feed.ageOf('BTC/USDT'), feed.ageOf('ETH/USDT')]).toEqual([3_500, 0]);
  });

  test('private events come once and in order; a hole is filled from the server [FEED-023]', async () => {
    const asked: number[] = [];
    const { feed, socket, told } = await started({
      since: (seq) => {
        asked.push(seq);
        return Promise.resolve({
          events: [
            { event: 'order_update', payload: update(6) },
            { event: 'order_update', payload: update(7) },
          ],
          user_seq: 7,
          complete: 1,
        });
      },
    });
    const seen: string[] = [];
    feed.on('order_update', ({ order }) => seen.push(order.id));
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 4 });
    socket.push('order_update', update(5));
    socket.push('order_update', update(5));
    socket.push('order_update', update(7));
    await new Promise(process.nextTick);
    socket.push('order_update', update(8));
    expect(asked).toEqual([5]);
    expect(seen).toEqual(['o5', 'o6', 'o7', 'o8']);
    expect(told).toEqual([]);
  });

  test('events that arrive while a hole is filled follow it in their order, once [FEED-036]', async () => {
    const answers: ((missed: number[] | undefined) => Promise<void>)[] = [];
    const { feed, socket, told } = await started({
      since: () =>
        new Promise((resolve, reject) => {
          answers.push(async (missed) => {
            const events = missed?.map((seq) => ({ event: 'order_update', payload: update(seq) }));
            if (events) resolve({ events, user_seq: missed?.at(-1) ?? 0, complete: 1 });
            else reject(new Error('unreachable'));
            await new Promise(process.nextTick);
          });
        }),
    });
    const seen: string[] = [];
    feed.on('order_update', ({ order }) => seen.push(order.id));
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 5 });
    for (const seq of [7, 8, 8]) socket.push('order_update', update(seq));
    expect(seen).toEqual([]);
    await answers[0]?.([6, 7]);
    expect(seen).toEqual(['o6', 'o7', 'o8']);

    // Another hole behind the first one, then a login of the next connection.
    for (const seq of [10, 12, 13]) socket.push('order_update', update(seq));
    socket.disconnect();
    socket.connect();
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 14 });
    await answers[1]?.([9, 10]);
    await answers[2]?.([11, 12]);
    await answers[3]?.([14]);
    expect(seen.slice(3)).toEqual(['o9', 'o10', 'o11', 'o12', 'o13', 'o14']);

    // A recovery that fails: the lists are read again, what came meanwhile is delivered, repeats are not.
    for (const seq of [16, 14, 17]) socket.push('order_update', update(seq));
    await answers[4]?.(undefined);
    expect([seen.slice(9), told, answers.length]).toEqual([['o17'], ['hole'], 5]);
  });

  test('when the server cannot fill the hole, the lists are read again [FEED-024]', async () => {
    const { socket, told } = await started({
      since: () => Promise.resolve({ events: [], user_seq: 900, complete: 0 }),
    });
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 4 });
    socket.push('heartbeat', { ts: 1, user_seq: 900 });
    await new Promise(process.nextTick);
    expect(told).toEqual(['hole']);
  });

  test('a server behind the one before repeats nothing; a restarted count is accepted [FEED-028]', async () => {
    const asked: number[] = [];
    let answer = { events: [] as { event: string; payload: unknown }[], user_seq: 6, complete: 1 as 0 | 1 };
    const { feed, socket, told } = await started({
      since: (seq) => {
        asked.push(seq);
        return Promise.resolve(answer);
      },
    });
    const seen: string[] = [];
    feed.on('order_update', ({ order }) => seen.push(order.id));
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 4 });
    for (const seq of [5, 6]) socket.push('order_update', update(seq));
    const reconnect = async (seq: number): Promise<void> => {
      socket.disconnect();
      socket.connect();
      socket.last('login')?.ack?.({ type: 'ok', user_seq: seq });
      await new Promise(process.nextTick);
    };
    await reconnect(5);
    for (const seq of [6, 7]) socket.push('order_update', update(seq));
    expect([asked, seen, told]).toEqual([[6], ['o5', 'o6', 'o7'], []]);
    answer = { events: [], user_seq: 2, complete: 0 };
    await reconnect(2);
    socket.push('order_update', update(3));
    expect([asked, seen, told]).toEqual([[6, 7], ['o5', 'o6', 'o7', 'o3'], ['hole']]);
  });

  test('a state without a number of its own is delivered and counts no event [FEED-034]', async () => {
    const asked: number[] = [];
    const { feed, socket } = await started({
      since: (seq) => {
        asked.push(seq);
        return Promise.resolve({ events: [], user_seq: seq, complete: 1 });
      },
    });
    const seen: string[] = [];
    feed.on('lever_trade', ({ profits }) => seen.push(profits));
    feed.on('order_update', ({ order }) => seen.push(order.id));
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 4 });
    const trade = { type: 'lever_trade', legal_id: 3, trades_all: [], trades_entrust: [], hazard_rate: '0' };
    const state = (profits: string, user_seq: number): object => ({
      ...trade,
      ...{ profits_all: profits, profits, ts: 1, user_seq },
    });
    socket.push('lever_trade', state('1', 4));
    socket.push('order_update', update(5));
    // A gateway that is behind, or ahead of an event that is still on its way.
    socket.push('lever_trade', state('2', 4));
    socket.push('lever_trade', state('3', 7));
    socket.push('order_update', update(6));
    expect([seen, asked]).toEqual([['1', 'o5', '2', '3', 'o6'], []]);
  });

  test('missed events that arrive after a sign-in of another person are dropped [FEED-035]', async () => {
    let arrive = (): void => undefined;
    const { feed, socket, told } = await started({
      since: () =>
        new Promise((resolve) => {
          arrive = () => resolve({ events: [{ event: 'order_update', payload: update(6) }], user_seq: 6, complete: 0 });
        }),
    });
    const seen: string[] = [];
    feed.on('order_update', ({ order }) => seen.push(order.id));
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 4 });
    socket.push('order_update', update(7));
    feed.renew();
    arrive();
    await new Promise(process.nextTick);
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 1 });
    socket.push('order_update', update(2));
    expect([seen, told]).toEqual([['o2'], []]);
  });

  test('private events that come before their checks wait for them in their order [FEED-032]', async () => {
    let arrive = (): void => undefined;
    let tries = 0;
    const checks = new Promise<typeof import('./decode-private.js')>((resolve, reject) => {
      arrive = () => void import('./decode-private.js').then(resolve, reject);
    });
    let token: string | null = null;
    const { feed, socket, told } = await started({
      token: () => token,
      onMisfit: (event) => told.push(`misfit ${event}`),
      privateChecks: () => {
        tries += 1;
        return checks;
      },
    });
    expect(tries).toBe(0);
    const seen: string[] = [];
    feed.on('order_update', ({ order }) => seen.push(order.id));
    token = 'tok';
    feed.renew();
    socket.push('order_update', update(5));
    socket.push('order_update', { order: 'none', fill: null, ts: 1, user_seq: 6 });
    // The answer to the login counts the event before it: applied at once it would make that event seem old.
    socket.last('login')?.ack?.({ type: 'ok', user_seq: 5 });
    socket.push('order_update', update(6));
    expect([tries, seen, told]).toEqual([1, [], []]);
    arrive();
    await checks;
    expect([seen, told]).toEqual([['o5', 'o6'], ['misfit order_update']]);
  });

  test('waiting messages end with their session; failed checks are loaded again [FEED-033]', async () => {
    jest.useFakeTimers();
    try {
      const checks = await import('./decode-private.js');
      let tries = 0;
      const { feed, socket } = await started({
        privateChecks: () => ((tries += 1) < 2 ? Promise.reject(new Error('offline')) : Promise.resolve(checks)),
      });
      const seen: string[] = [];
      feed.on('order_update', ({ order }) => seen.push(order.id));
      socket.push('order_update', update(1));
      feed.renew();
      socket.push('order_update', update(2));
      await jest.advanceTimersByTimeAsync(1_000);
      expect([tries, seen]).toEqual([2, ['o2']]);
    } finally {
      jest.useRealTimers();
    }
  });

  test('a refused login ends the session [FEED-025]', async () => {
    const { socket, told } = await started();
    socket.last('login')?.ack?.({ type: '999' });
    socket.push('session_closed', { reason: 'logout' });
    expect(told).toEqual(['closed login', 'closed logout']);
  });
});
