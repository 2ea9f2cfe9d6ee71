import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import type { DepthView } from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { Replies, serviceAsks, Views } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { Clock, readFields, Refused } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import {
  CancelAllBody,
  CompletedListBody,
  EntrustListBody,
  FillListQuery,
  OrderListQuery,
} from '../../src/application/order-fields.js';
import { PostgresOrderReads } from '../../src/adapters/persistence/postgres-order-reads.js';
import { AnsweredOrderReads } from '../../src/application/answered-order-reads.js';
import { CancelOrders } from '../../src/application/cancel-orders.js';
import { EngineProgress } from '../../src/application/engine-progress.js';
import { EngineReports } from '../../src/application/engine-reports.js';
import { LocalBooks } from '../../src/application/local-books.js';
import { Markets } from '../../src/application/markets.js';
import { OrderLists } from '../../src/application/order-lists.js';
import { AcceptedOrders, OrderReads } from '../../src/application/ports.js';
import { BTC, SpotBench, USDT, type Fields } from '../spot-bench.js';
import { expectOrdersBack } from './orders-back.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
const keyOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'ok';
  } catch (error) {
    if (error instanceof Refused) return error.key;
    throw error;
  }
};
async function emptyBook(): Promise<void> {
  await bench.quiet();
  const rows = await bench.test.query<{ user_id: string }>('select distinct user_id from spot.orders where status = 1');
  for (const { user_id } of rows) await bench.app.get(CancelOrders).all(Number(user_id), {}, bench.context());
  await eventually(async () => {
    const view = await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT');
    return view?.bids.length === 0 && view.asks.length === 0;
  });
}
const depthShows = (bids: number, asks: number): Promise<unknown> =>
  eventually(async () => {
    const view = await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT');
    return view?.bids.length === bids && view.asks.length === asks;
  });
