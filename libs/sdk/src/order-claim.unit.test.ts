import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { Bourse } from './index.js';

/* Commands before an exchange that answers each when the test says so. */

interface Sent {
  readonly what: string;
  answer(): void;
  lose(): void;
}
let sent: Sent[] = [];
let exchange: Bourse;
const PAIRS = [
  { symbol: 'BTC/USDT', legal_id: 3, currency_id: 1 },
  { symbol: 'ETH/USDT', legal_id: 3, currency_id: 2 },
];
const textOf = (path: string, method: string, body: string): string => {
  const fields = new URLSearchParams(body);
  const name = fields.get('client_order_id') ?? fields.get('ids') ?? fields.get('id') ?? fields.get('currency_id');
  return [method, path.replace('/api/', ''), ...(name === null ? [] : [name])].join(' ');
};
const hold: typeof fetch = (url, init) =>
  new Promise((resolve, reject) => {
    const body = {
      ...{ type: 'ok', message: [{ quotation: PAIRS }], id: '7', order: { id: '7' }, ids: [] },
      request_id: '',
    };
    sent.push({
      what: textOf(new URL(url as string).pathname, init?.method ?? 'GET', (init?.body as string | undefined) ?? ''),
      answer: () => resolve(Response.json(body)),
      lose: () => reject(new TypeError('lost')),
    });
  });
/** The calls that have been sent since the last look. */
async function news(): Promise<Record<string, Sent>> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
  return Object.fromEntries(sent.splice(0).map((one) => [one.what, one]));
}
const LIMIT = { side: 'buy', price: '2', amount: '1' } as const;
const place = (clientOrderId: string, symbol = 'BTC/USDT'): Promise<unknown> =>
  exchange.placeOrder({ ...LIMIT, symbol, clientOrderId });
/** Reads the pairs, as the first order does. */
async function readPairs(): Promise<void> {
  const first = place('first');
  (await news())['GET quotation_new']?.answer();
  (await news())['POST coin/trade first']?.answer();
  await first;
}

beforeEach(() => {
  sent = [];
  exchange = new Bourse({ url: 'http://exchange.test', fetch: hold });
});

test('a cancel by client id waits for its order, which is sent again after a lost answer [CLIENT-073]', async () => {
  await readPairs();
  const calls = [place('a'), exchange.cancelOrder({ clientOrderId: 'a' }), place('b')];
  const first = await news();
  expect(Object.keys(first)).toEqual(['POST coin/trade a', 'POST coin/trade b']);
  first['POST coin/trade b']?.answer();
  first['POST coin/trade a']?.lose();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const again = await news();
  expect(Object.keys(again)).toEqual(['POST coin/trade a']);
  again['POST coin/trade a']?.answer();
  const cancel = await news();
  expect(Object.keys(cancel)).toEqual(['PUT coin/trade a']);
  cancel['PUT coin/trade a']?.answer();
  await Promise.all(calls);
});

test('a cancel does not overtake an order that waits until its pair is known [CLIENT-073]', async () => {
  const calls = [place('a'), exchange.cancelOrder({ clientOrderId: 'a' }), exchange.cancelAll()];
  const order = ['GET quotation_new', 'POST coin/trade a', 'PUT coin/trade a', 'POST coin/cancel_all'];
  for (const what of order) {
    const now = await news();
    expect(Object.keys(now)).toEqual([what]);
    now[what]?.answer();
  }
  await Promise.all(calls);
});

test('a mass cancel comes between the orders of its pair before and behind it [CLIENT-073]', async () => {
  await readPairs();
  const calls = [
    ...[place('a'), place('b', 'ETH/USDT'), exchange.cancelAll({ symbol: 'BTC/USDT' })],
    ...[place('c'), place('d', 'ETH/USDT')],
  ];
  const first = await news();
  expect(Object.keys(first)).toEqual(['POST coin/trade a', 'POST coin/trade b', 'POST coin/trade d']);
  first['POST coin/trade a']?.answer();
  const mass = await news();
  expect(Object.keys(mass)).toEqual(['POST coin/cancel_all 1']);
  mass['POST coin/cancel_all 1']?.answer();
  const behind = await news();
  expect(Object.keys(behind)).toEqual(['POST coin/trade c']);
  for (const one of [...Object.values(first), ...Object.values(behind)]) one.answer();
  await Promise.all(calls);
});

test('changes of one order keep their order, by its id, its client id and in a batch [CLIENT-073]', async () => {
  const calls = [
    exchange.amendOrder('7', { price: '2' }),
    exchange.amendOrder({ clientOrderId: 'mine' }, { price: '3' }),
    exchange.call('POST /api/coin/batch', { items: [{ op: 'amend', client_order_id: 'mine', amount: '3' }] }),
    exchange.cancelOrders(['7', '8']),
    // Another order, and another market.
    exchange.amendOrder('9', { price: '2' }),
    exchange.call('POST /api/lever/cancel', { id: '7' }),
    exchange.call('GET /api/coin/order', { id: '7' }),
  ];
  const steps = [
    ['PUT coin/order 7', 'POST lever/cancel 7', 'GET coin/order'],
    ['PUT coin/order mine'],
    ['POST coin/batch'],
    ['POST coin/cancel ["7","8"]', 'PUT coin/order 9'],
  ];
  for (const step of steps) {
    const now = await news();
    expect(Object.keys(now).sort()).toEqual(step.sort());
    for (const one of Object.values(now)) one.answer();
  }
  await Promise.all(calls);
});

test('a command that is ended while it waits is not sent, and those behind it go on [CLIENT-074]', async () => {
  await readPairs();
  const ending = new AbortController();
  const first = place('a');
  const ended = exchange.cancelOrder({ clientOrderId: 'a' }, { signal: ending.signal });
  const behind = exchange.cancelOrder({ clientOrderId: 'a' });
  const { 'POST coin/trade a': order } = await news();
  ending.abort(new Error('enough'));
  await expect(ended).rejects.toThrow('enough');
  expect(await news()).toEqual({});
  order?.answer();
  const now = await news();
  expect(Object.keys(now)).toEqual(['PUT coin/trade a']);
  now['PUT coin/trade a']?.answer();
  await Promise.all([first, behind]);
});
