import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import { Refused } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { PostgresBookCheckpoints } from '../../src/adapters/persistence/postgres-book-checkpoints.js';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { PlainBook } from '@bourse/matching';
import { BTC, SpotBench, USDT, type Fields } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
const trailing = (user: number, fields: Fields): Promise<SpotOrder> =>
  bench.placed(user, { type: '2', order_type: 'trailing_stop', amount: '0.01', ...fields });
const triggerOf = async (user: number, { id }: SpotOrder): Promise<[string, unknown]> => {
  const { stop_price: price, trail_active: active } = await bench.order(user, id);
  return [price, active];
};
const replay = (): Promise<{ equal: boolean }> =>
  replayMarket(
    { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
    'BTC/USDT',
    () => new PlainBook(),
  );

beforeAll(async () => {
  bench = await SpotBench.create(3);
  await bench.tradeAt('50000');
});
afterAll(async () => {
  await bench.end();
});

test('a trailing stop follows the trades, also over a restart, and starts as a market order [SPOT-262]', async () => {
  const [user, other] = [bench.person(), bench.person()];
  const sell = await trailing(user, { trail_percent: '2' });
  expect(sell).toMatchObject({
    ...{ order_type: 'trailing_stop', status: 1, stop_price: '49000.00', target_price: '0.00', triggered: 0 },
    ...{ trail_percent: '2.00', trail_amount: '0.00', activation_price: '0.00', trail_active: 1 },
  });
  // A buy holds its cost at the highest trigger that it can have, plus the band.
  const buy = await trailing(user, { type: '1', trail_amount: '3000', activation_price: '49500' });
  expect(buy).toMatchObject({ stop_price: '0.00', activation_price: '49500.00', trail_active: 0 });
  expect(bench.state.available(user, USDT)).toBe('99448.75000000');
  expect(bench.state.available(user, BTC)).toBe('1.99000000');
  await bench.tradeAt('52000');
  await bench.tradeAt('51500');
  expect(await triggerOf(user, sell)).toEqual(['50960.00', 1]);
  expect(await triggerOf(user, buy)).toEqual(['0.00', 0]);
  await bench.explained();
  await bench.app.get(PostgresBookCheckpoints).take();
  await bench.restart();
  expect(await triggerOf(user, sell)).toEqual(['50960.00', 1]);
  await bench.tradeAt('53000');
  expect(await triggerOf(user, sell)).toEqual(['51940.00', 1]);
  // A trade at the trigger starts it against the bid that is there.
  const bid = await bench.buy(other, '51000', '0.01');
  await bench.tradeAt('51940');
  const sold = await eventually(async () => {
    const now = await bench.order(user, sell.id);
    return now.status === 2 && now;
  });
  expect(sold).toMatchObject({
    filled_amount: '0.010000',
    trade_price: '51000.00',
    triggered: 1,
    stop_price: '51940.00',
  });
  expect((await bench.order(other, bid.id)).status).toBe(2);
  // The buy is activated at a lower price than its activation price, and trails downwards from there.
  await bench.tradeAt('49000');
  expect(await triggerOf(user, buy)).toEqual(['52000.00', 1]);
  await bench.tradeAt('48000');
  await bench.tradeAt('48500');
  await bench.restart();
  expect(await triggerOf(user, buy)).toEqual(['51000.00', 1]);
  await bench.explained();
  expect((await replay()).equal).toBe(true);
  await bench.cancel(user, buy.id);
  expect(await bench.order(user, buy.id)).toMatchObject({ cancel_reason: 'user', stop_price: '51000.00' });
  await bench.quiet();
  expect(bench.state.available(user, BTC)).toBe('1.99000000');
  // A replay from a checkpoint begins with the triggers of its moment.
  const streams = await bench.test.query<{ positions: Record<string, number> }>(
    `select positions from spot.checkpoint where symbol = 'BTC/USDT'`,
  );
  for (const [stream, number] of Object.entries(streams[0]?.positions ?? {}))
    await bench.test.query('delete from ledger.outbox where stream = $1 and number < $2', [stream, number]);
  const again = await replay();
  expect(again).toMatchObject({ equal: true, rebuilt: { stuck: null } });
  expect(again).not.toMatchObject({ checkpoint: null });
});

test.each<[string, Fields, string, string]>([
  ['without a trail', {}, 'trade.trail', 'trail_percent'],
  ['with both trails', { trail_percent: '1', trail_amount: '10' }, 'trade.trail', 'trail_amount'],
  ['below the least percentage', { trail_percent: '0.09' }, 'trade.trail', 'trail_percent'],
  ['above the largest percentage', { trail_percent: '20.01' }, 'trade.trail', 'trail_percent'],
  ['with three decimals of a percentage', { trail_percent: '1.001' }, 'trade.trail', 'trail_percent'],
  ['with a part of a tick', { trail_amount: '1.001' }, 'trade.priceScale', 'trail_amount'],
  ['with a trail of the whole price', { trail_amount: '60000' }, 'trade.trail', 'trail_amount'],
  [
    'with an activation price below',
    { trail_percent: '1', activation_price: '100' },
    'trade.activationPrice',
    'activation_price',
  ],
  [
    'with an activation price of 0',
    { trail_percent: '1', activation_price: '0' },
    'trade.activationPrice',
    'activation_price',
  ],
  ['with a stop price', { trail_percent: '1', stop_price: '100' }, 'trade.flags', 'stop_price'],
  ['with an exit', { trail_percent: '1', take_profit: '100' }, 'trade.flags', 'take_profit'],
  ['post-only', { trail_percent: '1', post_only: '1' }, 'trade.flags', 'post_only'],
  [
    'as a limit with a trail',
    { order_type: 'limit', target_price: '90000', trail_percent: '1' },
    'trade.flags',
    'trail_percent',
  ],
])('a trailing stop %s is refused [SPOT-263]', async (_what, fields, key, field) => {
  await expect(trailing(bench.person(), fields)).rejects.toMatchObject({ key, options: { field } });
});

test('an amend of a trailing stop is refused without a trade [SPOT-264]', async () => {
  const user = bench.person();
  const order = await trailing(user, { trail_percent: '20' });
  const amended = bench.amend(user, { id: order.id, amount: '0.02' });
  await expect(amended).rejects.toBeInstanceOf(Refused);
  await expect(amended).rejects.toMatchObject({ key: 'trade.trailing' });
  expect((await bench.order(user, order.id)).trade_amount).toBe('0.010000');
});