const last = async (price: string): Promise<void> => {
  await bench.sell(bench.person(), price, '0.01');
  await bench.buy(bench.person(), price, '0.01');
  await eventually(async () => (await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT'))?.lastPrice === price);
};

/** After every test no money was made or lost, and every hold equals the need of its order. */
const explained = (): Promise<void> => bench.explained();

beforeAll(async () => {
  bench = await SpotBench.create();
});
afterAll(async () => {
  await bench.end();
});
beforeEach(async () => {
  await emptyBook();
});

describe('the worked example of the rules, through the ledger [SPOT-201]', () => {
  test.each(['limit', 'market'])('as a %s order', async (type) => {
    const [buyer, first, second] = [bench.person('29000', '0'), bench.person('0'), bench.person('0')];
    await bench.sell(first, '56637.56', '0.2');
    await bench.sell(second, '56690.00', '0.3');
    await depthShows(0, 2);
    const order = await bench.placed(buyer, { type: '1', order_type: type, target_price: '56700.00', amount: '0.5' });
    expect(order).toMatchObject({
      status: 2,
      cancelled: 0,
      filled_amount: '0.500000',
      trade_price: '56669.02',
      fee: '0.00050000',
      fee_currency: 'BTC',
      target_price: type === 'limit' ? '56700.00' : '0.00',
    });
    await explained();
    expect([
      bench.state.available(buyer, USDT),
      bench.state.available(buyer, BTC),
      bench.state.available(second, USDT),
    ]).toEqual(['665.48800000', '0.49950000', '16989.99300000']);
  });
});

describe('placing', () => {
  test('holds the money, shows the order at once, and a cancel releases all of it [SPOT-202]', async () => {
    const user = bench.person();
    const order = await bench.buy(user, '50000', '0.01', { client_order_id: 'mine-1' });
    expect(order).toMatchObject({
      status: 1,
      type: 1,
      target_price: '50000.00',
      trade_amount: '0.010000',
      filled_amount: '0.000000',
      client_order_id: 'mine-1',
    });
    expect(bench.state.available(user, USDT)).toBe('99500.00000000');
    expect(await bench.order(user, order.id)).toMatchObject({ id: order.id, status: 1 });
    const { extra } = await bench.cancel(user, order.id);
    expect(extra).toMatchObject({
      id: order.id,
      remaining: '0.010000',
      order: { status: 2, cancelled: 1, cancel_reason: 'user' },
    });
    await explained();
    expect(bench.state.available(user, USDT)).toBe('100000.00000000');
    expect(await keyOf(bench.cancel(user, order.id))).toBe('trade.notOpen');
  });

  test.each<[string, Fields, string]>([
    ['an unknown pair', { currency_id: '99', type: '1' }, 'pair.delisted'],
    ['no side', { target_price: '1', amount: '1' }, 'common.fieldRequired'],
    ['a buy without a price', { type: '1', amount: '1' }, 'cuy.pbPrice'],
    ['a sell at zero', { type: '2', target_price: '0', amount: '1' }, 'cuy.psPrice'],
    ['a price with an exponent', { type: '1', target_price: '1e5', amount: '1' }, 'common.fieldInvalid'],
    ['a price that is no number', { type: '1', target_price: 'x', amount: '1' }, 'cuy.pbPrice'],
    ['a buy without an amount, before its decimals', { type: '1', target_price: '1.001' }, 'cuy.pbNum'],
    ['a sell of nothing', { type: '2', target_price: '50000', amount: '0.000' }, 'cuy.psNum'],
    ['too many price decimals', { type: '1', target_price: '50000.001', amount: '0.0000001' }, 'trade.priceScale'],
    ['too many amount decimals', { type: '1', target_price: '50000', amount: '0.0000001' }, 'trade.numberScale'],
    [
      'less than the minimum, before its flags',
      { type: '1', target_price: '1', amount: '0.5', post_only: '1', time_in_force: 'IOC' },
      'quantity.rule',
    ],
    [
      'post-only with IOC',
      { type: '1', target_price: '50000', amount: '0.01', post_only: '1', time_in_force: 'IOC' },
      'trade.flags',
    ],
    ['post-only as a market order', { type: '1', order_type: 'market', amount: '0.01', post_only: '1' }, 'trade.flags'],
    [
      'a stop without its price',
      { type: '1', order_type: 'stop_limit', target_price: '50000', amount: '0.01' },
      'common.fieldRequired',
    ],
    [
      'a bad client order id',
      { type: '1', target_price: '50000', amount: '0.01', client_order_id: 'no spaces' },
      'common.fieldInvalid',
    ],
    ['a market order in an empty book', { type: '1', order_type: 'market', amount: '0.01' }, 'trade.bookEmpty'],
    ['more than there is', { type: '1', target_price: '50000', amount: '2.1' }, 'balance.insufficient'],
  ])('%s is refused and changes nothing [SPOT-203]', async (_, fields, key) => {
    const user = bench.person();
    expect(await keyOf(bench.place(user, fields))).toBe(key);
    expect([bench.state.available(user, USDT), bench.state.available(user, BTC)]).toEqual([
      '100000.00000000',
      '2.00000000',
    ]);
  });

  test('a market order needs a fresh feed, a limit order does not [SPOT-204]', async () => {
    const user = bench.person();
    await bench.sell(bench.person(), '50000', '0.1');
    await depthShows(0, 1);
    bench.feed(-6_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await keyOf(bench.place(user, { type: '1', order_type: 'market', amount: '0.01' }))).toBe('market.stale');
    expect(await keyOf(bench.place(user, { type: '1', target_price: '40000', amount: '0.01' }))).toBe('ok');
    bench.feed(3_600_000);
  });

  test("a market buy holds its owner's balance between the cost of the book and the cap [SPOT-205]", async () => {
    await bench.sell(bench.person(), '50000', '0.5');
    await depthShows(0, 1);
    expect(
      await keyOf(bench.place(bench.person('4999.99', '0'), { type: '1', order_type: 'market', amount: '0.1' })),
    ).toBe('balance.insufficient');
    const buyer = bench.person('5000', '0');
    expect(await bench.placed(buyer, { type: '1', order_type: 'market', amount: '0.1' })).toMatchObject({
      status: 2,
      filled_amount: '0.100000',
    });
    await explained();
    expect(bench.state.available(buyer, USDT)).toBe('0.00000000');
  });

  test('a client order id answers its first order, a key makes one, a refused one stays so [SPOT-206]', async () => {
    const user = bench.person();
    const first = await bench.place(user, {
      type: '1',
      target_price: '40000',
      amount: '0.01',
      client_order_id: 'once',
    });
    const second = await bench.place(user, {
      type: '1',
      target_price: '41000',
      amount: '0.02',
      client_order_id: 'once',
    });
    expect(second.extra).toMatchObject({ id: first.extra['id'], repeated: 1 });
    const key = `key-${user}`;
    const fields = { type: '1', target_price: '40000', amount: '0.01' };
    const one = await bench.place(user, fields, bench.context(key));
    expect((await bench.place(user, fields, bench.context(key))).extra['id']).toBe(one.extra['id']);
    expect(await keyOf(bench.place(user, fields, bench.context(key, 'other')))).toBe('common.keyReused');
    expect(await keyOf(bench.place(user, { ...fields, amount: '0' }, bench.context(key, 'other')))).toBe(
      'common.keyReused',
    );
    const refused = `no-${user}`;
    expect(await keyOf(bench.place(user, { ...fields, amount: '0' }, bench.context(refused)))).toBe('cuy.pbNum');
    expect(await keyOf(bench.place(user, fields, bench.context(refused)))).toBe('cuy.pbNum');
    expect((await bench.lists.list(user, readFields(OrderListQuery, {}))).total).toBe(2);
  });

  test('one whose repeat is refused before its hold is made gets that refusal too [SPOT-302]', async () => {
    await bench.sell(bench.person(), '50000', '0.1');
    await depthShows(0, 1);
    const user = bench.person();
    const place = (): Promise<string> =>
      keyOf(bench.place(user, { type: '1', order_type: 'market', amount: '0.01' }, bench.context(`slow-${user}`)));
    const ledger = bench.app.get(LedgerClient);
    const send = ledger.reply.bind(ledger);
    let repeated = '';
    const slow = jest.spyOn(ledger, 'reply').mockImplementationOnce(async (command, context) => {
      bench.feed(-6_000);
      await new Promise((resolve) => setTimeout(resolve, 20));
      repeated = await place();
      return send(command, context);
    });
    const first = await place();
    slow.mockRestore();
    bench.feed(3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([repeated, first, await place()]).toEqual(['market.stale', 'market.stale', 'market.stale']);
    expect((await bench.lists.list(user, readFields(OrderListQuery, {}))).total).toBe(0);
  });

  test.each<[string, Fields]>([
    // Above the least total at a best ask of 56,000, and below it at 40,000.
    ['quantity.rule', { type: '1', order_type: 'market', amount: '0.00002' }],
    ['trade.trail', { type: '2', order_type: 'trailing_stop', amount: '0.01', trail_amount: '45000' }],
  ])('a client order id answers its first order where a new one would get %s now [SPOT-266]', async (key, fields) => {
    await last('56000');
    await bench.sell(bench.person(), '56000', '0.01');
    await depthShows(0, 1);
    const user = bench.person();
    const sent = { ...fields, client_order_id: 'moved' };
    const first = await bench.placed(user, sent);
    await last('40000');
    await bench.sell(bench.person(), '40000', '0.01');
    await eventually(async () => (await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT'))?.asks.length === 2);
    expect(await keyOf(bench.place(user, { ...sent, client_order_id: 'new' }))).toBe(key);
    expect((await bench.place(user, sent)).extra).toMatchObject({ id: first.id, repeated: 1 });
    // A key that got this answer makes no order with another body.
    const keyed = `moved-${user}`;
    for (const _ of [1, 2])
      expect((await bench.place(user, sent, bench.context(keyed))).extra).toMatchObject({ id: first.id, repeated: 1 });
    const other = { type: '1', target_price: '30000', amount: '0.01' };
    expect(await keyOf(bench.place(user, other, bench.context(keyed, 'other')))).toBe('common.keyReused');
    expect((await bench.lists.list(user, readFields(OrderListQuery, {}))).total).toBe(1);
  });
});

describe('how orders end', () => {
  test('IOC, FOK and post-only end as they must; cancelled without a fill is in no list [SPOT-207]', async () => {
    const [maker, user] = [bench.person(), bench.person()];
    await bench.sell(maker, '56000', '0.02');
    const fok = await bench.buy(user, '56000', '0.03', { time_in_force: 'FOK' });
    const post = await bench.buy(user, '56000', '0.01', { post_only: '1' });
    const ioc = await bench.buy(user, '56000', '0.03', { time_in_force: 'IOC' });
    expect([fok, post, ioc].map((order) => [order.status, order.cancel_reason, order.filled_amount])).toEqual([
      [2, 'fok', '0.000000'],
      [2, 'post_only', '0.000000'],
      [2, 'ioc', '0.020000'],
    ]);
    expect(
      (await bench.lists.list(user, readFields(OrderListQuery, { status: '2' }))).data.map(({ id }) => id),
    ).toEqual([ioc.id]);
    await explained();
  });

  test('a person never trades with themselves [SPOT-208]', async () => {
    const user = bench.person();
    const resting = await bench.sell(user, '56000', '0.01');
    expect(await bench.buy(user, '56000', '0.01')).toMatchObject({ status: 2, cancel_reason: 'stp' });
    expect(await bench.buy(user, '56000', '0.01', { stp: 'cancel_oldest' })).toMatchObject({ status: 1 });
    expect(await bench.order(user, resting.id)).toMatchObject({ status: 2, cancel_reason: 'stp' });
    await explained();
  });

  test('a stop must lie on the far side, waits, and then trades with its hold as its budget [SPOT-209]', async () => {
    await last('56000');
    const user = bench.person();
    expect(
      await keyOf(
        bench.place(user, {
          type: '1',
          order_type: 'stop_limit',
          stop_price: '55000',
          target_price: '55500',
          amount: '0.01',
        }),
      ),
    ).toBe('trade.stopPrice');
    expect(
      await keyOf(bench.place(user, { type: '2', order_type: 'stop_market', stop_price: '56000', amount: '0.01' })),
    ).toBe('trade.stopPrice');
    const stop = await bench.placed(user, {
      type: '1',
      order_type: 'stop_market',
      stop_price: '56100',
      amount: '0.01',
    });
    expect(stop).toMatchObject({ status: 1, triggered: 0, stop_price: '56100.00' });
    expect(bench.state.available(user, USDT)).toBe('99410.95000000');
    await bench.sell(bench.person(), '56100', '0.02');
    await bench.buy(bench.person(), '56100', '0.01');
    await eventually(async () => (await bench.order(user, stop.id)).status === 2);
    expect(await bench.order(user, stop.id)).toMatchObject({ triggered: 1, cancelled: 0, filled_amount: '0.010000' });
    await explained();
  });

  test("another person's order does not exist; orders that fill cannot be cancelled [SPOT-210]", async () => {
    const [owner, other] = [bench.person(), bench.person()];
    const order = await bench.sell(owner, '56000', '0.01');
    expect([
      await keyOf(bench.cancel(other, order.id)),
      await keyOf(bench.order(other, order.id)),
      await keyOf(bench.cancel(other, '9223372036854775808')),
    ]).toEqual(['common.notFound', 'common.notFound', 'common.notFound']);
    await bench.buy(other, '56000', '0.01');
    try {
      await bench.cancel(owner, order.id);
      expect('cancelled').toBe('refused');
    } catch (error) {
      expect(error).toMatchObject({ key: 'trade.notOpen', params: { state: 'filled' } });
    }
  });

  test('cancel_all ends the named orders only; a repeat under the key gets the same answer [SPOT-211]', async () => {
    const user = bench.person();
    const buys = [await bench.buy(user, '40000', '0.01'), await bench.buy(user, '41000', '0.01')];
    const sell = await bench.sell(user, '90000', '0.01');
    const { extra } = await bench.app
      .get(CancelOrders)
      .all(user, readFields(CancelAllBody, { legal_id: '3', type: '1' }), bench.context());
    expect(new Set(extra['ids'] as string[])).toEqual(new Set(buys.map(({ id }) => id)));
    expect((await bench.order(user, sell.id)).status).toBe(1);
    const key = `cancel-${user}`;
    const first = await bench.cancel(user, sell.id, bench.context(key));
    expect((await bench.cancel(user, sell.id, bench.context(key))).extra).toEqual(first.extra);
    expect(await bench.ask(serviceAsks.answers('spot-matching'), { commandIds: ['unknown', key] })).toMatchObject({
      ok: true,
      answer: { key: 'trade.cancelled', extra: { id: sell.id } },
    });
  });
});

test('lists show both sides of a fill with their own fee [SPOT-212]', async () => {
  const [seller, buyer] = [bench.person(), bench.person()];
  const ask = await bench.sell(seller, '56000', '0.03');
  const bid = await bench.buy(buyer, '56000', '0.01');
  expect((await bench.lists.fills(buyer, readFields(FillListQuery, { order_id: bid.id }))).data).toEqual([
    expect.objectContaining({
      order_id: bid.id,
      type: 1,
      price: '56000.00',
      number: '0.010000',
      total: '560.00000000',
      fee: '0.00001000',
      fee_currency: 'BTC',
      role: 'taker',
    }),
  ]);
  expect((await bench.lists.fills(seller, readFields(FillListQuery, {}))).data).toEqual([
    expect.objectContaining({ order_id: ask.id, type: 2, fee: '0.56000000', fee_currency: 'USDT', role: 'maker' }),
  ]);
  const caller = { userId: seller, accountNumber: 'me' } as never;
  expect((await bench.lists.entrusts(caller, readFields(EntrustListBody, {}), 1)).list).toEqual([
    expect.objectContaining({
      id: ask.id,
      total_number: '0.030000',
      complete_number: '0.010000',
      number: '0.020000',
      price: '56000.00',
      total_money: '1680.00000000',
      account_number: 'me',
    }),
  ]);
  expect((await bench.lists.complete(caller, readFields(CompletedListBody, {}))).list).toEqual([
    expect.objectContaining({ type: 'out', in_fee: '0.00000000', out_fee: '0.56000000', total_money: '560.00000000' }),
  ]);
  expect(await bench.lists.list(seller, readFields(OrderListQuery, { limit: '1', page: '2' }))).toMatchObject({
    data: [],
    total: 1,
    has_more: 0,
  });
});

test('a market that is not open refuses orders, ends those in flight, and still cancels [SPOT-213]', async () => {
  const user = bench.person();
  const order = await bench.buy(user, '40000', '0.01');
  const sent = { type: '1', target_price: '40000', amount: '0.01', client_order_id: 'before' };
  const first = await bench.place(user, sent);
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: 'BTC/USDT', mode: 'cancel_only' });
  await eventually(async () => (await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT'))?.mode === 'cancel_only');
  // An order that came before is answered again, though a new one like it is refused now [SPOT-266].
  expect((await bench.place(user, sent)).extra).toMatchObject({ id: first.extra['id'], repeated: 1 });
  expect(await keyOf(bench.place(user, { ...sent, client_order_id: 'after' }))).toBe('market.paused');
  expect(await keyOf(bench.place(user, { type: '1', target_price: '40000', amount: '0.01' }))).toBe('market.paused');
  expect(await keyOf(bench.cancel(user, order.id))).toBe('ok');
  await bench.ask(serviceAsks.mode('spot-matching'), { symbol: 'BTC/USDT', mode: 'normal' });
  await eventually(async () => (await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT'))?.mode === 'normal');
  expect(await keyOf(bench.place(user, { type: '1', target_price: '40000', amount: '0.01' }))).toBe('ok');
});

test('a restart restores the same books and continues: orders, stops, priority, numbers [SPOT-214]', async () => {
  await last('56000');
  const [a, b, c] = [bench.person(), bench.person(), bench.person()];
  const orders: [number, SpotOrder][] = [
    [a, await bench.sell(a, '57000', '0.05')],
    [b, await bench.sell(b, '57000', '0.05')],
    [a, await bench.buy(a, '55000', '0.02')],
  ];
  const stop = await bench.placed(c, {
    type: '1',
    order_type: 'stop_limit',
    stop_price: '57000',
    target_price: '57000',
    amount: '0.01',
  });
  await bench.buy(c, '57000', '0.01', { time_in_force: 'IOC', client_order_id: 'partly' });
  await bench.cancel(c, stop.id).catch(() => undefined);
  const before = await bench.ask(serviceAsks.book('spot-matching'), { symbol: 'BTC/USDT' });
  const shown = await Promise.all(orders.map(([user, { id }]) => bench.order(user, id)));
  await bench.restart();
  const after = await bench.ask(serviceAsks.book('spot-matching'), { symbol: 'BTC/USDT' });
  expect({ ...after, at: 0 }).toEqual({ ...before, at: 0 });
  expect(await Promise.all(orders.map(([user, { id }]) => bench.order(user, id)))).toEqual(shown);
  await bench.buy(c, '57000', '0.05');
  // The call is answered once the order is accepted; the fills follow with the commit of its batch.
  await eventually(async () => (await bench.order(a, orders[0]![1].id)).status === 2);
  expect((await bench.order(b, orders[1]![1].id)).status).toBe(1);
  await explained();
});

test('a failed commit leaves nothing behind: books are loaded again and the batch runs once [SPOT-215]', async () => {
  const [seller, buyer] = [bench.person(), bench.person()];
  await bench.sell(seller, '56000', '0.05');
  // The next insert of a trade fails once, after the book has already matched.
  await bench.test.query(`create table spot.fail_once (left_over int); insert into spot.fail_once values (1);
    create sequence spot.failures; grant usage on sequence spot.failures to public;
    create function spot.fail_trade() returns trigger language plpgsql security definer as $$ begin
      if (select left_over from spot.fail_once) = 1 then
        perform nextval('spot.failures'); -- it counts on, whatever becomes of the transaction
        raise exception 'the disk is full' using errcode = '53100'; end if;
      return new; end $$;
    create trigger fail_trade before insert on spot.trades for each row execute function spot.fail_trade();`);
  const order = bench.buy(buyer, '56000', '0.02');
  await eventually(async () => (await bench.test.query('select from spot.failures where is_called')).length > 0);
  await bench.test.query('update spot.fail_once set left_over = 0');
  const { id } = await order;
  await eventually(async () => (await bench.order(buyer, id)).status === 2);
  await bench.test.query('drop trigger fail_trade on spot.trades');
  expect((await bench.lists.fills(buyer, readFields(FillListQuery, { order_id: id }))).total).toBe(1);
  await eventually(() => bench.ask(serviceAsks.book('spot-matching'), { symbol: 'BTC/USDT' }));
  await explained();
  expect(bench.state.available(buyer, BTC)).toBe('2.01998000');
});

test('an order that waits for its engine is accepted, shown, and cancelled in its turn [SPOT-218]', async () => {
  const user = bench.person();
  await bench.test.query('begin');
  await bench.test.query('lock table spot.orders in exclusive mode');
  const { extra } = await bench.place(user, {
    type: '1',
    target_price: '40000',
    amount: '0.01',
    client_order_id: 'slow',
  });
  const id = extra['id'] as string;
  expect(extra['order']).toMatchObject({ status: 1, filled_amount: '0.000000' });
  expect(await bench.order(user, id)).toMatchObject({ id, status: 1, client_order_id: 'slow' });
  expect(await keyOf(bench.order(bench.person(), id))).toBe('common.notFound');
  const cancelled = bench.cancel(user, id);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await bench.test.query('commit');
  expect((await cancelled).extra).toMatchObject({ id, order: { status: 2, cancel_reason: 'user' } });
  expect(await bench.order(user, id)).toMatchObject({ status: 2 });
  await explained();
  expect(bench.state.available(user, USDT)).toBe('100000.00000000');
});

test('a list that follows the answer of an order that waits for its engine shows the order [SPOT-218]', async () => {
  const user = bench.person();
  await bench.test.query('begin');
  await bench.test.query('lock table spot.orders in exclusive mode');
  const { extra } = await bench.place(user, { type: '1', target_price: '40000', amount: '0.01' });
  const listed = bench.app.get(OrderReads).list(user, { status: 1 }, 0, 10);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await bench.test.query('commit');
  expect((await listed).rows).toMatchObject([{ id: extra['id'] }]);
  await bench.cancel(user, extra['id'] as string);
});

describe('another copy of the service, which shares the tables and nothing in memory', () => {
  const fields = { type: '1', target_price: '40000', amount: '0.01' };
  function otherCopy() {
    const { app } = bench;
    const [markets, reports, accepted] = [app.get(Markets), new EngineReports(), app.get(AcceptedOrders)];
    const reads = new AnsweredOrderReads(app.get(PostgresOrderReads), new EngineProgress(), reports, accepted);
    const [ledger, replies, answers] = [app.get(LedgerClient), app.get(Replies), app.get(AnswerStore)];
    return {
      reads,
      accepted,
      lists: new OrderLists(reads, reports, markets),
      cancels: new CancelOrders(
        markets,
        reads,
        ledger,
        replies,
        answers,
        reports,
        new LocalBooks(),
        app.get<Clock>(Clock),
      ),
    };
  }

  test('shows an order that was accepted, and its lists wait for it [SPOT-274]', async () => {
    const user = bench.person();
    const { lists, reads, accepted } = otherCopy();
    await bench.test.query('begin');
    await bench.test.query('lock table spot.orders in exclusive mode');
    const { extra } = await bench.place(user, { ...fields, client_order_id: 'elsewhere' });
    const id = extra['id'] as string;
    expect(await lists.order(user, { id })).toEqual(extra['order']);
    expect(await lists.order(user, { clientOrderId: 'elsewhere' })).toEqual(extra['order']);
    expect(await keyOf(lists.order(bench.person(), { id }))).toBe('common.notFound');
    const listed = reads.list(user, { status: 1 }, 0, 10);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await bench.test.query('commit');
    expect((await listed).rows.map((order) => order.id)).toEqual([id]);
    expect(await accepted.of(user)).toEqual([]);
    await bench.cancel(user, id);
    await explained();
  });

  test('cancels an order that was accepted in its turn [SPOT-274]', async () => {
    const user = bench.person();
    const { cancels } = otherCopy();
    await bench.test.query('begin');
    await bench.test.query('lock table spot.orders in exclusive mode');
    const { extra } = await bench.place(user, fields);
    const id = extra['id'] as string;
    const cancelled = cancels.one(user, { id }, bench.context());
    await new Promise((resolve) => setTimeout(resolve, 50));
    await bench.test.query('commit');
    expect((await cancelled).extra).toMatchObject({ id, order: { status: 2, cancel_reason: 'user' } });
    await explained();
  });
});

test('private events and depth follow each commit, in order [SPOT-216]', async () => {
  const [seller, buyer] = [bench.person(), bench.person()];
  const ask = await bench.sell(seller, '56000', '0.05');
  await bench.buy(buyer, '56000', '0.02');
  await bench.quiet();
  const rows = await bench.test.query<{ payload: string }>(
    `select payload from spot.outbox where topic = 'user.events' order by number`,
  );
  const events = rows
    .flatMap(
      ({ payload }) =>
        JSON.parse(payload) as {
          body: { userId: number; payload: { order: SpotOrder; fill: { role: string } | null } };
        }[],
    )
    .map(({ body }) => body)
    .filter(({ userId }) => userId === seller);
  expect(
    events.map(({ payload }) => [payload.order.id, payload.order.filled_amount, payload.fill?.role ?? null]),
  ).toEqual([
    [ask.id, '0.000000', null],
    [ask.id, '0.020000', 'maker'],
  ]);
  const view = await eventually(async () => {
    const depth = await bench.app.get(Views).kept<DepthView>('depth/BTC/USDT');
    return depth?.asks[0]?.[1] === '0.03' ? depth : null;
  });
  expect(view).toMatchObject({ lastPrice: '56000', asks: [['56000', '0.03']], mode: 'normal' });
});

test('six thousand open orders are back after a restart [SPOT-219]', () =>
  expectOrdersBack(bench, 6_000, bench.person()));
