import { execFile, fork, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { BASE, call, post } from './client.js';
import { createTrader, done, FUND } from './people.js';

jest.setTimeout(testTimeoutMs(22_000));

/* The ccxt driver under ccxt: bots read, place, cancel and watch, with every digit of the exchange. */

const place = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const hostname = new URL(BASE).host;
const SYMBOL = 'BTC/USDT';
/** Digits of its prices. */
const PRICE_SCALE = 2;
interface Key {
  readonly key: string;
  readonly secret: string;
}
interface Failed {
  readonly message: string;
  readonly classes: readonly string[];
}
interface Told {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: Failed;
  readonly ready?: boolean;
}
interface Order {
  readonly id: string;
  readonly status: string;
  readonly symbol: string;
  readonly side: string;
  readonly type: string;
  readonly price?: string;
  readonly amount: string;
  readonly filled: string;
  readonly remaining: string;
  readonly average?: string;
  readonly clientOrderId?: string;
  readonly triggerPrice?: string;
  readonly timeInForce?: string;
  readonly postOnly?: boolean;
}
interface Trade {
  readonly id: string;
  readonly order: string;
  readonly price: string;
  readonly amount: string;
  readonly cost: string;
  readonly side: string;
  readonly timestamp: number;
  readonly fee: { readonly cost: string; readonly currency: string };
}
interface Balance {
  readonly free: Readonly<Record<string, string>>;
  readonly used: Readonly<Record<string, string>>;
  readonly total: Readonly<Record<string, string>>;
}
interface Book {
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
  readonly nonce: number;
}

let token: string;
let trading: Key;
let reading: Key;
let child: ChildProcess;
let count = 0;
const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Failed) => void }>();

function ask<T>(bot: string, method: string, ...args: unknown[]): Promise<T> {
  const id = (count += 1);
  return new Promise<unknown>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    child.send({ id, bot, method, args });
  }) as Promise<T>;
}
const bot = <T>(method: string, ...args: unknown[]): Promise<T> => ask('bot', method, ...args);
/** The classes of ccxt that the error of a call belongs to, its own first. */
const classesOf = (asked: Promise<unknown>): Promise<readonly string[]> =>
  asked.then(
    () => [],
    (error: Failed) => error.classes,
  );

