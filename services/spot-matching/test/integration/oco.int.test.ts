import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { OrderOutcome, SpotOrder } from '@bourse/contract';
import { readFields } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { CancelOrders } from '../../src/application/cancel-orders.js';
import { CancelAllBody, OrderBatchBody } from '../../src/application/order-fields.js';
import { OrderBatch } from '../../src/application/order-batch.js';
import { OrderReads } from '../../src/application/ports.js';
import { PlainBook } from '@bourse/matching';
import { BTC, SpotBench, USDT, refusal, type Fields } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
const available = (user: number): readonly string[] => [
  bench.state.available(user, USDT),
  bench.state.available(user, BTC),
];
const SELL: Fields = { type: '2', target_price: '52000', stop_price: '48000', amount: '0.1' };
/** The exits of an order, by the time they are in their book. */
const exitsOf = (user: number, parent: SpotOrder, count: number): Promise<SpotOrder[]> =>
  eventually(async () => {
    const { rows } = await bench.app.get(OrderReads).list(user, { status: 1 }, 0, 20);
    const own = rows.filter(({ parentId }) => parentId === parent.id);
    return own.length === count && Promise.all(own.map(({ id }) => bench.order(user, id)));
  }, 20_000) as Promise<SpotOrder[]>;

beforeAll(async () => {
  bench = await SpotBench.create(3, 2);
  await bench.tradeAt('50000');
});
afterAll(async () => {
  await bench.end();
});

describe('an OCO pair', () => {
  test('has one hold, the larger of its two needs, and both legs name each other [SPOT-245]', async () => {
    const user = bench.person();
    const [limit, stop] = await bench.pairPlaced(user, SELL);
    expect(limit).toMatchObject({ order_type: 'limit', target_price: '52000.00', link_id: stop.id, status: 1 });
    expect(stop).toMatchObject({ order_type: 'stop_market', stop_price: '48000.00', link_id: limit.id, status: 1 });
    expect(available(user)).toEqual(['100000.00000000', '1.90000000']);
    const buy = { type: '1', target_price: '48000', stop_price: '51000', stop_limit_price: '51500', amount: '0.1' };
    const [, stopBuy] = await bench.pairPlaced(user, { ...buy, client_order_id: 'pair-1' });
    expect(stopBuy).toMatchObject({ order_type: 'stop_limit', target_price: '51500.00', client_order_id: '' });
    expect(available(user)).toEqual(['94850.00000000', '1.90000000']);
    await bench.explained();
    // The auditor finds a hold that is not the larger need, and a leg whose other one is not there.
    for (const wrong of ['held = held + 1, hold_left = hold_left + 1', 'filled = 0.01, hold_left = held - 0.01']) {
      const kept = await bench.test.query<{ held: string; left: string }>(
        'select held, hold_left as left from spot.orders where id = $1',
        [stopBuy.link_id],
      );
      await bench.test.query(`update spot.orders set ${wrong} where id = $1`, [stopBuy.link_id]);
      await expect(bench.explained()).rejects.toThrow(/which is not what it needs/);
      await bench.test.query('update spot.orders set held = $2, hold_left = $3, filled = 0 where id = $1', [
        stopBuy.link_id,
        kept[0]?.held,
        kept[0]?.left,
      ]);
    }
    await bench.explained();
    // Both pairs, both legs of each.
    const all = await bench.app.get(CancelOrders).all(user, readFields(CancelAllBody, {}), bench.context());
    expect(all.extra['ids']).toHaveLength(4);
    await bench.explained();
    expect(available(user)).toEqual(['100000.00000000', '2.00000000']);
    expect((await bench.order(user, stopBuy.link_id)).cancel_reason).toMatch(/^(user|oco)$/);
  });

  test('is settled once: by a part of its limit leg, or by the start of its stop leg [SPOT-246]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    const [limit, stop] = await bench.pairPlaced(user, SELL);
    await bench.buy(other, '52000', '0.04');
    await eventually(async () => (await bench.order(user, stop.id)).status === 2);
    expect(await bench.order(user, stop.id)).toMatchObject({ cancel_reason: 'oco', filled_amount: '0.000000' });
    expect(await bench.order(user, limit.id)).toMatchObject({ status: 1, filled_amount: '0.040000' });
    await bench.explained();
    await bench.cancel(user, limit.id);
    // A stop limit that does not trade at once keeps the hold that it has taken.
    const [, second] = await bench.pairPlaced(user, { ...SELL, target_price: '53000', stop_limit_price: '49500' });
    await bench.tradeAt('47000');
    await eventually(async () => (await bench.order(user, second.id)).triggered === 1);
    expect(await bench.order(user, second.id)).toMatchObject({ status: 1, filled_amount: '0.000000' });
    expect(await bench.order(user, second.link_id)).toMatchObject({ status: 2, cancel_reason: 'oco' });
    await bench.explained();
    await bench.restart();
    await bench.explained();
    await bench.cancel(user, second.id);
    await bench.tradeAt('50000');
    await bench.explained();
    expect(bench.state.available(user, BTC)).toBe('1.96000000');
  });

  test.each<[string, Fields, string, string]>([
    ['a limit below the last price', { target_price: '49000' }, 'trade.ocoSide', 'target_price'],
    ['a stop above the last price', { stop_price: '51000' }, 'trade.stopPrice', 'stop_price'],
    ['no stop', { stop_price: '' }, 'common.fieldRequired', 'stop_price'],
    ['a stop of nothing', { stop_price: '0' }, 'trade.stopPrice', 'stop_price'],
    ['no limit', { target_price: '0' }, 'cuy.psPrice', 'target_price'],
    ['a stop limit that is none', { stop_limit_price: '0' }, 'cuy.psPrice', 'stop_limit_price'],
    ['a stop limit with too many decimals', { stop_limit_price: '1.001' }, 'trade.priceScale', 'stop_limit_price'],
    ['less than the least total', { amount: '0.00001' }, 'quantity.rule', 'amount'],
  ])('is refused for %s, and holds nothing [SPOT-247]', async (_, fields, key, field) => {
    const user = bench.person();
    expect(await refusal(bench.pair(user, { ...SELL, ...fields }))).toMatchObject({ key, field });
    expect(available(user)).toEqual(['100000.00000000', '2.00000000']);
  });

  test('is placed once under a key, in a batch too, and its legs are not amended [SPOT-248]', async () => {
    const user = bench.person();
    const key = bench.context('pair-once');
    const first = await bench.pair(user, SELL, key);
    const { id, link_id: stopId } = first.extra['order'] as SpotOrder;
    expect((await bench.pair(user, SELL, key)).extra['id']).toBe(id);
    await eventually(() => bench.app.get(OrderReads).byId(user, stopId), 20_000);
    for (const leg of [id, stopId])
      expect(await refusal(bench.amend(user, { id: leg, amount: '0.05' }))).toMatchObject({
        key: 'trade.linked',
        field: undefined,
      });
    expect(available(user)).toEqual(['100000.00000000', '1.90000000']);
    expect(await refusal(bench.pair(user, { ...SELL, amount: '9' }))).toMatchObject({ key: 'balance.insufficient' });
    const item = { op: 'oco', legal_id: USDT, currency_id: BTC, ...SELL };
    const body = readFields(OrderBatchBody, { items: JSON.stringify([item, { op: 'cancel', id: stopId }]) });
    const [placed, cancelled] = (await bench.app.get(OrderBatch).batch(user, body, bench.context()))
      .message as OrderOutcome[];
    expect([placed?.key, cancelled?.key]).toEqual(['trade.success', 'trade.cancelled']);
    expect(placed?.stop_order?.link_id).toBe(placed?.id);
    expect(await bench.order(user, id)).toMatchObject({ status: 2, cancel_reason: 'oco' });
    await bench.explained();
    await bench.cancel(user, placed?.id ?? '');
    await bench.explained();
    expect(available(user)).toEqual(['100000.00000000', '2.00000000']);
  });
});

