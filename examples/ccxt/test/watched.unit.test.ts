import { expect, jest, test } from '@jest/globals';
import { inProcess as run } from './in-process.js';

jest.setTimeout(60_000);

/* Live calls of the driver, on a stream that the test speaks for. */

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

test('after a hole balances are read again and delivered, and watched orders fail [API-028]', async () => {
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
// A gap while no call waits is reported to the next call, and earlier messages are dropped.
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

test('all waiting calls of a stream get its messages, and orders of another pair wake none [API-029]', async () => {
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

test('an unread stream keeps a limited number of messages [API-029]', async () => {
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
// A book that is being read again is none.
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

test('unWatch ends a stream: waiting calls are rejected, nothing is kept, it can open again [API-029]', async () => {
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
told.again = await nextPrice(exchange, said, '7');
`),
  ).toEqual({
    states: Array.from({ length: 7 }, () => ({ failed: 'UnsubscribeError' })),
    listening: [],
    boxes: 0,
    again: '7',
  });
});

test('an order waits for the stream of its updates; one that could not is a gap [API-043]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({});
let open;
said.opening = new Promise((resolve) => (open = resolve));
let sent = 0;
exchange.privatePostCoinTrade = () => Promise.resolve({ ...order('1'), sent: (sent += 1) });
const place = () => exchange.createOrder('BTC/USDT', 'limit', 'buy', '1', '1');
await place();
told.unwatched = sent;
const [orders, placed] = [exchange.watchOrders('BTC/USDT'), place()];
await settled();
told.opening = sent;
open();
await placed;
told.open = sent;
said.say('order_update', order('1'));
told.orders = (await orders).map(({ id }) => id);
await exchange.close();
// A stream that does not open delays no order for long; when it opens, watchers are notified of the gap.
const wait = globalThis.setTimeout;
globalThis.setTimeout = (then, ms, ...more) => wait(then, ms >= 1_000 ? 0 : ms, ...more);
said.opening = new Promise((resolve) => (open = resolve));
const [later] = [exchange.watchOrders('BTC/USDT'), await place()];
told.late = sent;
open();
told.later = await stateOf(later);
`),
  ).toEqual({ unwatched: 1, opening: 1, open: 2, orders: ['1'], late: 3, later: { failed: 'NetworkError' } });
});

test('balances are read once the stream is open, and a refused key is reported [API-043]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({ USDT: { free: '5', used: '0' } });
let open;
said.opening = new Promise((resolve) => (open = resolve));
const balances = exchange.watchBalance();
await settled();
told.opening = exchange.reads;
open();
await settled();
told.open = exchange.reads;
said.say('balance_update', balance(['USDT', '4', '1']));
told.free = (await balances).free;
await exchange.close();
said.opening = Promise.reject(new Error('apikey.signature'));
told.refused = await stateOf(exchange.watchBalance());
`),
  ).toEqual({ opening: 0, open: 1, free: { USDT: '4' }, refused: { failed: 'AuthenticationError' } });
});

test('an order whose answer is lost is resent under its key, and its error has it [API-047, CLIENT-052]', async () => {
  expect(
    await run(`
const { exchange } = bot({});
const busy = (Kind, key) => new Kind('bourse {"type":"error","key":"' + key + '"}');
const { RequestTimeout, ExchangeNotAvailable, RateLimitExceeded } = errors;
let keys = [];
let answers = [];
exchange.privatePostCoinTrade = ({ idempotencyKey }) => {
  keys.push(idempotencyKey);
  const next = answers.length > 1 ? answers.shift() : answers[0];
  return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
};
const tried = async (params, ...all) => {
  [keys, answers] = [[], all];
  const ended = await exchange.createOrder('BTC/USDT', 'limit', 'buy', '1', '1', params).catch((error) => error);
  const name = ended instanceof Error ? ended.constructor.name : ended.id;
  return [name, new Set(keys).size, keys.length > 1, ended.idempotencyKey === keys[0]];
};
const unavailable = busy(ExchangeNotAvailable, 'common.unavailable');
const tooMany = busy(RateLimitExceeded, 'common.tooMany');
told.answered = await tried({}, new RequestTimeout('lost'), unavailable, tooMany, order('1'));
exchange.options.outcomeMs = 1_500;
told.open = await tried({ idempotencyKey: 'mine-1234' }, new RequestTimeout('lost'));
told.turned = await tried({}, new RequestTimeout('lost'), unavailable);
told.busy = await tried({}, unavailable);
told.paced = await tried({}, tooMany);
told.late = await tried({}, busy(ExchangeNotAvailable, 'common.expired'));
const gates = [
  busy(errors.AccountSuspended, 'auth.frozen'),
  busy(errors.PermissionDenied, 'kyc.required'),
  busy(errors.AuthenticationError, 'apikey.signature'),
  busy(errors.MarketClosed, 'market.paused'),
];
told.gates = [];
for (const gate of gates) told.gates.push([await tried({}, gate), await tried({}, new RequestTimeout('lost'), gate)]);
`),
  ).toEqual({
    answered: ['1', 1, true, false],
    open: ['RequestTimeout', 1, true, true],
    turned: ['RequestTimeout', 1, true, true],
    busy: ['ExchangeNotAvailable', 1, true, true],
    paced: ['RateLimitExceeded', 1, false, true],
    late: ['ExchangeNotAvailable', 1, false, true],
    gates: ['AccountSuspended', 'PermissionDenied', 'AuthenticationError', 'MarketClosed'].map((name) => [
      [name, 1, false, true],
      ['RequestTimeout', 1, true, true],
    ]),
  });
});

test('open orders are all of them, whatever moves meanwhile; others as many as one wants [API-049]', async () => {
  expect(
    await run(`
const { exchange } = bot({});
const rows = Array.from({ length: 250 }, (_, index) => order(String(250 - index)).order);
let left = rows;
let asked = [];
exchange.privateGetCoinList = ({ page, status }) => {
  asked.push([page, status ?? null]);
  const [all, from] = [left, (page - 1) * 100];
  if (status === 1) left = rows.slice(1);
  const data = all.slice(from, from + 100);
  return Promise.resolve({ message: { data, total: all.length, has_more: from + 100 < all.length ? 1 : 0 } });
};
const open = await exchange.fetchOpenOrders('BTC/USDT');
told.open = [open.length, new Set(open.map(({ id }) => id)).size, open.some(({ id }) => id === '150')];
left = rows;
asked = [];
told.some = (await exchange.fetchOpenOrders('BTC/USDT', undefined, 20)).length;
told.all = (await exchange.fetchOrders('BTC/USDT')).length;
told.asked = asked;
`),
  ).toEqual({
    open: [249, 249, true],
    some: 20,
    all: 100,
    asked: [
      [1, 1],
      [1, null],
    ],
  });
});

test('tickers, trades and books of several markets come to one call, whatever their order [API-053]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({});
const [both, turned] = [['BTC/USDT', 'ETH/USDT'], ['ETH/USDT', 'BTC/USDT']];
const ticker = (symbol, now_price) => ({ symbol, now_price, ts: 1 });
const trade = (symbol, id) => ({ id, symbol, ts: 1, direction: 'buy', price: '1', number: '1' });
const book = (symbol, seq) => ({ symbol, bids: [[String(seq), '1']], asks: [], seq, ts: 1 });
const watching = [
  exchange.watchTickers(),
  exchange.watchTickers(turned),
  exchange.watchTradesForSymbols(both),
  exchange.watchOrderBookForSymbols(both),
];
await settled();
told.boxes = exchange.mailboxes.size;
said.say('ticker', ticker('ETH/USDT', '7'));
said.say('trades', trade('ETH/USDT', '1'));
said.say('book', book('ETH/USDT', 3));
const [all, same, trades, first] = await Promise.all(watching);
told.tickers = [all, same].map((one) => Object.entries(one).map(([symbol, { last }]) => [symbol, last]));
told.trades = trades.map(({ id, symbol }) => [id, symbol]);
told.first = [first.symbol, first.nonce];
// Messages between calls: the last ticker of each market, every trade, each book in its turn.
for (const last of ['8', '9']) for (const symbol of both) said.say('ticker', ticker(symbol, last));
told.last = Object.values(await exchange.watchTickers(both)).map(({ symbol, last }) => [symbol, last]);
for (const symbol of both) said.say('trades', trade(symbol, '2'));
told.more = (await exchange.watchTradesForSymbols(turned)).map(({ symbol }) => symbol);
for (const seq of [4, 5]) for (const symbol of both) said.say('book', book(symbol, seq));
const next = [await exchange.watchOrderBookForSymbols(both), await exchange.watchOrderBookForSymbols(turned)];
told.books = next.map(({ symbol, nonce }) => [symbol, nonce]);
const calls = ['watchTickers', 'watchTradesForSymbols', 'watchOrderBookForSymbols'];
const waiting = calls.map((name) => exchange[name](both));
await settled();
await exchange.unWatchTickers(both);
await exchange.unWatchTradesForSymbols(turned);
await exchange.unWatchOrderBookForSymbols(both);
told.ended = await Promise.all(waiting.map(stateOf));
told.listening = [...said.listeners.values()].map((left) => left.size).filter(Boolean);
`),
  ).toEqual({
    boxes: 3,
    tickers: [[['ETH/USDT', '7']], [['ETH/USDT', '7']]],
    trades: [['1', 'ETH/USDT']],
    first: ['ETH/USDT', 3],
    last: [
      ['BTC/USDT', '9'],
      ['ETH/USDT', '9'],
    ],
    more: ['BTC/USDT', 'ETH/USDT'],
    books: [
      ['BTC/USDT', 5],
      ['ETH/USDT', 5],
    ],
    ended: Array.from({ length: 3 }, () => ({ failed: 'UnsubscribeError' })),
    listening: [],
  });
});

test('calls of a refused stream fail with its reason, others wait, the next asks again [CLIENT-061]', async () => {
  expect(
    await run(`
const { said, exchange } = bot({});
const watching = {
  ticker: exchange.watchTicker('BTC/USDT'),
  other: exchange.watchTicker('ETH/USDT'),
  tickers: exchange.watchTickers(['BTC/USDT', 'ETH/USDT']),
  candles: exchange.watchOHLCV('BTC/USDT', '5m'),
  minutes: exchange.watchOHLCV('BTC/USDT', '1m'),
  trades: exchange.watchTrades('BTC/USDT'),
  all: exchange.watchTradesForSymbols(['BTC/USDT', 'ETH/USDT']),
  book: exchange.watchOrderBook('BTC/USDT'),
  books: exchange.watchOrderBookForSymbols(['BTC/USDT', 'ETH/USDT']),
  orders: exchange.watchOrders('BTC/USDT'),
};
await settled();
const refused = (channel, interval, key) => exchange.failWatchers(refusedStream(channel, 'BTC/USDT', interval, key));
refused('daymarket', '', 'pair.delisted');
refused('kline', '5min', 'common.tooMany');
refused('trades', '', 'some.other');
refused('depth', '', 'pair.delisted');
const states = await Promise.all(Object.values(watching).map(stateOf));
told.states = Object.fromEntries(Object.keys(watching).map((name, index) => [name, states[index]]));
told.left = [...exchange.mailboxes.keys()];
told.again = await nextPrice(exchange, said, '7');
`),
  ).toEqual({
    states: {
      ticker: { failed: 'BadSymbol' },
      other: 'waits',
      tickers: { failed: 'BadSymbol' },
      candles: { failed: 'RateLimitExceeded' },
      minutes: 'waits',
      trades: { failed: 'ExchangeError' },
      all: { failed: 'ExchangeError' },
      book: { failed: 'BadSymbol' },
      books: { failed: 'BadSymbol' },
      orders: 'waits',
    },
    left: ['ticker ETH/USDT', 'candles 1min BTC/USDT', 'orders BTC/USDT'],
    again: '7',
  });
});

test('an order whose clientOrderId another one has is a duplicate, with that order [CLIENT-060]', async () => {
  expect(
    await run(`
const { exchange } = bot({});
const body = { type: 'ok', id: '7', ...order('7'), repeated: 1 };
const lost = new errors.RequestTimeout('lost');
let answers = [];
let keys = [];
exchange.fetch = (url, method, headers) => {
  keys.push(headers['Idempotency-Key']);
  const next = answers.shift();
  if (next instanceof Error) return Promise.reject(next);
  exchange.handleErrors(200, '', url, method, headers, JSON.stringify(next), next);
  return Promise.resolve(next);
};
const tried = async (...all) => {
  [keys, answers] = [[], all];
  const ended = await exchange
    .createOrder('BTC/USDT', 'limit', 'buy', '1', '1', { clientOrderId: 'mine' })
    .catch((error) => error);
  const name = ended instanceof Error ? ended.constructor.name : ended.id;
  return [name, ended.orderId ?? null, new Set(keys).size, ended.idempotencyKey === keys[0]];
};
const { repeated, ...first } = body;
told.taken = await tried(body);
told.takenLater = await tried(lost, body);
// The repeat of a lost first order is answered as that one was.
told.own = await tried(lost, first);
answers = [{ type: 'ok', message: [{ ...body }, { ...first }] }];
const wish = { symbol: 'BTC/USDT', type: 'limit', side: 'buy', amount: '1', price: '1' };
const batch = await exchange.createOrders([{ ...wish, params: { clientOrderId: 'mine' } }, wish]);
told.batch = batch.map(({ id, status, clientOrderId }) => [id ?? null, status, clientOrderId ?? null]);
`),
  ).toEqual({
    taken: ['DuplicateOrderId', '7', 1, true],
    takenLater: ['DuplicateOrderId', '7', 1, true],
    own: ['7', null, 1, false],
    batch: [
      [null, 'rejected', 'mine'],
      ['7', 'open', null],
    ],
  });
});
