import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { OutcomeUnknown, type ExchangeLine, type OrderUpdate, type Pairs } from './exchange-line.js';
import { OrderGateway } from './order-gateway.js';
import type { SpotOrder } from './orders/order.js';
import { SAMPLE_ORDER } from './orders/order-samples.js';
import { Message, type Field } from './protocol/message.js';
import type { FixSession } from './protocol/session.js';
import { TAG, TYPE } from './protocol/tags.js';
import { SessionStore, type Change } from './store.js';

const folder = mkdtempSync(join(tmpdir(), 'bourse-fix-orders-'));
let files = 0;
let store: SessionStore;
let desk: OrderGateway;
let sent: Record<number, string>[];
/** Requests to the exchange, with their fields and Idempotency-Keys. */
let asked: [message: string, fields: object, intent: string | undefined][];
let answer: (message: string) => object;
let findPair: () => Promise<object>;
let tell: (update: OrderUpdate) => void;

const ENDED: SpotOrder = { ...SAMPLE_ORDER, status: 2, cancelled: 1, cancel_reason: 'user' };

beforeEach(async () => {
  [sent, asked, answer] = [[], [], () => ({ type: 'ok', ids: ['1', '2'] })];
  findPair = () => Promise.resolve({ legal_id: 3, currency_id: 1 });
  store = await SessionStore.open(join(folder, `${(files += 1)}.log`), 0);
  const pairs = { find: () => findPair() } as unknown as Pairs;
  const send = (type: string, body: readonly Field[], change: Change = {}): Promise<void> => {
    sent.push(Object.fromEntries([[TAG.MsgType, type], ...body]) as Record<number, string>);
    return store.append(change);
  };
  const session = {
    send,
    doneChange: () => ({}),
    sendAll: async (messages: readonly { type: string; body: readonly Field[] }[], change: Change) => {
      await store.append(change);
      for (const { type, body } of messages) await send(type, body);
    },
  };
  const line = {
    since: () => Promise.resolve({ events: [], user_seq: 0, complete: 1 }),
    onOrder: (listener: typeof tell) => (tell = listener),
    ask: (message: string, fields: object, intent?: string) => {
      asked.push([message, fields, intent]);
      return Promise.resolve().then(() => ({ status: 200, answer: answer(message) }));
    },
    close: () => undefined,
  };
  desk = new OrderGateway(
    { name: 'key.TRADER', store, pairs, now: () => 0, log: () => undefined },
    session as unknown as FixSession,
  );
  await desk.attach(line as unknown as ExchangeLine, { isCopy: false });
});
afterEach(async () => {
  jest.useRealTimers();
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

function handle(type: string, fields: Readonly<Record<number, string>>, isRepeat = false): Promise<void> {
  const body = Object.entries(fields).map(([tag, value]): Field => [Number(tag), value]);
  return desk.handle(new Message([[TAG.MsgType, type], [TAG.MsgSeqNum, '2'], ...body]), isRepeat);
}
let numbers = 0;
const change = (order: SpotOrder): void => tell({ order, fill: null, user_seq: (numbers += 1) } as OrderUpdate);
/** Waits while files are written, whatever clock there is. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await turn();
}
const isAsked = (count: number): Promise<void> => until(() => asked.length === count);
const isSent = (count: number): Promise<void> => until(() => sent.length === count);
const brief = (): unknown[] => sent.map((one) => [one[150], one[11], one[41]]);

const ALL = { 11: 'all', 530: '7' };
const limit = (name: string): Record<number, string> => ({
  11: name,
  55: 'BTC/USDT',
  54: '1',
  40: '2',
  38: '1',
  44: '5',
});
/** The first look-up of a pair takes until this is called. */
function delayPair(): () => void {
  let end = (): void => undefined;
  const delay = new Promise<void>((resolve) => (end = resolve));
  findPair = () => delay.then(() => ({ legal_id: 3, currency_id: 1 }));
  return end;
}

test('a cancel directly behind its order reaches the exchange after it [FIX-024]', async () => {
  const endDelay = delayPair();
  answer = () => ({ type: 'ok', order: ENDED });
  const placed = handle(TYPE.NewOrderSingle, limit('c-1'));
  const cancelled = handle(TYPE.OrderCancelRequest, { 11: 'c-2', 41: 'c-1' });
  await turn();
  expect(asked).toEqual([]);
  endDelay();
  await placed;
  await isAsked(2);
  expect(asked.map(([message]) => message)).toEqual(['order.place', 'order.cancel']);
  change({ ...ENDED, client_order_id: 'c-1' });
  await cancelled;
});

test('a status request directly behind its order reaches the exchange after it [FIX-024]', async () => {
  const endDelay = delayPair();
  const placed = handle(TYPE.NewOrderSingle, limit('c-1'));
  const reported = handle(TYPE.OrderStatusRequest, { 11: 'c-1', 55: 'BTC/USDT', 54: '1' });
  await turn();
  expect(asked).toEqual([]);
  answer = () => ({ type: 'ok', message: SAMPLE_ORDER });
  endDelay();
  await Promise.all([placed, reported]);
  expect(asked.map(([message]) => message)).toEqual(['order.place', 'order.get']);
});

test('a mass cancel cancels the orders before it, and those behind it are placed after it [FIX-024]', async () => {
  const endDelay = delayPair();
  const before = handle(TYPE.NewOrderSingle, limit('before'));
  const cancelled = handle(TYPE.OrderMassCancelRequest, ALL);
  const behind = handle(TYPE.NewOrderSingle, limit('behind'));
  endDelay();
  await Promise.all([before, cancelled, behind]);
  expect(asked.map(([message, fields]) => (fields as { client_order_id?: string }).client_order_id ?? message)).toEqual(
    ['before', 'order.cancelAll', 'behind'],
  );
});

test('a cancel behind a mass cancel reaches the exchange after it [FIX-024]', async () => {
  const endDelay = delayPair();
  answer = (message) => (message === 'order.cancel' ? { type: 'ok', order: ENDED } : { type: 'ok', ids: [] });
  const cancelled = handle(TYPE.OrderMassCancelRequest, { 11: 'all', 530: '1', 55: 'BTC/USDT' });
  const behind = handle(TYPE.OrderCancelRequest, { 11: 'c', 41: 'other', 37: '70' });
  await turn();
  expect(asked).toEqual([]);
  endDelay();
  await cancelled;
  await isAsked(2);
  expect(asked.map(([message]) => message)).toEqual(['order.cancelAll', 'order.cancel']);
  change(ENDED);
  await behind;
});

test('a mass cancel with the ClOrdID of an earlier one is refused and sent to nobody [FIX-017]', async () => {
  await handle(TYPE.OrderMassCancelRequest, ALL);
  await handle(TYPE.OrderMassCancelRequest, ALL);
  expect(asked).toHaveLength(1);
  expect(sent.map((one) => [one[531], one[533], one[58]])).toEqual([
    ['7', '2', undefined],
    ['0', undefined, 'Duplicate ClOrdID'],
  ]);
});

test('a mass cancel whose ClOrdID was used before a restart is refused [FIX-017]', async () => {
  await handle(TYPE.OrderMassCancelRequest, ALL);
  await store.close();
  store = await SessionStore.open(join(folder, `${files}.log`), 0);
  expect([...store.massCancels.keys()]).toEqual(['all']);
  await store.close();
  store = await SessionStore.open(join(folder, `${files}.log`), 8 * 86_400_000);
  expect(store.massCancels.size).toBe(0);
});

test('a mass cancel that is sent again has the Idempotency-Key of the first one [FIX-017]', async () => {
  await handle(TYPE.OrderMassCancelRequest, ALL);
  await handle(TYPE.OrderMassCancelRequest, ALL, true);
  await handle(TYPE.OrderMassCancelRequest, { ...ALL, 97: 'Y' });
  expect(new Set(asked.map(([, , intent]) => intent)).size).toBe(1);
  expect(sent.map((one) => one[533])).toEqual(['2', '2', '2']);
});

test('a cancel by OrderID of an order that the session does not know is answered [FIX-018]', async () => {
  answer = () => ({ type: 'ok', order: ENDED });
  const cancelled = handle(TYPE.OrderCancelRequest, { 11: 'c', 41: 'other', 37: '70' });
  await isAsked(1);
  expect(asked).toEqual([['order.cancel', { id: '70' }, expect.any(String)]]);
  change(ENDED);
  await cancelled;
  await isSent(2);
  expect(brief()).toEqual([
    ['0', '70', undefined],
    ['4', 'c', '70'],
  ]);
  expect(store.requests.size).toBe(0);
});

test('replacements by OrderID of an order that the session does not know are answered in turn [FIX-018]', async () => {
  const order = { ...SAMPLE_ORDER, client_order_id: 'web' };
  answer = () => ({ type: 'ok', order });
  const first = handle(TYPE.OrderCancelReplaceRequest, { 11: 'b', 41: 'other', 37: '70', 44: '6' });
  const second = handle(TYPE.OrderCancelReplaceRequest, { 11: 'c', 41: 'b', 44: '7' });
  await isAsked(1);
  change({ ...order, target_price: '6' });
  await first;
  await isAsked(2);
  change({ ...order, target_price: '7' });
  await second;
  await isSent(3);
  expect(asked.map(([, fields]) => fields)).toEqual([
    { id: '70', target_price: '6' },
    { id: '70', target_price: '7' },
  ]);
  expect(brief()).toEqual([
    ['0', 'web', undefined],
    ['5', 'b', 'web'],
    ['5', 'c', 'b'],
  ]);
});

test.each([
  ['cancel', TYPE.OrderCancelRequest, ENDED, '4'],
  ['replacement', TYPE.OrderCancelReplaceRequest, SAMPLE_ORDER, '5'],
] as const)('a %s without an event is reported by its answer [FIX-018]', async (_, type, order, exec) => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  answer = () => ({ type: 'ok', order });
  const price: Record<number, string> = type === TYPE.OrderCancelReplaceRequest ? { 44: '5.00' } : {};
  const changed = handle(type, { 11: 'c', 41: '70', 37: '70', ...price });
  await isAsked(1);
  await turn();
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(10_000);
  await changed;
  await isSent(2);
  expect(brief()).toEqual([
    ['0', '70', undefined],
    [exec, 'c', '70'],
  ]);
  expect(store.requests.size).toBe(0);
});

test('an answer that changes nothing of a known order is reported as its state [FIX-018]', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  answer = () => ({ type: 'ok', order: ENDED });
  const cancelled = handle(TYPE.OrderCancelRequest, { 11: 'c', 41: '70', 37: '70' });
  await isAsked(1);
  change(ENDED);
  await cancelled;
  const again = handle(TYPE.OrderCancelRequest, { 11: 'd', 41: '70', 37: '70' });
  await isAsked(2);
  await turn();
  jest.advanceTimersByTime(10_000);
  await again;
  await isSent(3);
  expect(brief().at(-1)).toEqual(['I', 'd', undefined]);
  expect(store.requests.size).toBe(0);
});