describe('an order with its exits', () => {
  const EXITS: Fields = { take_profit: '55000', stop_loss: '45000' };

  test('places them as a pair for its fills after the fee [SPOT-249]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    const parent = await bench.buy(user, '50000', '0.1', EXITS);
    expect(parent).toMatchObject({ take_profit: '55000.00', stop_loss: '45000.00', parent_id: '' });
    await bench.sell(other, '50000', '0.04');
    await eventually(async () => (await bench.order(user, parent.id)).filled_amount === '0.040000');
    // Nothing before it is done; then for the part that was filled, less 0.1 % of it.
    await bench.cancel(user, parent.id);
    const exits = await exitsOf(user, parent, 2);
    expect(exits.map(({ order_type: type }) => type).sort()).toEqual(['limit', 'stop_market']);
    for (const exit of exits) expect(exit).toMatchObject({ type: 2, trade_amount: '0.039960', parent_id: parent.id });
    expect(exits[0]?.link_id).toBe(exits[1]?.id);
    await bench.explained();
    expect(available(user)).toEqual(['98000.00000000', '2.00000000']);
    await bench.cancel(user, exits[0]?.id ?? '');
    await bench.explained();
    expect(bench.state.available(user, BTC)).toBe('2.03996000');
  });

  test('places a single exit; a sell buys back the sold amount [SPOT-249]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    await bench.buy(other, '50000', '0.1');
    const market = await bench.placed(user, { type: '2', order_type: 'market', amount: '0.1', take_profit: '40000' });
    const [exit] = await exitsOf(user, market, 1);
    expect(exit).toMatchObject({ type: 1, order_type: 'limit', target_price: '40000.00', trade_amount: '0.100000' });
    expect(exit?.link_id).toBe('');
    await bench.explained();
    await bench.cancel(user, exit?.id ?? '');
    await bench.explained();
  });

  test('drops them and notifies its owner when the money is not there any more [SPOT-250]', async () => {
    const [user, other] = [bench.person('4000', '0'), bench.person()];
    const parent = await bench.buy(user, '50000', '0.02', EXITS);
    // As a withdrawal between the fill and the hold of the exits would.
    bench.state.give(user, BTC, '-0.01');
    await bench.sell(other, '50000', '0.02');
    const told = await eventually(async () => {
      const [row] = await bench.test.query<{ payload: string }>(
        `select payload from spot.outbox where stream like '%user.notices%' and payload like '%exitsDropped%'
          and payload like '%' || $1 || '%'`,
        [`order:${parent.id}:exits`],
      );
      return row?.payload;
    }, 20_000);
    expect(told).toContain('BTC/USDT');
    await bench.explained();
    expect(bench.state.available(user, BTC)).toBe('0.00998000');
    const [dropped] = await bench.test.query<{ reasons: string }>(
      `select string_agg(reason, ',') as reasons from spot.orders where parent_id = $1`,
      [parent.id],
    );
    expect(dropped?.reasons).toBe('balance,balance');
  });

  test.each<[string, Fields, string]>([
    ['a take profit below the price of a buy', { take_profit: '49999' }, 'take_profit'],
    ['a stop loss above the price of a buy', { stop_loss: '50001' }, 'stop_loss'],
    ['a take profit above the price of a sell', { type: '2', take_profit: '50001' }, 'take_profit'],
    ['a stop loss below the price of a sell', { type: '2', stop_loss: '49999' }, 'stop_loss'],
    ['a take profit that is none', { take_profit: '0' }, 'take_profit'],
    ['a market buy against the last price', { order_type: 'market', stop_loss: '90000' }, 'stop_loss'],
  ])('is refused for %s [SPOT-251]', async (_, fields, field) => {
    const user = bench.person();
    const order = { type: '1', target_price: '50000', amount: '0.01', ...fields };
    expect(await refusal(bench.place(user, order))).toMatchObject({ key: 'trade.exitSide', field });
    expect(available(user)).toEqual(['100000.00000000', '2.00000000']);
  });

  test('is not amended beyond its exits [SPOT-251]', async () => {
    const user = bench.person();
    const order = await bench.buy(user, '30000', '0.01', { take_profit: '31000' });
    expect(await refusal(bench.amend(user, { id: order.id, target_price: '31000' }))).toMatchObject({
      key: 'trade.exitSide',
      field: 'take_profit',
    });
    await bench.amend(user, { id: order.id, target_price: '30500' });
    await bench.cancel(user, order.id);
    await bench.explained();
  });
});

