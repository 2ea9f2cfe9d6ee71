import { expect, jest, test } from '@jest/globals';
import { inProcess as run } from './in-process.js';

jest.setTimeout(60_000);

/* The driver's structures by the rules of ccxt, and the rules by structures that break them. */

const ITEM = {
  ...{ symbol: 'BTC/USDT', now_price: '105.00', change: '5.00', volume: '3.000000', quote_volume: '309.00000000' },
  ...{ high: '106.00', low: '101.00', bid: '104.90', ask: '105.10', ts: 1_767_225_600_000 },
};

test('a ticker is one with itself: open, change, percentage, volumes and best prices [CLIENT-014]', async () => {
  expect(
    await run(`
const item = ${JSON.stringify(ITEM)};
for (const number of [String, Number]) {
  const { exchange } = await counted();
  exchange.number = number;
  exchange.setMarkets(await exchange.fetchMarkets());
  const context = { symbol: 'BTC/USDT', now: item.ts };
  const tickers = [
    exchange.parseTicker(item),
    exchange.parseTicker({ ...item, yesterday: '100.01' }),
    exchange.parseTicker({ ...item, change: '0.00' }),
    exchange.parseTicker({ ...item, change: '-50.00' }),
  ];
  const problems = (ticker) => problemsOf(exchange, 'ticker', ticker, context);
  told[number.name] = tickers.map((ticker) => [ticker.open, ticker.low, ticker.high, problems(ticker)]);
  const { bid, ask, quoteVolume, timestamp, percentage } = tickers[0];
  told[number.name].push([bid, ask, quoteVolume, timestamp, Number(percentage)]);
}
`),
  ).toEqual({
    String: [
      ['100', '100', '106.00', []],
      ['100.01', '100.01', '106.00', []],
      ['105', '101.00', '106.00', []],
      ['210', '101.00', '210', []],
      ['104.90', '105.10', '309.00000000', ITEM.ts, 5],
    ],
    Number: [
      [100, 100, 106, []],
      [100.01, 100.01, 106, []],
      [105, 101, 106, []],
      [210, 101, 210, []],
      [104.9, 105.1, 309, ITEM.ts, 5],
    ],
  });
});

test('orders, fills and movements of money are right, their fees numbers of the bot [CLIENT-014]', async () => {
  expect(
    await run(`
for (const number of [String, Number]) {
  const { exchange } = await counted();
  exchange.number = number;
  const at = 1_767_225_600_000;
  const filled = { filled_amount: '1.000000', trade_price: '2.00', fee: '0.00100000', status: 2 };
  const orders = [orderRow(1, at), orderRow(2, at, filled), orderRow(3, at, { ...filled, order_type: 'market' })];
  const entries = [
    ...orders.map((row) => ['order', exchange.parseOrder(row)]),
    ['trade', exchange.parseTrade(fillRow(1, at))],
    ['transaction', exchange.parseTransaction({ ...movedRow(1, at), kind: 'withdrawal' })],
    ['transaction', exchange.parseTransaction({ ...movedRow(1, at, { fee: undefined }), kind: 'deposit' })],
  ];
  told[number.name] = entries.flatMap(([kind, entry]) => problemsOf(exchange, kind, entry, { now: at }));
  told['fees of ' + number.name] = entries.map(([, { fee }]) => fee.cost);
}
`),
  ).toEqual({
    String: [],
    'fees of String': ['0.00000000', '0.00100000', '0.00100000', '0.00100000', '1.00000000', '0'],
    Number: [],
    'fees of Number': [0, 0.001, 0.001, 0.001, 1, 0],
  });
});

test('the rules of ccxt find each structure that breaks them [CLIENT-020]', async () => {
  expect(
    await run(`
const { exchange } = await counted();
const at = 1_767_225_600_000;
const context = { symbol: 'BTC/USDT', now: at };
const broken = (kind, entry, ...changes) =>
  changes.filter((change) => problemsOf(exchange, kind, { ...entry, ...change }, context).length === 0);
const ticker = exchange.parseTicker(${JSON.stringify(ITEM)});
const [figures, best] = [[{ open: '90' }, { percentage: '7' }, { last: '1' }], [{ ask: '1' }, { quoteVolume: '900' }]];
told.ticker = broken('ticker', ticker, ...figures, ...best);
const placed = exchange.parseOrder(orderRow(1, at));
told.order = broken(
  'order',
  placed,
  { fee: { cost: 0.1, currency: 'BTC' } },
  { fee: { cost: '1', currency: 'NONE' } },
  { remaining: '5' },
  { side: 'hold' },
  { timestamp: at / 1_000 },
  { timestamp: at + 999_999 },
  { status: undefined },
);
const trade = exchange.parseTrade(fillRow(1, at));
const others = [{ datetime: 'x' }, { symbol: 'ETH/USDT' }];
told.trade = broken('trade', trade, { price: 2 }, { fee: undefined }, { cost: '3.0' }, ...others);
const [nine, eight] = [['9', '1'], ['8', '1']];
const book = { symbol: 'BTC/USDT', bids: [nine, eight], asks: [['10', '1']], nonce: 1, timestamp: at };
book.datetime = exchange.iso8601(at);
told.right = problemsOf(exchange, 'book', book, context);
const sides = [{ asks: [[10, '1']] }, { bids: [['9', '0']] }];
told.book = broken('book', book, { bids: [eight, nine] }, { asks: [nine] }, ...sides);
const rows = [2, 1].map((number) => exchange.parseTrade(fillRow(number, at + number)));
told.order_of_time = problemsOfAll(exchange, 'trade', rows, { now: at }).length;
const market = exchange.market('BTC/USDT');
const sweep = [tradeRow(1, at, { price: '3.00' }), tradeRow(2, at)].map((row) => exchange.parseTrade(row, market));
told.sweep = problemsOfAll(exchange, 'trade', sweep, { now: at, isPublic: true }).length;
told.nothing = problemsOf(exchange, 'order', undefined).length;
`),
  ).toEqual({
    ...{ ticker: [], order: [], trade: [], right: [], book: [], order_of_time: 1, sweep: 1, nothing: 1 },
  });
});

test('fees are those of the fee level, with no or an empty key those of the pairs [CLIENT-261]', async () => {
  expect(
    await run(`
const { exchange } = await counted();
let asked = 0;
exchange.privateGetUserFeeLevel = () => {
  asked += 1;
  return Promise.resolve({ message: { maker_percent: '33', taker_percent: '95' } });
};
for (const key of ['key', '', undefined]) {
  exchange.apiKey = key;
  const { maker, taker } = (await exchange.fetchTradingFees())['BTC/USDT'];
  told[String(key)] = [maker, taker, asked];
}
`),
  ).toEqual({ key: ['0.00033', '0.00095', 1], '': ['0.001', '0.001', 1], undefined: ['0.001', '0.001', 1] });
});
