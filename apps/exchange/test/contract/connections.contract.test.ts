import { connect as dial } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import type { Socket } from 'socket.io-client';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, balanceOf, connect, get, post, type Answered, type Body, type Fields } from './client.js';
import { createTrader } from './people.js';

// A bad network for calls that move money and for pushes: connections cut after the request, late answers, the same
// request twice.
const ETH = 2,
  USDT = 3;
const MARKET = { legal_id: USDT, currency_id: ETH };
const HOST = new URL(BASE);
let token: string;
let userId: number;
beforeAll(async () => {
  ({ token, id: userId } = await createTrader({ change: { [USDT]: '50000' } }));
});
afterAll(async () => {
  await post('/api/coin/cancel_all', MARKET, { token });
});

let serial = 0;
const newKey = (): string => `cut-${Date.now()}-${(serial += 1)}-${Math.random().toString(36).slice(2, 10)}`;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly fields: Fields;
  readonly key: string;
}
const bodyOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  ).toString();

/** Sends a request and cuts the connection `afterMs` later, whatever has come back by then. */
function sendAndCut({ method, path, fields, key }: Request, afterMs: number): Promise<void> {
  return new Promise((resolve) => {
    const body = bodyOf(fields);
    const socket = dial(Number(HOST.port) || 80, HOST.hostname, () => {
      socket.write(
        [
          `${method} ${path} HTTP/1.1`,
          `host: ${HOST.host}`,
          `authorization: ${token}`,
          `idempotency-key: ${key}`,
          'content-type: application/x-www-form-urlencoded',
          `content-length: ${Buffer.byteLength(body)}`,
          'connection: close',
          '',
          body,
        ].join('\r\n'),
        () => {
          setTimeout(() => {
            socket.destroy();
            resolve();
          }, afterMs);
        },
      );
    });
    socket.on('error', () => resolve()); // cut from the other side: as good
    socket.resume();
  });
}