test('pairs and exits that meet fills, cancels and restarts leave books and holds exact [SPOT-252]', async () => {
  const users = Array.from({ length: 4 }, () => bench.person('40000', '1'));
  for (let round = 0; round < 5; round += 1) {
    const placed = await Promise.all(
      users.flatMap((user, at) => [
        refusal(
          bench.pair(user, {
            type: at % 2 === 0 ? '2' : '1',
            target_price: at % 2 === 0 ? '50010' : '49990',
            stop_price: at % 2 === 0 ? '49990' : '50010',
            amount: `0.0${11 + at}`,
            ...(round % 2 === 0 ? { stop_limit_price: '50000' } : {}),
          }),
        ),
        refusal(
          bench.place(user, {
            type: at % 2 === 0 ? '1' : '2',
            target_price: String(50_000 + (round % 3) * 10),
            amount: `0.0${12 + round}`,
            ...(at % 2 === 0 ? { take_profit: '50030', stop_loss: '49980' } : { take_profit: '49980' }),
          }),
        ),
      ]),
    );
    await Promise.all(
      placed.map(async (notice, at) => {
        const id = (notice as { extra?: { id?: string } }).extra?.id;
        if (id !== undefined && at % 3 === 0) await refusal(bench.cancel(users[Math.floor(at / 2)] as number, id));
      }),
    );
  }
  await bench.explained();
  await bench.restart();
  await bench.explained();
  const replay = await replayMarket(
    { query: (sql, params) => bench.test.query(sql, params as unknown[]) as Promise<never[]> },
    'BTC/USDT',
    () => new PlainBook(),
  );
  expect(replay).toMatchObject({ equal: true, rebuilt: { stuck: null } });
  const [{ pairs, exits } = { pairs: 0, exits: 0 }] = await bench.test.query<{ pairs: number; exits: number }>(
    `select count(*) filter (where link_id <> 0)::int as pairs, count(*) filter (where parent_id <> 0)::int as exits
      from spot.orders`,
  );
  expect(pairs).toBeGreaterThan(20);
  expect(exits).toBeGreaterThan(5);
});