test.each([
  ['open', SAMPLE_ORDER, '0'],
  ['filled', { ...SAMPLE_ORDER, status: 2, filled_amount: SAMPLE_ORDER.trade_amount } as SpotOrder, '2'],
])('a resent order that exists %s and is not known here is answered by its state [FIX-027]', async (_, now, status) => {
  const order = { ...now, client_order_id: 'c' };
  answer = (message) =>
    message === 'order.get' ? { type: 'ok', message: order } : { type: 'ok', id: order.id, repeated: 1 };
  await handle(TYPE.NewOrderSingle, { ...limit('c'), 97: 'Y' });
  expect(asked.map(([message]) => message)).toEqual(['order.place', 'order.get']);
  expect(sent.map((one) => [one[150], one[39], one[11], one[37]])).toEqual([['I', status, 'c', order.id]]);
  expect([store.requests.size, store.names.get('c')]).toEqual([0, order.id]);
  // From here on its changes are reported, and nothing of before.
  if (order.status === 2) return;
  change(order);
  change({ ...order, status: 2, cancelled: 1, cancel_reason: 'stp' });
  await isSent(2);
  expect(brief().at(-1)).toEqual(['4', 'c', undefined]);
});

test('a resent order whose event was read before is answered by its state after 10 s [FIX-027]', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
  const order = { ...SAMPLE_ORDER, client_order_id: 'c' };
  answer = (message) => (message === 'order.get' ? { type: 'ok', message: order } : { type: 'ok', id: order.id });
  const placed = handle(TYPE.NewOrderSingle, limit('c'), true);
  await isAsked(1);
  await turn();
  jest.advanceTimersByTime(10_000);
  await placed;
  expect(brief()).toEqual([['I', 'c', undefined]]);
  expect(store.requests.size).toBe(0);
});

