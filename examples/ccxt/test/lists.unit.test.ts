import { expect, jest, test } from '@jest/globals';
import { inProcess as run } from './in-process.js';

jest.setTimeout(60_000);

/* Lists of the driver: their results and order by since, limit and until. */

const LISTS = [
  ...['fetchTrades', 'fetchMyTrades', 'fetchOrders', 'fetchOpenOrders', 'fetchClosedOrders'],
  ...['fetchDeposits', 'fetchWithdrawals'],
];

test.each(LISTS)('%s answers all that is there since a moment, the oldest first [CLIENT-010]', async (method) => {
  expect(
    await run(`
// Numbers of two and three digits within one second, and times that differ by one millisecond.
const times = Array.from({ length: 105 }, (_, index) => 1_767_225_600_000 + Math.floor(index / 4));
const { numbers, fetch } = reader('${method}', times, 95);
const at = times[0];
told.all = await numbers(at);
told.first = await numbers(at, 10);
told.newest = await numbers(undefined, 10);
told.until = await numbers(at, undefined, { until: at + 1 });
told.last = await numbers(undefined, 2, { until: at + 1 });
told.after = await numbers(times.at(-1) + 1);
told.within = await numbers(at + 1, 3, { until: at + 1 });
told.times = (await fetch(at + 0.5, 1)).map(({ timestamp, datetime }) => [timestamp - at, datetime]);
`),
  ).toEqual({
    all: range(95, 199),
    first: range(95, 104),
    newest: range(190, 199),
    until: range(95, 102),
    last: [101, 102],
    after: [],
    within: range(99, 101),
    times: [[1, '2026-01-01T00:00:00.001Z']],
  });
});
function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

test.each(LISTS)(
  'the loop by time of ccxt reads every row of %s once, whatever falls together [CLIENT-011]',
  async (m) => {
    expect(
      await run(`
// Groups of one to 37 rows in one millisecond: no page ends with all of them.
const times = [];
for (let size = 1; times.length < 105; size += 7) for (let row = 0; row < size; row += 1) times.push(1_000 + size);
times.length = 105;
const { fetch } = reader('${m}', times);
for (const limit of [1, 10, 20, 100]) {
  const got = [];
  for (let since = 1; ; ) {
    const rows = await fetch(since, limit);
    if (rows.length === 0) break;
    if (rows.length > limit) throw new Error('more than were asked for');
    got.push(...rows.map(({ id }) => Number(id.split('-').at(-1))));
    since = rows.at(-1).timestamp + 1;
  }
  told[limit] = [got.length, got.every((number, index) => number === index + 1)];
}
`),
    ).toEqual({ 1: [105, true], 10: [105, true], 20: [105, true], 100: [105, true] });
  },
);

test('a list is read to its end, also where one millisecond holds more than a page [CLIENT-010]', async () => {
  expect(
    await run(`
const at = 1_767_225_600_000;
const times = [...Array(30).fill(at), ...Array(350).fill(at + 1), ...Array(230).fill(at + 2)];
for (const method of listMethods) {
  const { numbers } = reader(method, times);
  const got = [await numbers(at), await numbers(undefined, 500), await numbers(at + 1, 380)];
  told[method] = got.map((all) => [all.length, all[0], all.at(-1), all.every((one, index) => one === all[0] + index)]);
}
`),
  ).toEqual(
    Object.fromEntries(
      LISTS.map((method) => [
        method,
        [
          [610, 1, 610, true],
          [500, 111, 610, true],
          [380, 31, 410, true],
        ],
      ]),
    ),
  );
});

