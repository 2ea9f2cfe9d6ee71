import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

/* Live calls of the driver, on a stream that the test speaks for. */

/** Runs a piece of a program with the helpers of `watched.mjs`; answers what it tells. */
async function run(body: string): Promise<unknown> {
  const helpers = new URL('./watched.mjs', import.meta.url).href;
  const source = `import { balance, bot, order, settled, stateOf } from '${helpers}';
const told = {};
${body}
console.log(JSON.stringify(told));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', source], {
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout) as unknown;
}

test('balances whose first read fails are read again by the next call [API-028]', async () => {
  expect(
    await run(`
const { said, exchange } = bot(new Error('lost'), { USDT: { free: '5', used: '0' }, BTC: { free: '1', used: '0' } });
told.first = await exchange.watchBalance().catch((error) => error.message);
const second = exchange.watchBalance();
await settled();
said.say('balance_update', balance(['USDT', '4', '1'], ['USDT', '9', '9', 'legal']));
const { free, used } = await second;
Object.assign(told, { free, used, reads: exchange.reads });
`),
  ).toEqual({
    first: 'lost',
    free: { USDT: '4', BTC: '1' },
    used: { USDT: '1', BTC: '0' },
    reads: 2,
  });
});

test('after a hole balances are read anew and told; who watches orders is told [API-028]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({ USDT: { free: '5', used: '0' } }, { USDT: { free: '2', used: '3' } });
const [balances, orders, fills] = [exchange.watchBalance(), exchange.watchOrders('BTC/USDT'), exchange.watchMyTrades()];
await settled();
said.say('hole');
told.balances = (await balances).free;
told.orders = await stateOf(orders);
told.fills = await stateOf(fills);
const next = exchange.watchBalance();
await settled();
said.say('balance_update', balance(['BTC', '7', '0']));
told.next = (await next).free;
told.reads = exchange.reads;
// A hole while nobody waits is told to the next who asks, and what had come before it is forgotten.
said.say('order_update', order('1'));
said.say('hole');
told.later = await stateOf(exchange.watchOrders('BTC/USDT'));
said.say('order_update', order('2'));
told.then = (await exchange.watchOrders('BTC/USDT')).map(({ id }) => id);
`),
  ).toEqual({
    balances: { USDT: '2' },
    orders: { failed: 'NetworkError' },
    fills: { failed: 'NetworkError' },
    next: { USDT: '2', BTC: '7' },
    reads: 2,
    later: { failed: 'NetworkError' },
    then: ['2'],
  });
});

test('all who wait for a stream get what comes, and orders of another pair wake nobody [API-029]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({});
const both = [exchange.watchOrders('BTC/USDT'), exchange.watchOrders('BTC/USDT'), exchange.watchOrders()];
await settled();
said.say('order_update', order('1', { symbol: 'ETH/USDT' }));
told.other = [await stateOf(both[0]), await stateOf(both[1])];
told.all = (await both[2]).map(({ id }) => id);
said.say('order_update', order('2'));
told.both = (await Promise.all(both.slice(0, 2))).map((all) => all.map(({ id }) => id));
`),
  ).toEqual({ other: ['waits', 'waits'], all: ['1'], both: [['2'], ['2']] });
});

test('a stream that nobody takes keeps little of it [API-029]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({});
const book = (seq) => ({ symbol: 'BTC/USDT', bids: [[String(seq), '1']], asks: [], seq, ts: 1 });
const candle = (time, close) => ({ time, open: '1', high: '1', low: '1', close, volume: '1' });
const trade = (id) => ({ id: String(id), symbol: 'BTC/USDT', ts: id, direction: 'buy', price: '1', number: '1' });
const open = [
  exchange.watchOrderBook('BTC/USDT'),
  exchange.watchTicker('BTC/USDT'),
  exchange.watchOHLCV('BTC/USDT'),
  exchange.watchTrades('BTC/USDT'),
];
await settled();
const say = (count) => {
  said.say('book', book(count));
  said.say('ticker', { symbol: 'BTC/USDT', now_price: String(count), ts: 1 });
  said.say('candles', candle(60_000 * Math.ceil(count / 1_000), String(count)));
  said.say('trades', trade(count));
};
say(1);
await Promise.all(open);
for (let count = 2; count <= 1_500; count += 1) say(count);
told.book = (await exchange.watchOrderBook('BTC/USDT')).nonce;
told.ticker = (await exchange.watchTicker('BTC/USDT')).last;
told.candles = (await exchange.watchOHLCV('BTC/USDT')).map(([time, , , , close]) => [time, close]);
const trades = await exchange.watchTrades('BTC/USDT');
told.trades = [trades.length, trades[0].id, trades.at(-1).id];
// A book that is being read anew is none.
const next = exchange.watchOrderBook('BTC/USDT');
said.say('book', book(0));
told.empty = await stateOf(next);
said.say('book', book(2_000));
told.full = (await next).nonce;
`),
  ).toEqual({
    book: 1_500,
    ticker: '1500',
    candles: [
      [60_000, '1000'],
      [120_000, '1500'],
    ],
    trades: [1_000, '501', '1500'],
    empty: 'waits',
    full: 2_000,
  });
});

test('unWatch ends a stream: who waits is told, nothing is kept, and it opens again [API-029]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({ USDT: { free: '5', used: '0' } });
const open = [
  exchange.watchOrderBook('BTC/USDT'),
  exchange.watchTicker('BTC/USDT'),
  exchange.watchTrades('BTC/USDT'),
  exchange.watchOHLCV('BTC/USDT', '5m'),
  exchange.watchOrders(),
  exchange.watchMyTrades('BTC/USDT'),
  exchange.watchBalance(),
];
await settled();
await exchange.unWatchOrderBook('BTC/USDT');
await exchange.unWatchTicker('BTC/USDT');
await exchange.unWatchTrades('BTC/USDT');
await exchange.unWatchOHLCV('BTC/USDT', '5m');
await exchange.unWatchOrders();
await exchange.unWatchMyTrades('BTC/USDT');
await exchange.unWatchBalance();
told.states = await Promise.all(open.map(stateOf));
told.listening = [...said.listeners.values()].map((all) => all.size).filter(Boolean);
told.boxes = exchange.mailboxes.size;
const again = exchange.watchTicker('BTC/USDT');
await settled();
said.say('ticker', { symbol: 'BTC/USDT', now_price: '7', ts: 1 });
told.again = (await again).last;
`),
  ).toEqual({
    states: Array.from({ length: 7 }, () => ({ failed: 'UnsubscribeError' })),
    listening: [],
    boxes: 0,
    again: '7',
  });
});