test('an order that is resent while it is placed is answered by its state [FIX-027]', async () => {
  const endDelay = delayPair();
  const order = { ...SAMPLE_ORDER, client_order_id: 'c' };
  answer = (message) => {
    if (message === 'order.get') return { type: 'ok', message: order };
    change(order);
    return { type: 'ok', id: order.id };
  };
  const [placed, again] = [handle(TYPE.NewOrderSingle, limit('c')), handle(TYPE.NewOrderSingle, limit('c'), true)];
  endDelay();
  await Promise.all([placed, again]);
  expect(asked.map(([message]) => message)).toEqual(['order.place', 'order.get']);
  expect(sent.map((one) => [one[150], one[11]]).sort()).toEqual([
    ['0', 'c'],
    ['I', 'c'],
  ]);
  expect(store.requests.size).toBe(0);
});

test('an order resent under the name of a replacement under way is answered by its state [FIX-027]', async () => {
  const endDelay = delayPair();
  answer = () => ({ type: 'ok', ids: [] });
  const before = handle(TYPE.OrderMassCancelRequest, { 11: 'all', 530: '1', 55: 'BTC/USDT' });
  const replaced = handle(TYPE.OrderCancelReplaceRequest, { 11: 'b', 41: 'other', 37: '70', 44: '6' });
  const again = handle(TYPE.NewOrderSingle, { ...limit('b'), 97: 'Y' });
  answer = (message) =>
    message === 'order.cancelAll' ? { type: 'ok', ids: [] } : { type: 'error', key: 'common.notFound' };
  endDelay();
  await Promise.all([before, replaced, again]);
  expect(sent.map((one) => [one[TAG.MsgType], one[11]])).toEqual([
    ['r', 'all'],
    ['9', 'b'],
    ['8', 'b'],
  ]);
});