beforeAll(async () => {
  ({ token } = await createTrader({ change: { 1: '1', 3: '20000' } }));
  const create = async (permissions: string): Promise<Key> =>
    (await done(post('/api/apikey', { label: `ccxt ${permissions}`, permissions, password: FUND }, { token }))).message;
  [trading, reading] = [await create('read,trade'), await create('read')];
  child = fork(place('./ccxt-bot.mjs'), { execArgv: [], stdio: 'inherit' });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ccxt ended with ${String(code)}`)));
    child.on('message', ({ id, result, error, ready }: Told) => {
      if (ready) return resolve();
      const one = waiting.get(id ?? 0);
      waiting.delete(id ?? 0);
      if (error) one?.reject(error);
      else one?.resolve(result);
    });
  });
  const keyed = ({ key, secret }: Key): object => ({ hostname, apiKey: key, secret });
  await bot('new', keyed(trading));
  await ask('reader', 'new', keyed(reading));
  await ask('forger', 'new', { hostname, apiKey: trading.key, secret: 'another' });
  await ask('lossy', 'new', { ...keyed(trading), lossy: true });
  await ask('numbers', 'new', { ...keyed(trading), text: false });
});
afterAll(async () => {
  for (const one of ['bot', 'reader', 'forger', 'lossy', 'numbers']) await ask(one, 'close').catch(() => undefined);
  child.removeAllListeners('exit');
  child.kill();
  for (const { key } of [trading, reading]) await call('DELETE', '/api/apikey', { key, password: FUND }, { token });
});

interface Market {
  readonly precision: { readonly amount: string; readonly price: string };
  readonly limits: { readonly cost: { readonly min: string } };
  readonly taker: string;
  readonly active: boolean;
}
test('markets have the scales, limits and fees of the catalog [API-020]', async () => {
  const markets = await bot<Record<string, Market>>('loadMarkets');
  expect(Object.keys(markets).length).toBeGreaterThanOrEqual(5);
  expect(markets[SYMBOL]).toMatchObject({
    precision: { amount: '0.000001', price: '0.01' },
    limits: { cost: { min: '1' } },
    taker: '0.001',
    active: true,
  });
  const numbers = await ask<Record<string, { precision: { price: number } }>>('numbers', 'loadMarkets');
  expect(numbers[SYMBOL]?.precision.price).toBe(0.01);
});

test('ticker, book, candles and trades are those of the exchange, digit for digit [API-021]', async () => {
  // The house quotes some moments after an exchange is ready.
  const book = await eventuallySatisfied(
    () => bot<Book>('fetchOrderBook', SYMBOL, 10),
    (shown) => shown.bids.length > 0 && shown.asks.length > 0,
  );
  const [bids, asks] = [book.bids.map(([price]) => Number(price)), book.asks.map(([price]) => Number(price))];
  expect(bids.length).toBeGreaterThan(0);
  expect(bids).toEqual([...bids].sort((a, b) => b - a));
  expect(asks).toEqual([...asks].sort((a, b) => a - b));
  expect(bids[0]!).toBeLessThan(asks[0]!);
  expect(typeof book.bids[0]?.[0]).toBe('string');
  const ticker = await bot<{ last: string; bid: string; ask: string }>('fetchTicker', SYMBOL);
  expect(ticker.last).toMatch(/^\d+\.\d\d$/);
  expect([typeof ticker.bid, typeof ticker.ask]).toEqual(['string', 'string']);
  expect(Object.keys(await bot<object>('fetchTickers', [SYMBOL, 'ETH/USDT'])).sort()).toEqual([SYMBOL, 'ETH/USDT']);
  const candles = await bot<[number, string, string, string, string, string][]>(
    'fetchOHLCV',
    SYMBOL,
    '1m',
    undefined,
    5,
  );
  const times = candles.map(([time]) => time);
  expect(times.length).toBeGreaterThan(0);
  expect(times).toEqual([...times].sort((a, b) => a - b));
  const { message } = (await post('/api/transaction/deal', { legal_id: 3, currency_id: 1 })).body as unknown as {
    message: { complete: { id: string; price: string }[] };
  };
  const trades = await bot<Trade[]>('fetchTrades', SYMBOL, undefined, 100);
  const known = message.complete.find(({ id }) => trades.some((trade) => trade.id === id));
  if (known) expect(trades.find(({ id }) => id === known.id)?.price).toBe(known.price);
  expect(Math.abs((await bot<number>('fetchTime')) - Date.now())).toBeLessThan(366 * 86_400_000);
});

test('an order rests, is reported by the stream with the balance it holds, and is cancelled [API-022]', async () => {
  const clientOrderId = randomUUID();
  // Watching first misses nothing of the order that follows, however long the stream takes to open.
  const [orders, balances] = [bot<Order[]>('watchOrders', SYMBOL), bot<Balance>('watchBalance')];
  const order = await bot<Order>('createOrder', SYMBOL, 'limit', 'buy', '0.02', '1000.00', { clientOrderId });
  expect(order).toMatchObject({ status: 'open', side: 'buy', type: 'limit', price: '1000.00', filled: '0.000000' });
  expect(order).toMatchObject({ clientOrderId, symbol: SYMBOL });
  expect((await orders).map(({ id }) => id)).toContain(order.id);
  expect((await balances).used['USDT']).toBeDefined();
  expect((await bot<Order[]>('fetchOpenOrders', SYMBOL)).map(({ id }) => id)).toContain(order.id);
  expect(await bot<Order>('fetchOrder', order.id)).toMatchObject({ id: order.id, status: 'open' });
  expect(await bot<Order>('cancelOrder', order.id, SYMBOL)).toMatchObject({ status: 'canceled' });
  expect(await classesOf(bot('cancelOrder', order.id, SYMBOL))).toContain('OrderNotFound');
});

test('a market order is filled, and balance and fills say the same to the last digit [API-023]', async () => {
  const before = await bot<Balance>('fetchBalance');
  const { id } = await bot<Order>('createOrder', SYMBOL, 'market', 'buy', '0.002');
  const order = await eventuallySatisfied(
    () => bot<Order>('fetchOrder', id),
    ({ status }) => status !== 'open',
  );
  expect(order).toMatchObject({ status: 'closed', filled: '0.002000', type: 'market' });
  const fills = await eventuallySatisfied(
    () => bot<Trade[]>('fetchOrderTrades', id, SYMBOL),
    (all) => all.length > 0,
  );
  expect((await bot<Trade[]>('fetchMyTrades', SYMBOL)).map((fill) => fill.order)).toContain(id);
  const sum = (texts: readonly string[]): bigint => texts.reduce((all, text) => all + units(text), 0n);
  expect(sum(fills.map(({ amount }) => amount))).toBe(units('0.002'));
  // The fee of a buy is in the base.
  const fee = sum(fills.map((fill) => fill.fee.cost));
  expect(fills[0]?.fee.currency).toBe('BTC');
  const after = await eventuallySatisfied(
    () => bot<Balance>('fetchBalance'),
    ({ total }) => units(total['BTC']!) - units(before.total['BTC']!) === units('0.002') - fee,
  );
  expect(units(before.total['USDT']!) - units(after.total['USDT']!)).toBe(sum(fills.map(({ cost }) => cost)));
  expect((await bot<Order[]>('fetchClosedOrders', SYMBOL)).map((one) => one.id)).toContain(id);
  await bot('createOrder', SYMBOL, 'market', 'sell', '0.001');
});
/** A decimal text in units of 10⁻¹². */
function units(text: string): bigint {
  const [whole = '0', parts = ''] = text.split('.');
  return BigInt(whole) * 10n ** 12n + BigInt(parts.padEnd(12, '0'));
}

test('stops, post-only, IOC and FOK orders follow their rules, and are listed [API-054]', async () => {
  const place = (side: string, amount: string, price: string | undefined, params: object): Promise<Order> =>
    bot<Order>('createOrder', SYMBOL, price === undefined ? 'market' : 'limit', side, amount, price, params);
  const ended = (id: string): Promise<Order> =>
    eventuallySatisfied(
      () => bot<Order>('fetchOrder', id, SYMBOL),
      ({ status }) => status !== 'open',
    );
  const { asks, bids } = await bot<Book>('fetchOrderBook', SYMBOL, 10);
  const [ask, bid] = [asks[0]![0], bids[0]![0]];
  const times = (price: string, percent: bigint): string =>
    formatUnits((toUnits(price, PRICE_SCALE) * percent) / 100n, PRICE_SCALE);
  const [above, below] = [times(ask, 150n), times(bid, 50n)];
  const stop = await place('buy', '0.001', above, { triggerPrice: above });
  expect(stop).toMatchObject({ status: 'open', type: 'limit', price: above, triggerPrice: above, filled: '0.000000' });
  const stopMarket = await place('sell', '0.001', undefined, { stopPrice: below });
  expect(stopMarket).toMatchObject({ status: 'open', type: 'market', triggerPrice: below });
  const open = (await bot<Order[]>('fetchOpenOrders', SYMBOL)).map(({ id }) => id);
  expect(open).toEqual(expect.arrayContaining([stop.id, stopMarket.id]));
  // One that would be filled at once is none.
  const poster = await place('buy', '0.001', times(ask, 101n), { postOnly: true });
  expect(await ended(poster.id)).toMatchObject({ status: 'canceled', filled: '0.000000', postOnly: true });
  const resting = await place('buy', '0.01', below, { timeInForce: 'PO' });
  expect(await bot<Order>('fetchOrder', resting.id)).toMatchObject({ status: 'open', timeInForce: 'PO' });
  const ioc = await place('buy', '0.01', below, { timeInForce: 'IOC' });
  expect(await ended(ioc.id)).toMatchObject({ status: 'canceled', timeInForce: 'IOC', filled: '0.000000' });
  const fok = await place('buy', '0.001', times(ask, 101n), { timeInForce: 'FOK' });
  expect(await ended(fok.id)).toMatchObject({ status: 'closed', timeInForce: 'FOK', filled: '0.001000' });
  const known = (await bot<Order[]>('fetchOrders', SYMBOL)).map(({ id }) => id);
  expect(known).toEqual(expect.arrayContaining([stop.id, stopMarket.id, resting.id, fok.id]));
  const cancelled = (await bot<Order[]>('cancelAllOrders', SYMBOL)).map(({ id }) => id);
  expect(cancelled).toEqual(expect.arrayContaining([stop.id, stopMarket.id, resting.id]));
});

test('fees, state, deposits, withdrawals and longer candles are those of the exchange [API-055]', async () => {
  const fees = await bot<Record<string, { maker: string; taker: string }>>('fetchTradingFees');
  expect(fees[SYMBOL]).toMatchObject({ maker: expect.stringMatching(/^0\.\d+$/) as unknown, taker: '0.001' });
  expect(await bot('fetchStatus')).toMatchObject({ status: 'ok' });
  const hour = 3_600_000;
  const candles = await bot<[number, string, string, string, string, string][]>(
    'fetchOHLCV',
    SYMBOL,
    '1h',
    undefined,
    3,
  );
  expect(candles.length).toBeGreaterThan(1);
  for (const [index, [time, open, high, low, close]] of candles.entries()) {
    expect([time % hour, time - (candles[0]![0] + index * hour)]).toEqual([0, 0]);
    expect(Number(low)).toBeLessThanOrEqual(Math.min(Number(open), Number(close)));
    expect(Number(high)).toBeGreaterThanOrEqual(Math.max(Number(open), Number(close)));
  }
  // Deposits and withdrawals, by calls of the key's owner.
  const rows = async (path: string): Promise<string[]> => {
    const { message } = (await call('GET', path, { limit: 100 }, { token })).body as unknown as {
      message: { data: { id: string }[] };
    };
    return message.data.map(({ id }) => id);
  };
  for (const [method, path, type] of [
    ['fetchDeposits', '/api/wallet/deposits', 'deposit'],
    ['fetchWithdrawals', '/api/wallet/out_list', 'withdrawal'],
  ] as const) {
    const moved = await bot<{ id: string; type: string; amount: string; currency: string }[]>(method);
    expect(moved.map(({ id }) => id).sort()).toEqual((await rows(path)).sort());
    for (const one of moved) expect([one.type, Number(one.amount) > 0]).toEqual([type, true]);
  }
});

test('several markets are watched by one call [API-053]', async () => {
  const both = [SYMBOL, 'ETH/USDT'];
  const books = new Set<string>();
  await eventuallySatisfied(
    async () => {
      const { symbol } = await bot<{ symbol: string }>('watchOrderBookForSymbols', both, 5);
      return books.add(symbol).size;
    },
    (size) => size === 2,
    20_000,
  );
  const coming = Promise.all([
    bot<Record<string, { last: string }>>('watchTickers', both),
    bot<(Trade & { symbol: string })[]>('watchTradesForSymbols', both),
  ]);
  let isTold = false;
  void coming.finally(() => (isTold = true));
  await eventuallySatisfied(
    async () => {
      await bot('createOrder', SYMBOL, 'market', 'buy', '0.001');
      return isTold;
    },
    (is) => is,
    20_000,
  );
  const [tickers, trades] = await coming;
  for (const [symbol, { last }] of Object.entries(tickers))
    expect([both.includes(symbol), Number(last) > 0]).toEqual([true, true]);
  expect(both).toContain(trades[0]?.symbol);
});

test.each(['bot', 'numbers'])('%s: every declared method answers the structures of ccxt [CLIENT-020]', async (one) => {
  const problems = await ask<Record<string, string[]>>(one, 'structures', SYMBOL);
  expect(Object.entries(problems).filter(([, found]) => found.length > 0)).toEqual([]);
  expect(Object.keys(problems).length).toBeGreaterThan(50);
});

// Nine markets have 99 streams.
test.each([45, 99])('%s streams that a bot opens at once all send a message [CLIENT-021]', async (streams) => {
  const name = `streams ${String(streams)}`;
  await ask(name, 'new', { hostname, apiKey: trading.key, secret: trading.secret });
  await ask(name, 'loadMarkets');
  expect(await ask(name, 'silent', streams, testTimeoutMs(10_000))).toEqual([]);
  await ask(name, 'close');
});

test('refusals are the errors that bots know [API-024]', async () => {
  expect(await classesOf(bot('createOrder', SYMBOL, 'limit', 'buy', '100000', '50000'))).toContain('InsufficientFunds');
  expect(await classesOf(bot('createOrder', SYMBOL, 'limit', 'buy', '0.00001', '1.00'))).toContain('InvalidOrder');
  expect(await classesOf(bot('createOrder', 'NO/PE', 'limit', 'buy', '1', '1'))).toContain('BadSymbol');
  expect(await classesOf(bot('createOrder', SYMBOL, 'limit', 'buy', '1'))).toContain('ArgumentsRequired');
  expect(await classesOf(bot('fetchOrder', '1234567890'))).toContain('OrderNotFound');
  expect(await classesOf(ask('forger', 'fetchBalance'))).toContain('AuthenticationError');
  expect(await classesOf(ask('forger', 'watchOrders'))).toContain('AuthenticationError');
  expect(await classesOf(ask('reader', 'createOrder', SYMBOL, 'limit', 'buy', '0.01', '1000'))).toContain(
    'PermissionDenied',
  );
});

test('an order whose answer was lost is placed once [API-025]', async () => {
  const clientOrderId = randomUUID();
  const order = await ask<Order>('lossy', 'createOrder', SYMBOL, 'limit', 'buy', '0.01', '1001.00', { clientOrderId });
  const open = (await bot<Order[]>('fetchOpenOrders', SYMBOL)).filter(({ price }) => price === '1001.00');
  expect(open.map(({ id }) => id)).toEqual([order.id]);
  await bot('cancelAllOrders', SYMBOL);
  const left = await eventuallySatisfied(
    () => bot<Order[]>('fetchOpenOrders', SYMBOL),
    (orders) => orders.length === 0,
  );
  expect(left).toEqual([]);
});

test('book, ticker, trades and candles come live [API-026]', async () => {
  const book = await bot<Book>('watchOrderBook', SYMBOL, 5);
  expect(Number(book.bids[0]?.[0])).toBeLessThan(Number(book.asks[0]?.[0]));
  expect((await bot<Book>('watchOrderBook', SYMBOL, 5)).nonce).toBeGreaterThan(book.nonce);
  const coming = [
    bot<{ last: string }>('watchTicker', SYMBOL),
    bot<Trade[]>('watchTrades', SYMBOL),
    bot<unknown[][]>('watchOHLCV', SYMBOL, '1m'),
    bot<Trade[]>('watchMyTrades', SYMBOL),
  ] as const;
  let told = false;
  const all = Promise.all(coming).finally(() => (told = true));
  // Trades move all four.
  await eventuallySatisfied(
    async () => {
      await bot('createOrder', SYMBOL, 'market', 'buy', '0.001');
      return told;
    },
    (is) => is,
    20_000,
  );
  const [ticker, trades, candles, mine] = await all;
  expect(ticker.last).toMatch(/^\d+\.\d\d$/);
  expect(trades[0]?.price).toMatch(/^\d+(\.\d+)?$/);
  expect(candles[0]).toHaveLength(6);
  expect(mine[0]?.side).toBe('buy');
});

test('the bot of the documents trades [API-027]', async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [place('../../../../examples/ccxt/demo.mjs'), SYMBOL, '0.001'],
    {
      env: {
        PATH: process.env['PATH'],
        BOURSE_HOST: hostname,
        BOURSE_API_KEY: trading.key,
        BOURSE_API_SECRET: trading.secret,
      },
      timeout: 60_000,
    },
  );
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^BTC\/USDT: [\d.]+ bid, [\d.]+ asked\nOrder \d+ for 0\.001000 at [\d.]+ is open\nTold by the stream: true\nIt is canceled with 0\.000000 filled\nbuy 0\.001000 at [\d.]+ in \d+ fill\(s\): closed\nsell 0\.001000 at [\d.]+ in \d+ fill\(s\): closed\nBTC: .+\nUSDT: .+\n$/,
  );
});
