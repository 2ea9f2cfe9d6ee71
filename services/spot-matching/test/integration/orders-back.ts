import { expect } from '@jest/globals';
import { serviceAsks } from '@bourse/messaging';
import type { SpotBench } from '../spot-bench.js';

/** Number of prices per side with orders. */
const PRICES = 3_000;

/** Puts so many open orders into an empty market, starts the books again, and lets a person take one of them. */
export async function expectOrdersBack(bench: SpotBench, orders: number, person: number): Promise<void> {
  const hash = await bench.test.query<{ sequence: string }>(
    `select sequence from spot.market where symbol = 'ETH/USDT'`,
  );
  expect(hash).toEqual([]);
  await bench.test
    .query(`insert into spot.orders (id, user_id, client_order_id, symbol, pair_id, side, order_type, time_in_force,
      post_only, self_trade, price, stop_price, quantity, held, maker_fee, taker_fee,
      placed_at, updated_at, sequence, cancel_sequence, status, reason, triggered, filled, quote_filled, fee, hold_left)
    select 1000000 + n, 1 + n % 1000, '', 'ETH/USDT', 2, n % 2, 'limit', 0, false, 0,
      case when n % 2 = 0 then 4000 - (n % ${PRICES}) * 0.01 else 4001 + (n % ${PRICES}) * 0.01 end, 0, 1,
      case when n % 2 = 0 then 4000 else 1 end, 0.1, 0.1,
      now(), now(), n, 0, 1, '', false, 0, 0, 0, case when n % 2 = 0 then 4000 else 1 end
      from generate_series(1, ${orders}) n`);
  await bench.test.query(
    `insert into spot.market (symbol, partition, sequence, trade_sequence, last_price, mode, mode_version, at)
      values ('ETH/USDT', 0, ${orders}, 0, 4000, 'normal', 0, now())`,
  );
  await bench.stop();
  await bench.start();
  const view = await bench.ask(serviceAsks.book('spot-matching'), { symbol: 'ETH/USDT', depth: 1 });
  expect([view.bids.length, view.asks]).toEqual([1, [['4001.01', String(Math.ceil(orders / PRICES))]]]);
  const price = { legal_id: '3', currency_id: '2', type: '1', target_price: '4001.01', amount: '1' };
  await expect(bench.place(person, price)).resolves.toBeDefined();
}