test.each([
  ['cancel', TYPE.OrderCancelRequest],
  ['replacement', TYPE.OrderCancelReplaceRequest],
] as const)(
  'a %s resent while its first message still ends is carried out under its key [FIX-029]',
  async (_, type) => {
    const isCancel = type === TYPE.OrderCancelRequest;
    const fields: Record<number, string> = { 11: 'c', 41: '70', 37: '70' };
    if (!isCancel) fields[44] = '6';
    let isLost = true;
    answer = () => {
      if (isLost) throw new OutcomeUnknown('order');
      return { type: 'ok', order: isCancel ? ENDED : SAMPLE_ORDER };
    };
    const first = handle(type, fields);
    const again = handle(type, { ...fields, 43: 'Y' }, true);
    // A later request of the order comes after both.
    const behind = handle(TYPE.OrderStatusRequest, { 11: 'c', 55: 'BTC/USDT', 54: '1' });
    await expect(first).rejects.toThrow(OutcomeUnknown);
    isLost = false;
    await isAsked(2);
    change(isCancel ? ENDED : { ...SAMPLE_ORDER, target_price: '6' });
    await Promise.all([again, behind, isSent(3)]);
    expect(asked.map(([message]) => message)).toEqual([...Array(2).fill(asked[0]![0]), 'order.get']);
    expect(asked[1]).toEqual(asked[0]);
    sent = sent.filter((one) => one[150] !== 'I');
    expect(brief()).toEqual([
      ['0', '70', undefined],
      [isCancel ? '4' : '5', 'c', '70'],
    ]);
    expect(store.requests.size).toBe(0);
  },
);

test('a cancel resent while its first message is carried out is answered once [FIX-029]', async () => {
  answer = () => ({ type: 'ok', order: ENDED });
  const fields = { 11: 'c', 41: '70', 37: '70' };
  const [first, again] = [
    handle(TYPE.OrderCancelRequest, fields),
    handle(TYPE.OrderCancelRequest, { ...fields, 43: 'Y' }, true),
  ];
  await isAsked(1);
  change(ENDED);
  await Promise.all([first, again, isSent(2)]);
  expect(asked).toHaveLength(1);
  expect(sent.map((one) => one[150])).toEqual(['0', '4']);
  // A name that an order under way has is taken, for a resent cancel as well.
  const placed = handle(TYPE.NewOrderSingle, limit('d'));
  await handle(TYPE.OrderCancelRequest, { ...fields, 11: 'd', 43: 'Y' }, true);
  await placed;
  expect(sent.at(-1)).toMatchObject({ [TAG.MsgType]: '9', 11: 'd', [TAG.Text]: 'Duplicate ClOrdID' });
});
