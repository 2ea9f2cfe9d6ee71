import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { OrderOutcome, SpotOrder } from '@bourse/contract';
import type { MarketMode } from '@bourse/events';
import { LedgerClient } from '@bourse/ledger-client';
import { serviceAsks } from '@bourse/messaging';
import { AnswerStore } from '@bourse/persistence';
import { readFields } from '@bourse/platform';
import { eventually, testTimeoutMs } from '@bourse/testing';
import { replayMarket } from '../../src/adapters/persistence/replay.js';
import { CancelListBody, OrderBatchBody } from '../../src/application/order-fields.js';
import { Markets } from '../../src/application/markets.js';
import { OrderBatch } from '../../src/application/order-batch.js';
import { AcceptedOrders } from '../../src/application/ports.js';
import { PlainBook } from '@bourse/matching';
import { BTC, SpotBench, USDT, refusal, type Fields } from '../spot-bench.js';

jest.setTimeout(testTimeoutMs(24_000));
let bench: SpotBench;
const orderOf = (notice: { extra: Readonly<Record<string, unknown>> }): SpotOrder => notice.extra['order'] as SpotOrder;

beforeAll(async () => {
  bench = await SpotBench.create(3, 2);
});
afterAll(async () => {
  await bench.end();
});

describe('an amend', () => {
  test('changes price and amount, holds the additional need and releases the rest [SPOT-226]', async () => {
    const user = bench.person('1000');
    const order = await bench.buy(user, '50000', '0.01', { client_order_id: 'a-1' });
    expect(bench.state.available(user, USDT)).toBe('500.00000000');
    const raised = await bench.amend(user, { client_order_id: 'a-1', target_price: '60000.01' });
    expect(raised).toMatchObject({ key: 'trade.amended', extra: { id: order.id, priority: 0 } });
    expect(orderOf(raised)).toMatchObject({ target_price: '60000.01', trade_amount: '0.010000', status: 1 });
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('399.99990000');
    expect((await bench.amend(user, { id: order.id, amount: '0.002' })).extra['priority']).toBe(1);
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('879.99998000');
    // All that is held counts: twice the amount at half the price needs nothing more.
    await bench.amend(user, { id: order.id, amount: '0.0199', target_price: '50000' });
    await bench.amend(user, { id: order.id, amount: '0.0398', target_price: '25000' });
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('5.00000000');
    await bench.cancel(user, order.id);
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('1000.00000000');
  });

  test('finds what an order holds before its book has stored it [SPOT-276]', async () => {
    const user = bench.person('1000');
    await bench.test.query('begin');
    await bench.test.query('lock table spot.orders in exclusive mode');
    const { extra } = await bench.place(user, { type: '1', target_price: '50000', amount: '0.01' });
    // An amend elsewhere reads this order, and asks for what it needs beside its hold.
    const [order] = await bench.app.get(AcceptedOrders).of(user);
    await bench.test.query('commit');
    expect([order?.held, order?.holdLeft]).toEqual([500n * 10n ** 8n, 500n * 10n ** 8n]);
    await bench.cancel(user, extra['id'] as string);
    await bench.explained();
  });

  test('trades across the spread, and continues from its filled amount [SPOT-227]', async () => {
    const [buyer, seller] = [bench.person(), bench.person()];
    const buy = await bench.buy(buyer, '40000', '0.02');
    await bench.sell(seller, '40000', '0.005');
    await eventually(async () => (await bench.order(buyer, buy.id)).filled_amount === '0.005000');
    await bench.sell(seller, '40010', '0.004');
    const moved = orderOf(await bench.amend(buyer, { id: buy.id, target_price: '40020', amount: '0.03' }));
    expect(moved).toMatchObject({ filled_amount: '0.009000', trade_amount: '0.030000', status: 1 });
    await bench.explained();
    expect(await refusal(bench.amend(buyer, { id: buy.id, amount: '0.009' }))).toEqual({
      key: 'trade.amountFilled',
      params: { filled: '0.009000' },
      field: 'amount',
    });
    // The trades at 40000 and 40010 were within the limits of their time.
    await bench.amend(buyer, { id: buy.id, target_price: '30000' });
    await bench.explained();
    await bench.cancel(buyer, buy.id);
  });

  test.each<[string, Fields, string, string | undefined]>([
    ['nothing to change', {}, 'common.fieldRequired', 'target_price'],
    ['a price of zero', { target_price: '0' }, 'cuy.pbPrice', 'target_price'],
    ['an amount that is none', { amount: 'x' }, 'cuy.pbNum', 'amount'],
    ['an exponent', { target_price: '1e5' }, 'common.fieldInvalid', 'target_price'],
    ['too many decimals', { target_price: '1.001' }, 'trade.priceScale', 'target_price'],
    ['a finer amount than lots', { amount: '0.0000001' }, 'trade.numberScale', 'amount'],
    ['less than the least total', { amount: '0.00001' }, 'quantity.rule', 'amount'],
    ['more than there is', { amount: '100' }, 'balance.insufficient', undefined],
  ])('is refused for %s, and changes nothing [SPOT-228]', async (_, fields, key, field) => {
    const user = bench.person('600');
    const order = await bench.buy(user, '50000', '0.01');
    expect(await refusal(bench.amend(user, { id: order.id, ...fields }))).toMatchObject({
      key,
      ...(field === undefined ? {} : { field }),
    });
    expect(await bench.order(user, order.id)).toEqual(order);
    await bench.explained();
    await bench.cancel(user, order.id);
    expect(await refusal(bench.amend(user, { id: order.id, amount: '0.02' }))).toMatchObject({
      key: 'trade.notOpen',
      params: { state: 'cancelled' },
    });
    expect(await refusal(bench.amend(bench.person(), { id: order.id, amount: '0.02' }))).toMatchObject({
      key: 'common.notFound',
    });
  });

  test('a post-only order is not moved into a trade, a stop keeps no price that it has not [SPOT-228]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    const resting = await bench.sell(other, '70000', '0.01');
    const maker = await bench.buy(user, '60000', '0.01', { post_only: '1' });
    expect(await refusal(bench.amend(user, { id: maker.id, target_price: '70000' }))).toMatchObject({
      key: 'trade.postOnly',
      field: 'target_price',
    });
    expect(await bench.order(user, maker.id)).toEqual(maker);
    await bench.explained();
    const stop = await bench.placed(user, {
      type: '1',
      order_type: 'stop_market',
      stop_price: '90000',
      amount: '0.01',
    });
    expect(await refusal(bench.amend(user, { id: stop.id, target_price: '91000' }))).toMatchObject({
      key: 'trade.flags',
      field: 'target_price',
    });
    expect(orderOf(await bench.amend(user, { id: stop.id, amount: '0.02' }))).toMatchObject({
      trade_amount: '0.020000',
    });
    await bench.explained();
    for (const [owner, id] of [
      [other, resting.id],
      [user, maker.id],
      [user, stop.id],
    ] as const)
      await bench.cancel(owner, id);
  });

  test('that its hold no longer covers is refused, and its additional hold is released [SPOT-231]', async () => {
    const user = bench.person();
    const order = await bench.buy(user, '50000', '0.02');
    const [lower, larger] = await Promise.all([
      refusal(bench.amend(user, { id: order.id, target_price: '25000' })),
      refusal(bench.amend(user, { id: order.id, target_price: '25600', amount: '0.05' })),
    ]);
    expect(lower).toMatchObject({ key: 'trade.amended' });
    expect(larger).toMatchObject({ key: 'trade.changed' });
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('99500.00000000');
    await bench.cancel(user, order.id);
  });

  test('under one key is done once and answered alike [SPOT-229]', async () => {
    const user = bench.person();
    const order = await bench.buy(user, '50000', '0.01');
    const key = bench.context('amend-once');
    const first = await bench.amend(user, { id: order.id, target_price: '50001' }, key);
    await bench.amend(user, { id: order.id, target_price: '50002' });
    expect(await bench.amend(user, { id: order.id, target_price: '50001' }, key)).toEqual(first);
    expect((await bench.order(user, order.id)).target_price).toBe('50002.00');
    const other = bench.context('amend-once', 'another');
    expect(await refusal(bench.amend(user, { id: order.id, target_price: '1' }, other))).toMatchObject({
      key: 'common.keyReused',
    });
    const refused = bench.context('amend-refused');
    const ask = (): Promise<unknown> => refusal(bench.amend(user, { id: order.id, amount: '900' }, refused));
    expect(await ask()).toMatchObject({ key: 'balance.insufficient' });
    bench.state.give(user, USDT, '90000000');
    expect(await ask()).toMatchObject({ key: 'balance.insufficient' });
    await bench.cancel(user, order.id);
    await bench.explained();
  });

  test('that the engine refused is carried out under its key once the key is free again [SPOT-236]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    const order = await bench.buy(user, '50000', '0.01');
    const markets = bench.app.get(Markets);
    const mode = async (to: MarketMode): Promise<void> => {
      await bench.ask(serviceAsks.mode('spot-matching'), { symbol: 'BTC/USDT', mode: to });
      await eventually(() => markets.depthView('BTC/USDT', 1)?.mode === to);
    };
    const paused = bench.context('amend-paused');
    const raise = (): Promise<unknown> => refusal(bench.amend(user, { id: order.id, target_price: '50100' }, paused));
    // The check before the ledger still sees an open market.
    const depth = markets.depth.bind(markets);
    const early = jest.spyOn(markets, 'depth').mockImplementation((market) => {
      const seen = depth(market);
      return seen && { ...seen, mode: 'normal' };
    });
    await mode('cancel_only');
    // Also when the engine refuses it twice.
    for (let round = 0; round < 2; round += 1) expect(await raise()).toMatchObject({ key: 'market.paused' });
    await mode('normal');
    early.mockRestore();
    await bench.explained();
    const raised = await raise();
    expect(raised).toMatchObject({ key: 'trade.amended', extra: { id: order.id } });
    expect((await bench.order(user, order.id)).target_price).toBe('50100.00');
    expect(await raise()).toEqual(raised);

    // Another refusal of the engine is the answer for an hour; then the key is free.
    const maker = await bench.buy(user, '40000', '0.01', { post_only: '1' });
    const resting = await bench.sell(other, '70000', '0.01');
    const key = bench.context('amend-crossed');
    const cross = (): Promise<unknown> => refusal(bench.amend(user, { id: maker.id, target_price: '70000' }, key));
    expect(await cross()).toMatchObject({ key: 'trade.postOnly' });
    await bench.cancel(other, resting.id);
    expect(await cross()).toMatchObject({ key: 'trade.postOnly' });
    await bench.test.query(`delete from spot.answers where until < now() + interval '2 hours'`);
    expect(await cross()).toMatchObject({ key: 'trade.amended', extra: { id: maker.id } });
    for (const { id } of [order, maker]) await bench.cancel(user, id);
    await bench.explained();
  });

  test('that the engine refused before the ledger repeated its lost reply is passed on once [SPOT-236]', async () => {
    const [user, other] = [bench.person(), bench.person()];
    const maker = await bench.buy(user, '40000', '0.01', { post_only: '1' });
    const resting = await bench.sell(other, '70000', '0.01');
    const ledger = bench.app.get(LedgerClient);
    const send = ledger.reply.bind(ledger);
    const lost = jest.spyOn(ledger, 'reply').mockImplementationOnce(async (command, context) => {
      await send(command, context);
      await eventually(async () => (await bench.app.get(AnswerStore).find('amend-lost.amend')) !== null);
      await bench.cancel(other, resting.id);
      return send(command, context);
    });
    const key = bench.context('amend-lost');
    expect(await refusal(bench.amend(user, { id: maker.id, target_price: '70000' }, key))).toMatchObject({
      key: 'trade.postOnly',
    });
    lost.mockRestore();
    await bench.explained();
    expect((await bench.order(user, maker.id)).target_price).toBe('40000.00');
    await bench.cancel(user, maker.id);
  });

  test('amends that meet fills, cancels and each other leave books and holds exact [SPOT-230]', async () => {
    const users = Array.from({ length: 4 }, () => bench.person('20000', '1'));
    for (let round = 0; round < 6; round += 1) {
      const orders = await Promise.all(
        users.map(async (user, at) => ({
          user,
          order: await bench.placed(user, {
            type: at % 2 === 0 ? '1' : '2',
            target_price: String(45_000 + at),
            amount: `0.0${11 + at}`,
          }),
        })),
      );
      await Promise.all(
        orders.flatMap(({ user, order }, at) => [
          refusal(bench.amend(user, { id: order.id, target_price: String(45_003 - at) })),
          refusal(bench.amend(user, { id: order.id, amount: `0.0${14 + round}`, target_price: '44990' })),
          refusal(bench.amend(user, { id: order.id, amount: '0.005' })),
          ...(at === round % 4 ? [refusal(bench.cancel(user, order.id))] : []),
        ]),
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
    const [{ taken } = { taken: 0 }] = await bench.test.query<{ taken: number }>(
      'select count(*)::int as taken from spot.amends',
    );
    expect(taken).toBeGreaterThan(20);
  });
});

