import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { OutcomeUnknown, type ExchangeLine } from './exchange-line.js';
import { FixGateway } from './gateway.js';
import { encode, Framer, timeOf, type Field, type Message } from './protocol/message.js';
import { TAG, TYPE } from './protocol/tags.js';
import { SessionStore } from './store.js';

jest.setTimeout(60_000);

/* The gateway before an exchange that takes every signature. */

let folder: string;
let gateway: FixGateway;
let port: number;
const sockets = new Set<Socket>();
/** Answers that the exchange has not given yet. */
let held: (() => void)[];
/** Lets the requests that wait for an answer fail. */
let loseAnswers: (() => void)[];
let mostHeld: number;

const openLine = (): Promise<ExchangeLine> =>
  Promise.resolve({
    since: () => Promise.resolve({ events: [], user_seq: 0, complete: 1 }),
    onOrder: () => undefined,
    onLost: () => undefined,
    quieten: () => undefined,
    close: () => undefined,
    ask: () =>
      new Promise((resolve, reject) => {
        loseAnswers.push(() => reject(new OutcomeUnknown('order.get')));
        held.push(() => resolve({ status: 200, answer: { type: 'error', key: 'common.notFound' } }));
        mostHeld = Math.max(mostHeld, held.length);
      }),
  } as unknown as ExchangeLine);

async function start(guests?: { most: number; perAddress: number }, now = Date.now): Promise<void> {
  const settings = { host: '127.0.0.1', port: 0, exchangeUrl: 'http://127.0.0.1:1', compId: 'BOURSE', folder };
  gateway = new FixGateway(settings, () => undefined, { openLine, now, ...(guests ? { guests } : {}) });
  port = await gateway.listen();
}
beforeEach(() => {
  [held, loseAnswers, mostHeld] = [[], [], 0];
  folder = mkdtempSync(join(tmpdir(), 'bourse-fix-gateway-'));
});
afterEach(async () => {
  jest.restoreAllMocks();
  for (const answer of held) answer();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await gateway.close();
  rmSync(folder, { recursive: true });
});

/** Waits until there is something; the timeout of the test is its limit. */
async function eventually<T>(read: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (let found: T; ; await sleep(5)) if ((found = await read())) return found;
}

/** A connection of a program, which may have sent messages before. */
function program(sender: string, sentBefore = 0) {
  const framer = new Framer();
  const received: Message[] = [];
  const state = { isClosed: false };
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => (state.isClosed = true));
  socket.on('data', (bytes: Buffer) => received.push(...framer.push(bytes.toString('latin1'))));
  let seq = sentBefore;
  const text = (type: string, body: readonly Field[] = []): string =>
    encode([
      [TAG.MsgType, type],
      [TAG.SenderCompID, sender],
      [TAG.TargetCompID, 'BOURSE'],
      [TAG.MsgSeqNum, String((seq += 1))],
      [TAG.SendingTime, timeOf(Date.now())],
      ...body,
    ]);
  const logon = (): string =>
    text(TYPE.Logon, [
      [TAG.EncryptMethod, '0'],
      [TAG.HeartBtInt, '30'],
      [TAG.Username, 'key'],
      [TAG.Password, randomBytes(32).toString('hex')],
    ]);
  const until = (type: string): Promise<Message> => eventually(() => received.find((one) => one.type === type));
  const isClosed = (): Promise<unknown> => eventually(() => state.isClosed);
  return { socket, state, received, text, logon, until, isClosed };
}
const status = (name: number): [string, readonly Field[]] => [
  TYPE.OrderStatusRequest,
  [
    [TAG.ClOrdID, `o-${String(name)}`],
    [TAG.Symbol, 'BTC/USDT'],
    [TAG.Side, '1'],
  ],
];

const isHeld = (count: number): Promise<unknown> => eventually(() => held.length === count);

test('a burst in one chunk has at most 32 requests under way, and all are answered in order [FIX-019]', async () => {
  await start();
  const { socket, logon, text, received } = program('BURST');
  const first = logon();
  const burst = Array.from({ length: 100 }, (_, at) => text(...status(at)));
  socket.write(first + burst.join(''), 'latin1');
  await isHeld(32);
  for (let rest = 100; rest > 0; rest -= 1) {
    await isHeld(Math.min(32, rest));
    held.shift()!();
  }
  await eventually(() => received.length === 101);
  expect(mostHeld).toBe(32);
  expect(received.slice(1).map((one) => one.get(TAG.ClOrdID))).toEqual(
    Array.from({ length: 100 }, (_, at) => `o-${at}`),
  );
});

