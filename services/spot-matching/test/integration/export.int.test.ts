import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import { readFields } from '@bourse/platform';
import { testTimeoutMs } from '@bourse/testing';
import { PostgresOrderReads } from '../../src/adapters/persistence/postgres-order-reads.js';
import { SpotDatabase } from '../../src/adapters/persistence/spot-database.js';
import { Markets } from '../../src/application/markets.js';
import { FillListQuery, OrderExportQuery, OrderListQuery } from '../../src/application/order-fields.js';
import { SpotBench } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
const USER = 310_001;
/** More than two pieces, with several rows in each millisecond. */
const ROWS = 1_200;
const START = Date.UTC(2026, 0, 1);
const [ETH, LTC] = ['ETH/USDT', 'LTC/USDT'].map((symbol) => SEED_PAIRS.find((pair) => pair.symbol === symbol)!);

let bench: SpotBench;
async function collect<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}
/** Stores `count` filled orders from the number `first` on: seven in each ms, half of them with microseconds. */
const storeOrders = (first: number, count: number, at: number): Promise<unknown> =>
  bench.test.query(
    `insert into spot.orders (id, user_id, client_order_id, symbol, pair_id, side, order_type, time_in_force, post_only,
        self_trade, price, stop_price, quantity, held, maker_fee, taker_fee, placed_at, updated_at, sequence,
        cancel_sequence, status, reason, triggered, filled, quote_filled, fee, hold_left)
      select 1000000 + (n * 7919) % 1000003, $1, '-c' || n, $2, $3, n % 2, 'limit', 0, false, 0, 3000 + n, 0, 0.5, 0.5,
        0.1, 0.1, at, at, 1000000 + n, 0, 2, '', false, 0.5, 1500, 0.5, 0
      from (select n, to_timestamp(($6::bigint + (n - $4) / 7) / 1000.0) + interval '1 us' * (n % 2) as at
        from generate_series($4::int, $4::int + $5::int - 1) n) placed`,
    [USER, ETH!.symbol, ETH!.id, first, count, at],
  );
/** Stores trades in which the person is the buyer and the seller by turns; every fiftieth is with themselves. */
const storeTrades = (first: number, count: number, at: number): Promise<unknown> =>
  bench.test.query(
    `insert into spot.trades (symbol, sequence, pair_id, price, quantity, quote, taker_side, buyer_id, seller_id,
        buy_order_id, sell_order_id, buyer_fee, seller_fee, at)
      select case n % 3 when 0 then $2 else $8 end, 1000000 + n, case n % 3 when 0 then $3::int else $7::int end,
        60 + n, 0.25, 15, n % 2, case when n % 2 = 0 or n % 50 = 1 then $1 else 7 end,
        case when n % 2 = 1 then $1 else 8 end, 2 * n, 2 * n + 1, 0.01, 0.02,
        to_timestamp(($6::bigint + (n - $4) / 7) / 1000.0) + interval '1 us' * (n % 2)
      from generate_series($4::int, $4::int + $5::int - 1) n`,
    [USER, ETH!.symbol, ETH!.id, first, count, at, LTC!.id, LTC!.symbol],
  );
/** Reads over a database on which `between` runs after each of the first statements. */
function readsWith(between: (reading: number) => Promise<unknown>): PostgresOrderReads {
  let reading = 0;
  const database = new Proxy(bench.app.get(SpotDatabase), {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return async (...args: Parameters<SpotDatabase['query']>) => {
        const rows = await target.query(...args);
        reading += 1;
        if (reading <= 3) await between(reading);
        return rows;
      };
    },
  });
  return new PostgresOrderReads(database, bench.app.get(Markets));
}
const csvOf = async (fields: Readonly<Record<string, string>>): Promise<string[][]> => {
  const pieces = await collect(bench.lists.csv(USER, readFields(OrderExportQuery, fields)));
  return pieces
    .join('')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));
};

beforeAll(async () => {
  bench = await SpotBench.create();
  await storeOrders(1, ROWS, START);
  await storeTrades(1, ROWS, START);
});
afterAll(() => bench?.end());

test('a file has each order once that was there at its start, and none that is placed later [SPOT-271]', async () => {
  const before = await bench.test.query<{ id: string }>(
    'select id from spot.orders where user_id = $1 order by placed_at, id',
    [USER],
  );
  const reads = readsWith(async (reading) => {
    await storeOrders(10_000 * reading, 20, START + 60_000);
    // Amends give orders of both ends of the file a new place in time, but not in the file.
    await bench.test.query(
      'update spot.orders set sequence = sequence + 5000000, updated_at = now() where user_id = $1 and id = any($2)',
      [USER, [before[reading]?.id, before.at(-reading)?.id]],
    );
  });
  const pieces = await collect(reads.allOrders(USER, {}));
  expect(pieces.map((piece) => piece.length)).toEqual([500, 500, 200]);
  expect(pieces.flat().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('a file has each trade of both sides once that was there at its start, and no later one [SPOT-271]', async () => {
  const before = await bench.test.query<{ symbol: string; sequence: string }>(
    'select symbol, sequence from spot.trades where buyer_id = $1 or seller_id = $1 order by at, sequence, symbol',
    [USER],
  );
  const reads = readsWith((reading) => storeTrades(10_000 * reading, 20, START + 60_000));
  const fills = (await collect(reads.allFills(USER, {}))).flat();
  expect(fills.map(({ symbol, sequence }) => `${symbol}-${sequence}`)).toEqual(
    before.map(({ symbol, sequence }) => `${symbol}-${sequence}`),
  );
  expect(fills).toHaveLength(ROWS);
});

test('a file has the rows of its list with the same texts, by pair and period [SPOT-270]', async () => {
  const period = { from: String(START + 20), to: String(START + 40), legal_id: String(ETH!.legalId) };
  const orders = await bench.lists.list(
    USER,
    readFields(OrderListQuery, { ...period, currency: String(ETH!.currencyId), limit: '100', order: 'asc' }),
  );
  const trades = await bench.lists.fills(
    USER,
    readFields(FillListQuery, { ...period, currency_id: String(ETH!.currencyId), limit: '100', order: 'asc' }),
  );
  const [orderRows, tradeRows] = [
    await csvOf({ kind: 'orders', ...period, currency_id: String(ETH!.currencyId) }),
    await csvOf({ kind: 'trades', ...period, currency_id: String(ETH!.currencyId) }),
  ];
  expect([orders.data.length, orders.total]).toEqual([100, 143]);
  expect(orderRows).toHaveLength(143);
  const byId = new Map(orderRows.map((row) => [row[1], row]));
  for (const order of orders.data)
    expect(byId.get(order.id)?.slice(2, 12)).toEqual([
      `'${order.client_order_id}`,
      ...[order.symbol, order.type === 1 ? 'buy' : 'sell', order.order_type, order.time_in_force],
      ...[order.target_price, order.stop_price, order.trade_amount, order.filled_amount, order.trade_price],
    ]);
  expect(trades.total).toBe(tradeRows.length);
  expect(tradeRows).toEqual(
    trades.data.map((fill) => [
      ...[new Date(fill.ts).toISOString(), fill.id, fill.order_id, fill.symbol, fill.type === 1 ? 'buy' : 'sell'],
      ...[fill.price, fill.number, fill.total, fill.fee, fill.fee_currency, fill.role],
    ]),
  );
  expect(await csvOf({ kind: 'orders', status: '1' })).toEqual([]);
});