describe('several changes in one call', () => {
  const PAIR = { legal_id: String(USDT), currency_id: String(BTC) };
  const batch = async (user: number, items: readonly object[], context = bench.context()): Promise<OrderOutcome[]> => {
    const body = readFields(OrderBatchBody, { items: JSON.stringify(items) });
    return (await bench.app.get(OrderBatch).batch(user, body, context)).message as OrderOutcome[];
  };
  const buy = (price: string, more: object = {}): object => ({
    op: 'place',
    ...PAIR,
    type: '1',
    target_price: price,
    amount: '0.01',
    ...more,
  });

  test('are done in their order, each with its own answer; a refused one leaves the others [SPOT-234]', async () => {
    const user = bench.person('1000');
    const outcomes = await batch(user, [
      buy('30000', { client_order_id: 'b-1' }),
      buy('9000000'),
      { op: 'amend', client_order_id: 'b-1', amount: '0.02' },
      { op: 'nothing' },
      { op: 'cancel', client_order_id: 'b-1' },
      buy('31000', { client_order_id: 'b-2' }),
      { op: 'cancel', id: '1' },
      { op: 'place', ...PAIR, type: '1', amount: '1' },
    ]);
    expect(outcomes.map(({ type, key, field }) => [type, key, field])).toEqual([
      ['ok', 'trade.success', undefined],
      ['error', 'balance.insufficient', undefined],
      ['ok', 'trade.amended', undefined],
      ['error', 'common.fieldInvalid', 'op'],
      ['ok', 'trade.cancelled', undefined],
      ['ok', 'trade.success', undefined],
      ['error', 'common.notFound', undefined],
      ['error', 'cuy.pbPrice', 'target_price'],
    ]);
    expect(outcomes[4]).toMatchObject({ id: outcomes[0]?.id, client_order_id: 'b-1', remaining: '0.020000' });
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('690.00000000');
    const names = readFields(CancelListBody, {
      ids: `${outcomes[5]?.id},${outcomes[0]?.id}`,
      client_order_ids: JSON.stringify(['b-2', 'none']),
    });
    const ended = await bench.app.get(OrderBatch).cancel(user, names, bench.context());
    expect(ended.message).toMatchObject([
      { type: 'ok', key: 'trade.cancelled', id: outcomes[5]?.id },
      { type: 'error', key: 'trade.notOpen', params: { state: 'cancelled' }, id: outcomes[0]?.id },
      { type: 'error', key: 'trade.notOpen', client_order_id: 'b-2' },
      { type: 'error', key: 'common.notFound', client_order_id: 'none' },
    ]);
    await bench.explained();
    expect(bench.state.available(user, USDT)).toBe('1000.00000000');
  });

  test('under one key are executed once, and continue after an interruption [SPOT-235]', async () => {
    const user = bench.person('100000');
    const key = bench.context('batch-once-1');
    const items = [buy('20000'), buy('20001'), { op: 'cancel', id: '7' }];
    const first = await batch(user, items, key);
    expect(await batch(user, items, key)).toEqual(first);
    // As after the death of the process: the call has no answer, its items have theirs.
    await bench.test.query(`delete from spot.answers where command_id = 'batch-once-1'`);
    const again = await batch(user, [...items, buy('20002')], key);
    expect(again.slice(0, 3).map(({ id, key: told }) => [id, told])).toEqual(
      first.map(({ id, key: told }) => [id, told]),
    );
    const [{ open } = { open: 0 }] = await bench.test.query<{ open: number }>(
      'select count(*)::int as open from spot.orders where user_id = $1 and status = 1',
      [user],
    );
    expect(open).toBe(3);
    expect(await refusal(batch(user, [], bench.context()))).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'items',
    });
    const many = Array.from({ length: 21 }, () => ({ op: 'cancel', id: '7' }));
    expect(await refusal(batch(user, many))).toMatchObject({ key: 'common.fieldInvalid', field: 'items' });
    await bench.explained();
  });
});