/** Repeats a call under its key until its outcome is known, as a client does that has lost the answer. */
async function outcome({ method, path, fields, key }: Request): Promise<Body> {
  const call = async (): Promise<Answered> => {
    const response = await fetch(`${BASE}${path}`, {
      method,
      body: bodyOf(fields),
      headers: { authorization: token, 'idempotency-key': key, 'content-type': 'application/x-www-form-urlencoded' },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Body };
  };
  return (
    await eventuallySatisfied(
      call,
      ({ body }) => body.type === 'ok' || (body.type === 'error' && body.key !== 'common.repeated'),
      20_000,
    )
  ).body;
}

type Listed = RowOf<'GET /api/coin/list'>;
const openOrders = async (): Promise<Listed[]> =>
  (await get('/api/coin/list', { page: 1, limit: 100, status: 1 }, { token })).body.message.data;
/**
 * How many open orders have this amount, once they are as many as expected: an order is taken before its book has
 * committed it, where that takes longer than 100 ms.
 */
const openOf = (amount: string, expected: number): Promise<number> =>
  eventuallySatisfied(
    async () => (await openOrders()).filter((order) => order.trade_amount.startsWith(amount)).length,
    (count) => count === expected,
  );
/** An order that rests far below the market, with a unique amount. */
const restingOrder = (): { fields: Fields; amount: string } => {
  const amount = `0.0${100 + (serial % 800)}`;
  return { amount, fields: { ...MARKET, type: 1, target_price: '1500.00', amount } };
};
async function placed(): Promise<string> {
  const { body } = await post('/api/coin/trade', restingOrder().fields, { token });
  expect(body.type).toBe('ok');
  return body.id;
}

const DELAYS = [0, 1, 3, 8, 20];

describe('calls with a cut connection', () => {
  // The other name of a buy implies its direction.
  test.each([
    ['/api/coin/trade', { type: 1 }],
    ['/api/transaction/in', {}],
  ])(
    'an order by POST %s is placed once, and a retry gets its answer [SIM-006]',
    async (path, side) => {
      for (const afterMs of DELAYS) {
        serial += 1;
        const { amount } = restingOrder();
        const request: Request = {
          method: 'POST',
          path,
          key: newKey(),
          fields: { ...MARKET, ...side, target_price: '1500.00', amount },
        };
        const before = (await openOrders()).filter((order) => order.trade_amount.startsWith(amount)).length;
        await sendAndCut(request, afterMs);
        const first = await outcome(request);
        expect(first).toMatchObject({ type: 'ok', key: 'trade.success' });
        expect((await outcome(request)).id).toBe(first.id);
        expect(await openOf(amount, before + 1)).toBe(before + 1);
        expect((await get('/api/command', { key: request.key }, { token })).body).toMatchObject({
          type: 'ok',
          id: first.id,
        });
        await post('/api/coin/cancel_all', MARKET, { token });
      }
    },
    testTimeoutMs(15_000),
  );

  test.each([
    ['PUT', '/api/coin/trade'],
    ['POST', '/api/transaction_del'],
  ])(
    'a cancel by %s %s ends its order once, and a retry gets its answer [SIM-006]',
    async (method, path) => {
      for (const afterMs of DELAYS) {
        const id = await placed();
        const request: Request = {
          method,
          path,
          key: newKey(),
          fields: { id, ...(path === '/api/transaction_del' ? { type: 'in' } : {}) },
        };
        await sendAndCut(request, afterMs);
        expect(await outcome(request)).toMatchObject({ type: 'ok', key: 'trade.cancelled' });
        expect(await outcome(request)).toMatchObject({ type: 'ok', key: 'trade.cancelled' });
        expect((await openOrders()).some((order) => order.id === id)).toBe(false);
        // Under another key it is no longer open.
        expect(await outcome({ ...request, key: newKey() })).toMatchObject({ type: 'error', key: 'trade.notOpen' });
      }
    },
    testTimeoutMs(15_000),
  );

  test(
    'cancel_all answers the same orders again [SIM-006]',
    async () => {
      const ids = [await placed(), await placed()];
      const request: Request = { method: 'POST', path: '/api/coin/cancel_all', key: newKey(), fields: MARKET };
      await sendAndCut(request, 2);
      const first = await outcome(request);
      expect(new Set(first['ids'] as string[])).toEqual(new Set(ids));
      const later = await placed();
      expect((await outcome(request))['ids']).toEqual(first['ids']);
      const listed = await eventuallySatisfied(openOrders, (orders) => orders.some(({ id }) => id === later));
      expect(listed.map(({ id }) => id)).toContain(later);
    },
    testTimeoutMs(10_000),
  );

  test(
    'a transfer moves once, however often and however late it is repeated [SIM-006]',
    async () => {
      for (const afterMs of DELAYS) {
        const before = await balanceOf(token, USDT);
        const request: Request = {
          method: 'POST',
          path: '/api/wallet/change',
          key: newKey(),
          fields: { currency_id: USDT, from_field: 'change', to_field: 'legal', number: '0.25' },
        };
        await Promise.all([
          sendAndCut(request, afterMs),
          sendAndCut(request, afterMs),
          sendAndCut(request, afterMs + 5),
        ]);
        const answers = await Promise.all([outcome(request), outcome(request)]);
        expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
        const after = await balanceOf(token, USDT);
        expect(Number(after['legal_balance']) - Number(before['legal_balance'])).toBeCloseTo(0.25, 6);
        await outcome({
          ...request,
          key: newKey(),
          fields: { currency_id: USDT, from_field: 'legal', to_field: 'change', number: '0.25' },
        });
      }
    },
    testTimeoutMs(15_000),
  );

  test(
    'twenty copies of one order on twenty connections, half of them cut, are one order [SIM-006]',
    async () => {
      const { fields, amount } = restingOrder();
      const request: Request = { method: 'POST', path: '/api/coin/trade', key: newKey(), fields };
      const before = (await openOrders()).filter((order) => order.trade_amount.startsWith(amount)).length;
      const [, answers] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, (_, index) => sendAndCut(request, index * 2))),
        Promise.all(Array.from({ length: 10 }, () => outcome(request))),
      ]);
      expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
      expect(await openOf(amount, before + 1)).toBe(before + 1);
      await post('/api/coin/cancel_all', MARKET, { token });
    },
    testTimeoutMs(10_000),
  );
});