test('an invalid time, count or timeframe is refused without a call [CLIENT-012]', async () => {
  expect(
    await run(`
told.refused = {};
for (const method of listMethods) {
  const { asked, fetch } = reader(method, [1, 2, 3]);
  const tries = [['2026-01-01'], [new Date(0)], [-1], [undefined, 0], [undefined, -5], [undefined, 1.5]];
  const names = [];
  for (const args of tries) names.push(await nameOf(fetch(...args)));
  names.push(await nameOf(fetch(undefined, undefined, { until: 'now' })));
  told.refused[method] = [new Set(names).size, names[0], asked.length];
}
const { exchange } = reader('fetchTrades', []);
told.book = await nameOf(exchange.fetchOrderBook('BTC/USDT', -1));
told.candles = await nameOf(exchange.fetchOHLCV('BTC/USDT', '2m'));
told.watch = await nameOf(exchange.watchOHLCV('BTC/USDT', '2m'));
`),
  ).toEqual({
    refused: Object.fromEntries(LISTS.map((method) => [method, [1, 'BadRequest', 0]])),
    book: 'BadRequest',
    candles: 'BadRequest',
    watch: 'BadRequest',
  });
});

test('candles begin with the first that opens at since or later, months by the calendar [CLIENT-013]', async () => {
  expect(
    await run(`
const { exchange } = bot({});
const at = (text) => Date.parse(text);
let asked;
exchange.publicGetCurrencyNewTimeshar = ({ period, from, to }) => {
  asked = [period, ...[from, to].map((second) => new Date(second * 1_000).toISOString().slice(0, 16))];
  const step = period === '1mon' ? undefined : { '1min': 60, '60min': 3_600, '1day': 86_400, '1week': 604_800 }[period];
  const data = [];
  const start = new Date(from * 1_000);
  for (let index = 0; ; index += 1) {
    const month = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + index);
    const time = step === undefined ? month : (from + index * step) * 1_000;
    if (time > to * 1_000) break;
    data.push({ time, open: 1, high: 1, low: 1, close: 1, volume: 0 });
  }
  return Promise.resolve({ data });
};
exchange.milliseconds = () => at('2026-11-27T12:34:56Z');
const ask = async (timeframe, since, limit, params) => {
  asked = undefined;
  const candles = await exchange.fetchOHLCV('BTC/USDT', timeframe, since && at(since), limit, params);
  return [candles.length, ...(asked ?? [])];
};
told.months = [
  await ask('1M', '2026-07-02T00:00Z', 3),
  await ask('1M', '2026-07-01T00:00Z', 3),
  await ask('1M', '2026-01-31T12:00Z', 20),
  await ask('1M', undefined, 13),
];
told.weeks = [await ask('1w', '2026-11-10T00:00Z', 2), await ask('1w', undefined, 2)];
told.days = [
  await ask('1d', '2026-11-20T00:00Z', 1_500),
  await ask('1d', undefined, 2, { until: at('2026-11-03T00:00Z') }),
];
told.minutes = [
  await ask('1m', '2026-11-27T12:30:01Z', 2),
  await ask('1m', '2026-11-27T13:00Z', 2),
  await ask('1m', undefined, 9_999),
];
`),
  ).toEqual({
    months: [
      [3, '1mon', '2026-08-01T00:00', '2026-10-01T00:00'],
      [3, '1mon', '2026-07-01T00:00', '2026-09-01T00:00'],
      [10, '1mon', '2026-02-01T00:00', '2026-11-01T00:00'],
      [13, '1mon', '2025-11-01T00:00', '2026-11-01T00:00'],
    ],
    weeks: [
      [2, '1week', '2026-11-16T00:00', '2026-11-23T00:00'],
      [2, '1week', '2026-11-16T00:00', '2026-11-23T00:00'],
    ],
    days: [
      [8, '1day', '2026-11-20T00:00', '2026-11-27T00:00'],
      [2, '1day', '2026-11-02T00:00', '2026-11-03T00:00'],
    ],
    minutes: [
      [2, '1min', '2026-11-27T12:31', '2026-11-27T12:32'],
      [0],
      [1_500, '1min', '2026-11-26T11:35', '2026-11-27T12:34'],
    ],
  });
});