test('a connection whose messages wait for requests under way is not cut for silence [FIX-028]', async () => {
  let ahead = 0;
  await start(undefined, () => Date.now() + ahead);
  const { socket, logon, text, received, state } = program('BUSY');
  const first = logon();
  const burst = Array.from({ length: 32 }, (_, at) => text(...status(at)));
  socket.write(first + burst.join('') + text(TYPE.Heartbeat), 'latin1');
  await isHeld(32);
  // Three heartbeat intervals, in which those of the other side wait to be read.
  ahead = 90_000;
  await eventually(() => state.isClosed || received.some(({ type }) => type === TYPE.Heartbeat));
  expect([state.isClosed, received.some(({ type }) => type === TYPE.TestRequest)]).toEqual([false, false]);
  for (const answer of held.splice(0)) answer();
  await eventually(() => received.filter(({ type }) => type === TYPE.ExecutionReport).length === 32);
  // Silence counts from the message that was read last.
  ahead = 130_000;
  await eventually(() => received.find(({ type }) => type === TYPE.TestRequest));
  expect(state.isClosed).toBe(false);
  ahead = 170_000;
  await eventually(() => state.isClosed);
});

test('a session that logs out is closed after its requests, and continues at the next Logon [FIX-020]', async () => {
  const opened = jest.spyOn(SessionStore, 'open');
  const closed = jest.spyOn(SessionStore.prototype, 'close');
  await start();
  const first = program('TRADER');
  first.socket.write(first.logon(), 'latin1');
  await first.until(TYPE.Logon);
  first.socket.write(first.text(...status(1)) + first.text(TYPE.Logout), 'latin1');
  await first.until(TYPE.Logout);
  await first.isClosed();
  await isHeld(1);
  expect(closed).not.toHaveBeenCalled();
  held.shift()!();
  await eventually(() => closed.mock.calls.length === 1);
  const second = program('TRADER', 3);
  second.socket.write(second.logon(), 'latin1');
  expect((await second.until(TYPE.Logon)).seq).toBe(4);
  expect(opened).toHaveBeenCalledTimes(2);
  second.socket.write(second.text(TYPE.TestRequest, [[TAG.TestReqID, 'here']]), 'latin1');
  await second.until(TYPE.Heartbeat);
  expect(second.received.map(({ type }) => type)).toEqual([TYPE.Logon, TYPE.Heartbeat]);
});

test('an unknown outcome of an earlier connection does not log the later one out [FIX-025]', async () => {
  await start();
  const first = program('TRADER');
  first.socket.write(first.logon() + first.text(...status(1)), 'latin1');
  await isHeld(1);
  const second = program('TRADER', 2);
  second.socket.write(second.logon(), 'latin1');
  await second.until(TYPE.Logon);
  for (const lose of loseAnswers) lose();
  await sleep(20);
  second.socket.write(second.text(TYPE.TestRequest, [[TAG.TestReqID, 'here']]), 'latin1');
  await second.until(TYPE.Heartbeat);
  expect(second.received.map(({ type }) => type)).not.toContain(TYPE.Logout);
});

test('a SenderCompID beyond the hundredth of an API key is refused, one of before is not [FIX-020]', async () => {
  for (let name = 0; name < 100; name += 1) writeFileSync(join(folder, `key.NAME-${String(name)}.log`), '');
  writeFileSync(join(folder, 'another.NAME.log'), '');
  await start();
  const [beyond, before] = [program('NAME-100'), program('NAME-99')];
  beyond.socket.write(beyond.logon(), 'latin1');
  expect((await beyond.until(TYPE.Logout)).get(TAG.Text)).toBe(
    'an API key has at most 100 SenderCompIDs: use one of those before',
  );
  before.socket.write(before.logon(), 'latin1');
  await before.until(TYPE.Logon);
});

test.each([
  ['in all', { most: 2, perAddress: 9 }],
  ['of an address', { most: 9, perAddress: 2 }],
])('connections %s without a Logon are limited, those that are logged on do not count [FIX-021]', async (_, guests) => {
  await start(guests);
  const traders = [];
  for (const name of ['ONE', 'TWO', 'THREE']) {
    const trader = program(name);
    trader.socket.write(trader.logon(), 'latin1');
    await trader.until(TYPE.Logon);
    traders.push(trader);
  }
  const idle = [program('IDLE'), program('IDLE')];
  await Promise.all(idle.map(({ socket }) => new Promise((resolve) => socket.once('ready', resolve))));
  await program('IDLE').isClosed();
  expect([...traders, ...idle].map(({ state }) => state.isClosed)).toEqual([false, false, false, false, false]);
  // One that ends makes room.
  idle[0]!.socket.destroy();
  await eventually(async () => {
    const { socket, logon, received, state } = program('NEXT');
    socket.write(logon(), 'latin1');
    await eventually(() => received.length > 0 || state.isClosed);
    return received[0]?.type === TYPE.Logon;
  });
});