describe('private events over connections that are cut', () => {
  interface Private {
    readonly user_seq: number;
    readonly order?: { readonly id: string; readonly status: number };
  }
  interface Since {
    readonly events: readonly { readonly event: string; readonly payload: Private }[];
    readonly user_seq: number;
    readonly complete: number;
  }

  /** Follows the private events of a person as a client does: by socket, and missed ones by a call. */
  class Follower {
    readonly seen: Private[] = [];
    /** The number at the first sign-in; all later events must arrive, by push or by query. */
    start = 0;
    private last = 0;
    private socket: Socket | undefined;

    async open(): Promise<void> {
      const socket = await connect(token);
      this.socket = socket;
      const early: Private[] = [];
      let started = false;
      for (const event of ['order_update', 'balance_update', 'notice'])
        socket.on(event, (message: Private) => {
          if (started) this.take(message);
          else early.push(message);
        });
      const { user_seq: now } = (await socket.timeout(5_000).emitWithAck('login', userId)) as { user_seq: number };
      if (this.start === 0) this.start = this.last = now;
      else await this.catchUp();
      for (const message of early) this.take(message);
      started = true;
    }
    /** Pulls the plug: no goodbye. */
    cut(): void {
      (
        this.socket?.io.engine as unknown as { transport: { ws?: { close(): void } } } | undefined
      )?.transport.ws?.close();
      this.socket?.disconnect();
    }
    async catchUp(): Promise<void> {
      const { events, complete } = (await get('/api/stream/since', { user_seq: this.last }, { token })).body
        .message as Since;
      expect(complete).toBe(1);
      for (const { payload } of events) this.take(payload);
    }
    private take(message: Private): void {
      if (message.user_seq <= this.last) return; // had it by the other way already
      this.seen.push(message);
      this.last = message.user_seq;
    }
  }

  const follower = new Follower();
  afterAll(() => follower.cut());

  test(
    'each arrives once, in order, by socket or stream/since, wherever the wire was cut [SIM-007]',
    async () => {
      await follower.open();
      const { start } = follower;
      const placedIds: string[] = [];
      for (let round = 0; round < 8; round += 1) {
        const work = (async () => {
          for (let n = 0; n < 3; n += 1) {
            placedIds.push(await placed());
            serial += 1;
          }
          await post('/api/coin/cancel_all', MARKET, { token });
        })();
        await new Promise((resolve) => setTimeout(resolve, round * 7));
        follower.cut();
        await follower.open();
        await work;
      }
      await eventuallySatisfied(
        async () => {
          await follower.catchUp();
          return follower.seen;
        },
        (seen) => placedIds.every((id) => seen.some(({ order }) => order?.id === id && order.status === 2)),
        10_000,
      );
      expect(follower.seen.map(({ user_seq }) => user_seq)).toEqual(follower.seen.map((_, index) => start + 1 + index));
      for (const id of placedIds) {
        const states = follower.seen.filter(({ order }) => order?.id === id).map(({ order }) => order!.status);
        expect(states).toEqual([...states].sort()); // open, then done, never back
        expect(states.at(-1)).toBe(2);
      }
      // Repeated queries of the same range return the same events. Its length is fixed first, because the open socket
      // may add more meanwhile.
      const length = follower.seen.length;
      const stretch = async (): Promise<string> =>
        JSON.stringify(
          ((await get('/api/stream/since', { user_seq: start }, { token })).body.message as Since).events.slice(
            0,
            length,
          ),
        );
      expect(await stretch()).toBe(await stretch());
    },
    testTimeoutMs(15_000),
  );
});
