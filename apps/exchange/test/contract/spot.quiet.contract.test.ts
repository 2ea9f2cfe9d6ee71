import { beforeAll, describe, expect, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { BASE, balanceOf, get, keyOf, post, put, signIn, type Answered, type Fields, type Balances } from './client.js';
import { createTraders, operator } from './people.js';
import { acceptedId, doneOrder, orderOf, type SpotOrder } from './spot-orders.js';

// Runs without house quotes (MAKER=off): the book of BTC/USDT has only orders of these tests. No file that runs
// beside this one trades that pair.
const BTC = 1,
  USDT = 3,
  LTC = 5;
const BTC_USDT = { legal_id: USDT, currency_id: BTC };

let one: string, two: string, three: string;
let [oneId, twoId]: [number, number] = [0, 0];
beforeAll(async () => {
  const people = await createTraders(3, { change: { [BTC]: '5', [USDT]: '100000' } });
  [one, two, three] = people.map(({ token }) => token) as [string, string, string];
  [oneId, twoId] = [people[0].id, people[1].id];
});

const place = (token: string, fields: Fields, headers: Record<string, string> = {}) =>
  post('/api/coin/trade', { ...BTC_USDT, ...fields }, { token, headers });
const placed = (token: string, fields: Fields): Promise<string> => acceptedId(place(token, fields));
const cancel = (token: string, id: string) => put('/api/coin/trade', { id }, { token });
const emptyBook = async (): Promise<void> => {
  for (const token of [one, two, three]) await post('/api/coin/cancel_all', BTC_USDT, { token });
};
const units = (text: string | undefined): bigint => {
  const [whole = '0', fraction = ''] = (text ?? '0').split('.');
  return BigInt(whole) * 10n ** 8n + BigInt(fraction.padEnd(8, '0').slice(0, 8)) * (whole.startsWith('-') ? -1n : 1n);
};
const change = (after: Balances, before: Balances, field: 'change_balance' | 'lock_change_balance'): bigint =>
  units(after[field]) - units(before[field]);

describe('the worked example of rules §2 [SPOT-001]', () => {
  test('a limit buy over two sellers comes out to the last digit', async () => {
    await emptyBook();
    const before = {
      buyerUsdt: await balanceOf(one, USDT),
      buyerBtc: await balanceOf(one, BTC),
      sellerUsdt: await balanceOf(three, USDT),
    };
    await placed(two, { type: 2, target_price: '56637.56', amount: '0.2' });
    await placed(three, { type: 2, target_price: '56690.00', amount: '0.3' });
    const id = await placed(one, { type: 1, target_price: '56700.00', amount: '0.5' });
    const order = await doneOrder(one, id);
    expect(order).toMatchObject({
      status: 2,
      cancelled: 0,
      filled_amount: '0.500000',
      fee: '0.00050000',
      fee_currency: 'BTC',
    });
    const usdt = await eventuallySatisfied(
      () => balanceOf(one, USDT),
      (now) => change(now, before.buyerUsdt, 'change_balance') === -2833451200000n,
    );
    expect(change(usdt, before.buyerUsdt, 'lock_change_balance')).toBe(0n);
    expect(change(await balanceOf(one, BTC), before.buyerBtc, 'change_balance')).toBe(49950000n);
    await eventuallySatisfied(
      () => balanceOf(three, USDT),
      (now) => change(now, before.sellerUsdt, 'change_balance') === 1698999300000n,
    );
  });

  test('as a market order it pays the same and releases the rest of its hold', async () => {
    await emptyBook();
    await placed(two, { type: 2, target_price: '56637.56', amount: '0.2' });
    await placed(three, { type: 2, target_price: '56690.00', amount: '0.3' });
    const before = await balanceOf(one, USDT);
    const id = await placed(one, { type: 1, order_type: 'market', amount: '0.5' });
    expect(await doneOrder(one, id)).toMatchObject({ cancelled: 0, filled_amount: '0.500000' });
    const after = await eventuallySatisfied(
      () => balanceOf(one, USDT),
      (now) => change(now, before, 'lock_change_balance') === 0n,
    );
    expect(change(after, before, 'change_balance')).toBe(-2833451200000n);
  });
});

describe('placing', () => {
  test('holds the funds, shows the order, and gives all back on cancel [SPOT-002]', async () => {
    const before = await balanceOf(one, USDT);
    const id = await placed(one, { type: 1, target_price: '50000.00', amount: '0.01' });
    const held = await eventuallySatisfied(
      () => balanceOf(one, USDT),
      (now) => change(now, before, 'lock_change_balance') === 50000000000n,
    );
    expect(change(held, before, 'change_balance')).toBe(-50000000000n);
    const holds = (await get('/api/wallet/holds', { currency: USDT }, { token: one })).body.message;
    expect(holds.some((hold) => hold.cause_id === id && units(hold.amount) === 50000000000n)).toBe(true);
    const listed = await eventuallySatisfied(
      async () => (await get('/api/coin/list', { page: 1, status: 1 }, { token: one })).body.message,
      ({ data }) => data.some((order) => order.id === id),
    );
    expect(listed.data.map((order) => order.id)).toContain(id);
    const cancelled = await cancel(one, id);
    expect(cancelled.body).toMatchObject({
      type: 'ok',
      key: 'trade.cancelled',
      id,
      order: { status: 2, cancelled: 1, cancel_reason: 'user' },
    });
    await eventuallySatisfied(
      () => balanceOf(one, USDT),
      (now) => change(now, before, 'change_balance') === 0n && change(now, before, 'lock_change_balance') === 0n,
    );
    expect(await keyOf(cancel(one, id))).toBe('trade.notOpen');
    const after = (await get('/api/coin/list', { page: 1 }, { token: one })).body.message;
    expect(after.data.map((order) => order.id)).not.toContain(id);
  });

  test('an open order is changed in place, with its hold and its place in time [SPOT-032]', async () => {
    await emptyBook();
    const before = await balanceOf(one, USDT);
    const id = await placed(one, { type: 1, target_price: '50000', amount: '0.01', client_order_id: 'amend-032' });
    const amend = (fields: Fields, token = one) => put('/api/coin/order', fields, { token });
    const held = (expected: bigint): Promise<unknown> =>
      eventuallySatisfied(
        () => balanceOf(one, USDT),
        (now) => change(now, before, 'lock_change_balance') === expected,
      );
    const larger = { target_price: '50001', amount: '0.02' };
    expect((await amend({ client_order_id: 'amend-032', ...larger })).body).toMatchObject({
      type: 'ok',
      key: 'trade.amended',
      id,
      priority: 0,
      order: { target_price: '50001.00', trade_amount: '0.020000', status: 1 },
    });
    await held(100_002_000_000n);
    expect((await amend({ id, amount: '0.005' })).body).toMatchObject({ type: 'ok', priority: 1 });
    await held(25_000_500_000n);
    expect(await orderOf(one, id)).toMatchObject({ target_price: '50001.00', trade_amount: '0.005000' });
    for (const [fields, key, field] of [
      [{ id }, 'common.fieldRequired', 'target_price'],
      [{ id, target_price: '0' }, 'cuy.pbPrice', 'target_price'],
      [{ id, target_price: '50000.001' }, 'trade.priceScale', 'target_price'],
      [{ id, amount: '0.00000001' }, 'trade.numberScale', 'amount'],
      [{ id, amount: '0.00001' }, 'quantity.rule', 'amount'],
      [{ id, amount: '9999' }, 'balance.insufficient', undefined],
      [{ amount: '1' }, 'common.fieldRequired', 'id'],
      [{ id: '1', amount: '1' }, 'common.notFound', undefined],
    ] as const) {
      const { body } = await amend(fields);
      expect([body.key, body.field]).toEqual([key, field]);
    }
    expect(await keyOf(amend({ id, amount: '1' }, two))).toBe('common.notFound');
    await placed(two, { type: 2, target_price: '50010', amount: '0.002' });
    expect((await amend({ id, target_price: '50010' })).body).toMatchObject({
      order: { filled_amount: '0.002000', status: 1 },
    });
    const filled = (await amend({ id, amount: '0.002' })).body;
    expect(filled).toMatchObject({ key: 'trade.amountFilled', field: 'amount', params: { filled: '0.002000' } });
    const maker = await placed(one, { type: 1, target_price: '49000', amount: '0.001', post_only: 1 });
    const ask = await placed(two, { type: 2, target_price: '50100', amount: '0.001' });
    expect((await amend({ id: maker, target_price: '50100' })).body).toMatchObject({
      key: 'trade.postOnly',
      field: 'target_price',
    });
    expect(await orderOf(one, maker)).toMatchObject({ status: 1, target_price: '49000.00' });
    for (const [token, order] of [
      [one, id],
      [one, maker],
      [two, ask],
    ] as const)
      await cancel(token, order);
    expect((await amend({ id, amount: '1' })).body).toMatchObject({
      key: 'trade.notOpen',
      params: { state: 'cancelled' },
    });
    await held(0n);
  });

  test('a trailing stop holds, follows the trades and starts at its trigger [SPOT-035]', async () => {
    await emptyBook();
    const tradeAt = async (price: string): Promise<void> => {
      await placed(two, { type: 2, target_price: price, amount: '0.001' });
      await doneOrder(three, await placed(three, { type: 1, target_price: price, amount: '0.001' }));
    };
    await tradeAt('50000');
    const btc = await balanceOf(one, BTC);
    const trailing = { type: 2, order_type: 'trailing_stop', amount: '0.01', trail_percent: '1.5' };
    for (const [fields, key, field] of [
      [{ trail_percent: undefined }, 'trade.trail', 'trail_percent'],
      [{ trail_amount: '10' }, 'trade.trail', 'trail_amount'],
      [{ trail_percent: '20.01' }, 'trade.trail', 'trail_percent'],
      [{ activation_price: '50000' }, 'trade.activationPrice', 'activation_price'],
      [{ stop_price: '49000' }, 'trade.flags', 'stop_price'],
    ] as const) {
      const { body } = await place(one, { ...trailing, ...fields } as Fields);
      expect([body.key, body.field]).toEqual([key, field]);
    }
    const id = await placed(one, { ...trailing, client_order_id: 'trail-035' });
    await eventuallySatisfied(
      () => balanceOf(one, BTC),
      (now) => change(now, btc, 'lock_change_balance') === 1_000_000n,
    );
    await tradeAt('52000');
    await tradeAt('51500');
    const moved = await eventuallySatisfied(
      () => orderOf(one, id),
      (order) => order.stop_price === '51220.00',
    );
    expect(moved).toMatchObject({ order_type: 'trailing_stop', trail_percent: '1.50', trail_active: 1, triggered: 0 });
    const list = (await get('/api/coin/list', { page: 1, status: 1 }, { token: one })).body.message;
    expect(list.data.find((order) => order.id === id)?.stop_price).toBe('51220.00');
    expect(await keyOf(put('/api/coin/order', { id, amount: '0.02' }, { token: one }))).toBe('trade.trailing');
    await placed(two, { type: 1, target_price: '51000', amount: '0.01' });
    await tradeAt('51220');
    expect(await doneOrder(one, id)).toMatchObject({
      triggered: 1,
      filled_amount: '0.010000',
      trade_price: '51000.00',
    });
    // A cancelled one gives its hold back.
    const other = await placed(one, { ...trailing, trail_percent: '20' });
    expect((await cancel(one, other)).body).toMatchObject({ type: 'ok', key: 'trade.cancelled' });
    await eventuallySatisfied(
      () => balanceOf(one, BTC),
      (now) => change(now, btc, 'lock_change_balance') === 0n,
    );
  });

  test('an OCO pair has one hold and one outcome; so have the exits of an order [SPOT-034]', async () => {
    await emptyBook();
    // The last price is 50000.
    await placed(two, { type: 2, target_price: '50000', amount: '0.001' });
    await doneOrder(three, await placed(three, { type: 1, target_price: '50000', amount: '0.001' }));
    const [btc, usdt] = [await balanceOf(one, BTC), await balanceOf(one, USDT)];
    const oco = (fields: Fields): Promise<Answered> =>
      post('/api/coin/oco', { ...BTC_USDT, ...fields }, { token: one });
    const legs = { type: 2, amount: '0.01', target_price: '52000', stop_price: '48000' };
    for (const [fields, key, field] of [
      [{ target_price: '49000' }, 'trade.ocoSide', 'target_price'],
      [{ stop_price: '50000' }, 'trade.stopPrice', 'stop_price'],
      [{ stop_limit_price: '0' }, 'cuy.psPrice', 'stop_limit_price'],
      [{ type: 1 }, 'trade.stopPrice', 'stop_price'],
      [{ amount: '900' }, 'balance.insufficient', undefined],
    ] as const) {
      const { body } = await oco({ ...legs, ...fields });
      expect([body.key, body.field]).toEqual([key, field]);
    }
    const pair = (await oco(legs)).body as unknown as { id: string; order: SpotOrder; stop_order: SpotOrder };
    expect(pair).toMatchObject({
      type: 'ok',
      key: 'trade.success',
      order: { id: pair.id, link_id: pair.stop_order.id, order_type: 'limit' },
      stop_order: { link_id: pair.id, order_type: 'stop_market', stop_price: '48000.00' },
    });
    const [limit, stop] = [pair.id, pair.stop_order.id];
    await eventuallySatisfied(
      () => balanceOf(one, BTC),
      (now) => change(now, btc, 'lock_change_balance') === 1_000_000n,
    );
    expect(await keyOf(put('/api/coin/order', { id: stop, amount: '0.02' }, { token: one }))).toBe('trade.linked');
    await placed(two, { type: 1, target_price: '52000', amount: '0.004' });
    expect(await doneOrder(one, stop)).toMatchObject({ cancel_reason: 'oco', filled_amount: '0.000000' });
    expect(await orderOf(one, limit)).toMatchObject({ status: 1, filled_amount: '0.004000' });
    expect((await cancel(one, limit)).body).toMatchObject({ type: 'ok', key: 'trade.cancelled' });
    await eventuallySatisfied(
      () => balanceOf(one, BTC),
      (now) => change(now, btc, 'lock_change_balance') === 0n,
    );

    const exits = { take_profit: '55000', stop_loss: '45000' };
    const bad = (await place(one, { type: 1, target_price: '50000', amount: '0.01', ...exits, stop_loss: '50001' }))
      .body;
    expect([bad.key, bad.field]).toEqual(['trade.exitSide', 'stop_loss']);
    await placed(two, { type: 2, target_price: '50000', amount: '0.01' });
    const parent = await placed(one, { type: 1, target_price: '50000', amount: '0.01', ...exits });
    const own = await eventuallySatisfied(
      async () => (await get('/api/coin/list', { page: 1, status: 1 }, { token: one })).body.message,
      ({ data }) => data.filter((order) => order.parent_id === parent).length === 2,
    );
    const placedExits = own.data.filter((order) => order.parent_id === parent);
    for (const exit of placedExits) expect(exit).toMatchObject({ type: 2, trade_amount: '0.009990' });
    // One cancel ends both, and all is free again.
    await cancel(one, placedExits[0]?.id ?? '');
    await doneOrder(one, placedExits[1]?.id ?? '');
    await eventuallySatisfied(
      async () => [await balanceOf(one, BTC), await balanceOf(one, USDT)] as const,
      ([coins, money]) =>
        change(coins, btc, 'lock_change_balance') === 0n && change(money, usdt, 'lock_change_balance') === 0n,
    );
  });

  test('a batch is answered item by item, as JSON and as a form; a list cancels [SPOT-033]', async () => {
    await emptyBook();
    const items = [
      { op: 'place', ...BTC_USDT, type: 1, target_price: '40000', amount: '0.01', client_order_id: 'batch-033' },
      { op: 'amend', client_order_id: 'batch-033', target_price: '40001' },
      { op: 'cancel', id: '1' },
      { op: 'place', ...BTC_USDT, type: 2, target_price: '90000', amount: '0.01' },
    ];
    const json = await fetch(`${BASE}/api/coin/batch`, {
      method: 'POST',
      headers: { authorization: one, 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    });
    const { type, message } = (await json.json()) as { type: string; message: Answered['body'][] };
    expect(type).toBe('ok');
    expect(message.map((outcome) => [outcome.type, outcome.key])).toEqual([
      ['ok', 'trade.success'],
      ['ok', 'trade.amended'],
      ['error', 'common.notFound'],
      ['ok', 'trade.success'],
    ]);
    expect(message[1]).toMatchObject({ id: message[0]?.['id'], order: { target_price: '40001.00' } });
    const form = await post('/api/coin/batch', { items: JSON.stringify([{ op: 'cancel', id: '2' }]) }, { token: one });
    expect(form.body).toMatchObject({ type: 'ok', message: [{ type: 'error', key: 'common.notFound', id: '2' }] });
    const ids = [message[0], message[3]].map((outcome) => String(outcome?.['id'])).join(',');
    const ended = await post('/api/coin/cancel', { ids, client_order_ids: 'batch-033' }, { token: one });
    expect((ended.body.message as Answered['body'][]).map(({ key }) => key)).toEqual([
      'trade.cancelled',
      'trade.cancelled',
      'trade.notOpen',
    ]);
    for (const fields of [{}, { items: '[]' }, { items: 'x' }, { items: '["cancel"]' }])
      expect((await post('/api/coin/batch', fields, { token: one })).body).toMatchObject({
        type: 'error',
        field: 'items',
      });
    expect((await post('/api/coin/cancel', {}, { token: one })).body).toMatchObject({ field: 'ids' });
  });

  test.each<[string, Fields, string]>([
    ['unknown pair', { currency_id: 99, type: 1, target_price: '1', amount: '1' }, 'pair.delisted'],
    ['empty pair', { currency_id: '', legal_id: '', type: 1, target_price: '1', amount: '1' }, 'pair.delisted'],
    ['buy without price', { type: 1, amount: '1' }, 'cuy.pbPrice'],
    ['buy at zero', { type: 1, target_price: '0', amount: '1' }, 'cuy.pbPrice'],
    ['sell without price', { type: 2, amount: '1' }, 'cuy.psPrice'],
    ['buy without amount', { type: 1, target_price: '50000' }, 'cuy.pbNum'],
    ['sell nothing', { type: 2, target_price: '50000', amount: '0' }, 'cuy.psNum'],
    ['price before amount', { type: 1 }, 'cuy.pbPrice'],
    ['too many price decimals', { type: 1, target_price: '50000.001', amount: '1' }, 'trade.priceScale'],
    ['too many amount decimals', { type: 1, target_price: '50000', amount: '0.0000001' }, 'trade.numberScale'],
    ['below the minimum', { type: 1, target_price: '1', amount: '0.5' }, 'quantity.rule'],
    [
      'post-only with IOC',
      { type: 1, target_price: '50000', amount: '0.01', post_only: 1, time_in_force: 'IOC' },
      'trade.flags',
    ],
    ['post-only market', { type: 1, order_type: 'market', amount: '0.01', post_only: 1 }, 'trade.flags'],
    ['more than there is', { type: 1, target_price: '50000', amount: '900' }, 'balance.insufficient'],
  ])('%s is refused and changes nothing [SPOT-003]', async (_, fields, key) => {
    const before = await balanceOf(one, USDT);
    const { status, body } = await place(one, fields);
    expect([status, body.type, body.key]).toEqual([200, 'error', key]);
    expect(await balanceOf(one, USDT)).toEqual(before);
  });

  test.each(['1e3', '-1', '+1'])(
    'an amount written %j is refused by its field [SPOT-003] [CLIENT-105]',
    async (amount) => {
      const { body } = await place(one, { type: 1, target_price: '50000', amount });
      expect(body).toMatchObject({ key: 'common.fieldInvalid', field: 'amount' });
    },
  );

  test.each(['0x10', 'NaN', '1,000', ' 1', '01', '1.', 'abc'])(
    'an amount written %j is refused as an amount [SPOT-003]',
    async (amount) => {
      expect(await keyOf(place(one, { type: 1, target_price: '50000', amount }))).toBe('cuy.pbNum');
    },
  );

  test('the gates answer in their order: fund password, then identity [SPOT-004]', async () => {
    const [newbie, nofund] = await Promise.all([signIn('newbie@demo.bourse'), signIn('nofund@demo.bourse')]);
    const order = { type: 1, target_price: '50000', amount: '0.01' };
    expect((await place(newbie, order)).body.type).toBe('not');
    expect((await place(nofund, order)).body).toMatchObject({ type: 'not', key: 'fund.notSet' });
    expect((await post('/api/coin/trade', { ...BTC_USDT, ...order })).body).toMatchObject({
      type: '999',
      key: 'auth.expired',
    });
  });

  test('the same client order id answers the first order again [SPOT-005]', async () => {
    const client = `c-${Date.now()}`;
    const first = await place(one, { type: 1, target_price: '40000', amount: '0.01', client_order_id: client });
    const second = await place(one, { type: 1, target_price: '41000', amount: '0.02', client_order_id: client });
    expect(second.body).toMatchObject({ type: 'ok', id: first.body.id, repeated: 1 });
    const found = (await get('/api/coin/order', { client_order_id: client }, { token: one })).body.message;
    expect(found).toMatchObject({ id: first.body.id, client_order_id: client });
    expect((await put('/api/coin/trade', { client_order_id: client }, { token: one })).body.type).toBe('ok');
  });

  test('one Idempotency-Key, one order; another body is refused; a refusal stays one [SPOT-006]', async () => {
    const key = { 'idempotency-key': `spot-${Date.now()}` };
    const order = { type: 1, target_price: '40000', amount: '0.01' };
    const first = await place(one, order, key);
    const again = await place(one, order, key);
    expect(first.body.type).toBe('ok');
    expect(again.body).toMatchObject({ type: 'ok', id: first.body.id });
    expect(await keyOf(place(one, { ...order, amount: '0.02' }, key))).toBe('common.keyReused');
    expect((await cancel(one, first.body.id)).body.type).toBe('ok');
    const poor = { 'idempotency-key': `poor-${Date.now()}` };
    expect(await keyOf(place(one, { ...order, amount: '900' }, poor))).toBe('balance.insufficient');
    expect(await keyOf(place(one, { ...order, amount: '900' }, poor))).toBe('balance.insufficient');
  });

  test('an entrust shows the filled and the remaining amount [SPOT-016]', async () => {
    const order = { ...BTC_USDT, target_price: '61000.00' };
    const sell = await post('/api/coin/trade', { ...order, type: 2, amount: '0.03' }, { token: one });
    await post('/api/coin/trade', { ...order, type: 1, amount: '0.01' }, { token: two });
    const listed = await eventuallySatisfied(
      async () => {
        const { body } = await post('/api/transaction_out', { page: 1 }, { token: one });
        const { list } = body.message;
        return list.find(({ id }) => id === sell.body.id);
      },
      (row) => Number(row?.complete_number) > 0,
    );
    expect(listed).toMatchObject({ total_number: '0.030000', complete_number: '0.010000', number: '0.020000' });
    await post('/api/transaction_del', { id: sell.body.id, type: 'out' }, { token: one });
  });

  test('in and out are buy and sell under other names [SPOT-007]', async () => {
    const buy = await post(
      '/api/transaction/in',
      { ...BTC_USDT, target_price: '40000', amount: '0.01' },
      { token: one },
    );
    const sell = await post(
      '/api/transaction/out',
      { ...BTC_USDT, target_price: '90000', amount: '0.01' },
      { token: one },
    );
    expect(buy.body).toMatchObject({ type: 'ok', order: { type: 1 } });
    expect(sell.body).toMatchObject({ type: 'ok', order: { type: 2 } });
    const listed = (path: string, { body }: Answered): Promise<unknown> =>
      eventuallySatisfied(
        async () => {
          const { message } = (await post(path, { page: 1 }, { token: one })).body as {
            message: { list: SpotOrder[] };
          };
          return message.list.find(({ id }) => id === body.id);
        },
        (row) => row !== undefined,
      );
    expect(await listed('/api/transaction_in', buy)).toMatchObject({ id: buy.body.id });
    expect(await listed('/api/transaction_out', sell)).toMatchObject({
      number: '0.010000',
      total_number: '0.010000',
    });
    expect((await post('/api/transaction_del', { id: sell.body.id, type: 'out' }, { token: one })).body.type).toBe(
      'ok',
    );
    expect((await post('/api/transaction_del', { id: buy.body.id, type: 'in' }, { token: one })).body.type).toBe('ok');
  });
});

describe('how orders end', () => {
  test('IOC fills what it can, FOK all or nothing, post-only never takes [SPOT-008]', async () => {
    await emptyBook();
    const ask = await placed(two, { type: 2, target_price: '56000', amount: '0.02' });
    const fok = await placed(one, { type: 1, target_price: '56000', amount: '0.03', time_in_force: 'FOK' });
    expect(await doneOrder(one, fok)).toMatchObject({ cancelled: 1, cancel_reason: 'fok', filled_amount: '0.000000' });
    const postOnly = await placed(one, { type: 1, target_price: '56000', amount: '0.01', post_only: 1 });
    expect(await doneOrder(one, postOnly)).toMatchObject({ cancelled: 1, cancel_reason: 'post_only' });
    const ioc = await placed(one, { type: 1, target_price: '56000', amount: '0.03', time_in_force: 'IOC' });
    expect(await doneOrder(one, ioc)).toMatchObject({ cancelled: 1, cancel_reason: 'ioc', filled_amount: '0.020000' });
    expect(await doneOrder(two, ask)).toMatchObject({ cancelled: 0, filled_amount: '0.020000' });
    const list = (await get('/api/coin/list', { page: 1, status: 2 }, { token: one })).body.message;
    expect(list.data.map(({ id }) => id)).toContain(ioc);
    expect(list.data.map(({ id }) => id)).not.toContain(fok);
  });

  test.each([
    ['cancel_newest', 'newest'],
    ['cancel_oldest', 'oldest'],
    ['cancel_both', 'both'],
  ] as const)('nobody trades with themselves: %s [SPOT-009]', async (stp, ends) => {
    await emptyBook();
    const resting = await placed(one, { type: 2, target_price: '56000', amount: '0.01' });
    const incoming = await placed(one, { type: 1, target_price: '56000', amount: '0.01', stp });
    if (ends !== 'oldest')
      expect(await doneOrder(one, incoming)).toMatchObject({
        cancelled: 1,
        cancel_reason: 'stp',
        filled_amount: '0.000000',
      });
    if (ends !== 'newest')
      expect(await doneOrder(one, resting)).toMatchObject({
        cancelled: 1,
        cancel_reason: 'stp',
        filled_amount: '0.000000',
      });
    if (ends === 'newest') expect((await orderOf(one, resting)).status).toBe(1);
    if (ends === 'oldest') expect((await orderOf(one, incoming)).status).toBe(1);
    await emptyBook();
  });

  test('a stop waits on the far side of last, then trades [SPOT-010]', async () => {
    await emptyBook();
    await placed(two, { type: 2, target_price: '56000', amount: '0.01' });
    await doneOrder(one, await placed(one, { type: 1, target_price: '56000', amount: '0.01' }));
    expect(
      await keyOf(
        place(one, { type: 1, order_type: 'stop_limit', stop_price: '55000', target_price: '55500', amount: '0.01' }),
      ),
    ).toBe('trade.stopPrice');
    const stop = await placed(one, {
      type: 1,
      order_type: 'stop_limit',
      stop_price: '56100',
      target_price: '56200',
      amount: '0.01',
    });
    expect(await orderOf(one, stop)).toMatchObject({ status: 1, triggered: 0 });
    const ask = await placed(two, { type: 2, target_price: '56100', amount: '0.02' });
    await doneOrder(three, await placed(three, { type: 1, target_price: '56100', amount: '0.01' }));
    expect(await doneOrder(one, stop)).toMatchObject({ cancelled: 0, triggered: 1, filled_amount: '0.010000' });
    expect(await doneOrder(two, ask)).toMatchObject({ cancelled: 0 });
  });

  test('a market order in an empty book is refused [SPOT-011]', async () => {
    await emptyBook();
    expect(await keyOf(eventuallyEmpty())).toBe('trade.bookEmpty');
  });

  test("another person's order does not exist for you [SPOT-012]", async () => {
    const id = await placed(one, { type: 1, target_price: '40000', amount: '0.01' });
    for (const answer of [
      cancel(two, id),
      get('/api/coin/order', { id }, { token: two }),
      cancel(two, '1'),
      get('/api/coin/order', { id: '1' }, { token: two }),
    ]) {
      expect((await answer).body).toMatchObject({ type: 'error', key: 'common.notFound' });
    }
    expect((await orderOf(one, id)).status).toBe(1);
    expect((await cancel(one, id)).body.type).toBe('ok');
  });

  test('operators from support up see orders of one person, or the open ones of all [SPOT-031]', async () => {
    await emptyBook();
    const [mine, theirs] = [
      await placed(one, { type: 1, target_price: '56000.00', amount: '0.001' }),
      await placed(two, { type: 1, target_price: '56001.00', amount: '0.001' }),
    ];
    const support = await operator('support1');
    const page = async (fields: Fields): Promise<{ data: (SpotOrder & { user_id: number })[]; total: number }> =>
      (await get('/api/admin/orders/spot', fields, { token: support })).body.message as never;
    // Other users may have orders too: these two are in the list of all, the newer one first, and on separate pages.
    const ours = async (): Promise<unknown[]> =>
      (await page({ page_size: '100' })).data
        .filter(({ user_id: id }) => id === oneId || id === twoId)
        .map((row) => [row.id, row.user_id, row.status]);
    const wanted = [
      [theirs, twoId, 1],
      [mine, oneId, 1],
    ];
    // The list follows the books: an order cancelled just before may still be in it for a moment.
    await eventuallySatisfied(ours, (rows) => JSON.stringify(rows) === JSON.stringify(wanted)).catch(() => undefined);
    expect(await ours()).toEqual(wanted);
    const alone = async (): Promise<string[]> => {
      const all = (await page({ page_size: '100' })).data.map(({ id }) => id);
      const pages = [theirs, mine].map((id) => page({ page_size: '1', page: String(all.indexOf(id) + 1) }));
      return (await Promise.all(pages)).flatMap((found) => found.data.map(({ id }) => id));
    };
    await eventuallySatisfied(alone, (ids) => ids.join() === [theirs, mine].join());
    await cancel(one, mine);
    const ofOne = await page({ user_id: String(oneId) });
    expect(new Set(ofOne.data.map((row) => row.user_id))).toEqual(new Set([oneId]));
    expect(ofOne.data.find(({ id }) => id === mine)).toBeUndefined();
    const ofTwo = await page({ user_id: String(twoId) });
    expect(new Set(ofTwo.data.map((row) => row.user_id))).toEqual(new Set([twoId]));
    expect(ofTwo.data.map(({ id }) => id)).toContain(theirs);
    expect(await page({ user_id: '999999' })).toMatchObject({ data: [], total: 0 });
    expect((await get('/api/admin/orders/spot', {}, { token: one })).status).toBe(403);
    expect((await get('/api/admin/orders/spot')).body.type).toBe('999');
    await emptyBook();
  });

  test('cancel_all cancels exactly the orders that it names [SPOT-013]', async () => {
    const btc = await placed(one, { type: 1, target_price: '40000', amount: '0.01' });
    const ltc = (
      await post(
        '/api/coin/trade',
        { legal_id: BTC, currency_id: LTC, type: 1, target_price: '0.001', amount: '1' },
        { token: one },
      )
    ).body.id;
    const ended = (await post('/api/coin/cancel_all', BTC_USDT, { token: one })).body;
    expect(ended.key).toBe('trade.cancelledAll');
    expect(ended['ids']).toEqual(expect.arrayContaining([btc]));
    expect((await orderOf(one, ltc)).status).toBe(1);
    expect((await post('/api/coin/cancel_all', {}, { token: one })).body['ids']).toContain(ltc);
  });

  test('fills and the completed list show both sides with their own fee [SPOT-014]', async () => {
    await emptyBook();
    const ask = await placed(two, { type: 2, target_price: '56000', amount: '0.01' });
    const bid = await placed(one, { type: 1, target_price: '56000', amount: '0.01' });
    await doneOrder(one, bid);
    const mine = (await get('/api/coin/fills', { order_id: bid }, { token: one })).body.message;
    expect(mine.data).toEqual([
      expect.objectContaining({
        order_id: bid,
        type: 1,
        price: '56000.00',
        number: '0.010000',
        fee: '0.00001000',
        fee_currency: 'BTC',
        role: 'taker',
      }),
    ]);
    const theirs = (await get('/api/coin/fills', { order_id: ask }, { token: two })).body.message;
    expect(theirs.data).toEqual([
      expect.objectContaining({ order_id: ask, type: 2, fee: '0.56000000', fee_currency: 'USDT', role: 'maker' }),
    ]);
    const complete = (await post('/api/transaction_complete', { page: 1 }, { token: two })).body.message;
    expect(complete.list[0]).toMatchObject({
      type: 'out',
      price: '56000.00',
      number: '0.010000',
      out_fee: '0.56000000',
    });
  });
});

test('the fee row of a statement is that of the fill, for both sides, in list and CSV [SPOT-030]', async () => {
  await emptyBook();
  const ask = await placed(two, { type: 2, target_price: '56000', amount: '0.02' });
  const bid = await placed(one, { type: 1, target_price: '56100', amount: '0.02' });
  await doneOrder(one, bid);
  for (const [token, order, gross] of [
    [one, bid, '0.02000000'],
    [two, ask, '1120.00000000'],
  ] as const) {
    const fills = (await get('/api/coin/fills', { order_id: order }, { token })).body.message;
    const [fill] = fills.data;
    const lines = await eventuallySatisfied(
      async () => (await get('/api/statement/list', { cause_type: 'trade', page: 1 }, { token })).body.message.data,
      (rows) => rows.some(({ value }) => value === `-${fill?.fee ?? ''}`),
    );
    const journal = lines.find(({ value }) => value === `-${fill?.fee ?? ''}`)?.journal_id;
    const ofFill = lines.filter(({ journal_id }) => journal_id === journal);
    expect(ofFill.filter(({ is_fee }) => is_fee === 1)).toEqual([
      expect.objectContaining({
        value: `-${fill?.fee ?? ''}`,
        currency_name: fill?.fee_currency,
        account: 'change',
        state: 'available',
      }),
    ]);
    expect(ofFill).toContainEqual(
      expect.objectContaining({ value: gross, currency_name: fill?.fee_currency, state: 'available', is_fee: 0 }),
    );
    const { text: csv } = await get('/api/statement/export', { cause_type: 'trade' }, { token });
    const fees = csv.split('\n').filter((line) => line.includes(`,${journal ?? ''},`) && line.split(',')[6] === '1');
    expect(fees).toHaveLength(1);
    expect(fees[0]).toContain(`,${fill?.fee_currency ?? ''},-${fill?.fee ?? ''},`);
  }
});

describe('the files of own orders and trades [SPOT-036]', () => {
  const exported = async (token: string, fields: Fields): Promise<Readonly<Record<string, string>>[]> => {
    const answer = await get('/api/coin/export', fields, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${String(fields['kind'])}.csv"`);
    const [head = '', ...lines] = answer.text.trimEnd().split('\n');
    const columns = head.split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((text, at) => [columns[at] ?? '', text])));
  };
  /** All rows of a list. */
  const readAll = async <Row>(
    read: (page: number) => Promise<{ readonly data: readonly Row[]; readonly has_more: 0 | 1 }>,
  ): Promise<Row[]> => {
    const rows: Row[] = [];
    for (let page = 1; ; page++) {
      const { data, has_more } = await read(page);
      rows.push(...data);
      if (has_more === 0) return rows;
    }
  };
  const OLDEST_FIRST = { order: 'asc', limit: 100 };
  const listedOrders = (token: string, fields: Fields): Promise<SpotOrder[]> =>
    readAll(
      async (page) => (await get('/api/coin/list', { ...fields, ...OLDEST_FIRST, page }, { token })).body.message,
    );
  const listedFills = (token: string, fields: Fields): Promise<RowOf<'GET /api/coin/fills'>[]> =>
    readAll(
      async (page) => (await get('/api/coin/fills', { ...fields, ...OLDEST_FIRST, page }, { token })).body.message,
    );
  const iso = (ms: number): string => new Date(ms).toISOString();
  const side = (type: 1 | 2): string => (type === 1 ? 'buy' : 'sell');
  const orderRow = (order: SpotOrder): Record<string, string> => ({
    time: iso(order.ts),
    order_id: order.id,
    client_order_id: order.client_order_id.startsWith('-') ? `'${order.client_order_id}` : order.client_order_id,
    pair: order.symbol,
    side: side(order.type),
    type: order.order_type,
    time_in_force: order.time_in_force,
    price: order.target_price,
    stop_price: order.stop_price,
    amount: order.trade_amount,
    filled: order.filled_amount,
    average_price: order.trade_price,
    fee: order.fee,
    fee_currency: order.fee_currency,
    state: order.status === 1 ? 'open' : order.cancelled === 1 ? 'cancelled' : 'filled',
    cancel_reason: order.cancel_reason,
    updated: iso(order.updated_ts),
    trigger_by: order.trigger_by ?? '',
  });
  const tradeRow = (fill: RowOf<'GET /api/coin/fills'>): Record<string, string> => ({
    time: iso(fill.ts),
    trade_id: fill.id,
    order_id: fill.order_id,
    pair: fill.symbol,
    side: side(fill.type),
    price: fill.price,
    amount: fill.number,
    total: fill.total,
    fee: fill.fee,
    fee_currency: fill.fee_currency,
    role: fill.role,
  });
  /** Orders of one time are in the file by their id. */
  const byTime = (rows: readonly Readonly<Record<string, string>>[]) =>
    rows.toSorted((a, b) => (`${a['time']} ${a['order_id']}` < `${b['time']} ${b['order_id']}` ? -1 : 1));

  test('equal the lists digit by digit, of everything and by pair, state and period', async () => {
    await emptyBook();
    const ask = await placed(two, { type: 2, target_price: '56000', amount: '0.02' });
    const bid = await placed(one, { type: 1, target_price: '56000', amount: '0.01', client_order_id: '-1a' });
    await doneOrder(one, bid);
    await placed(one, { type: 1, target_price: '41000', amount: '0.01' });
    // Behind every other bid: files that run beside this one trade the pair.
    const { body } = await place(one, { currency_id: LTC, type: 1, target_price: '0.01', amount: '1000' });
    expect(body).toMatchObject({ type: 'ok' });
    const { ts } = await orderOf(one, bid);
    const ltc = { legal_id: USDT, currency_id: LTC };
    for (const [fields, pair] of [
      [{}, {}],
      [ltc, { legal_id: USDT, currency: LTC }],
      [{ status: 2 }, { status: 2 }],
      [{ status: 1 }, { status: 1 }],
      [
        { from: ts, legal_id: USDT },
        { from: ts, legal_id: USDT },
      ],
      [{ to: ts }, { to: ts }],
      [
        { from: ts, to: ts - 1 },
        { from: ts, to: ts - 1 },
      ],
    ] as [Fields, Fields][]) {
      const rows = await exported(one, { kind: 'orders', ...fields });
      expect(byTime(rows)).toEqual(byTime((await listedOrders(one, pair)).map(orderRow)));
      expect(rows.map(({ time }) => time)).toEqual(rows.map(({ time }) => time).toSorted());
    }
    expect((await exported(one, { kind: 'orders', ...ltc })).map(({ pair }) => pair)).toContain('LTC/USDT');
    expect(await exported(one, { kind: 'trades', ...ltc })).toEqual([]);
    for (const [token, order, role] of [
      [one, bid, 'taker'],
      [two, ask, 'maker'],
    ] as const)
      for (const fields of [{}, BTC_USDT, { from: ts }, { to: ts - 1 }]) {
        const rows = await exported(token, { kind: 'trades', ...fields });
        expect(rows).toEqual((await listedFills(token, fields)).map(tradeRow));
        if (!('to' in fields)) expect(rows.at(-1)).toMatchObject({ order_id: order, role });
      }
  });

  test('have no row of another person, and none without a session', async () => {
    const [ownOrders, ownTrades] = [await exported(one, { kind: 'orders' }), await exported(one, { kind: 'trades' })];
    const theirs = new Set((await exported(two, { kind: 'orders' })).map(({ order_id }) => order_id));
    expect(theirs.size).toBeGreaterThan(0);
    for (const { order_id } of [...ownOrders, ...ownTrades]) expect(theirs).not.toContain(order_id);
    const named = await exported(one, { kind: 'trades', user_id: twoId });
    expect(named).toEqual(ownTrades);
    expect((await get('/api/coin/export', { kind: 'trades' })).body.type).not.toBe('ok');
  });

  test.each<[Fields, string, string]>([
    [{}, 'common.fieldRequired', 'kind'],
    [{ kind: 'positions' }, 'common.fieldInvalid', 'kind'],
    [{ kind: 'trades', legal_id: 'x' }, 'common.fieldInvalid', 'legal_id'],
    [{ kind: 'trades', currency_id: '-1' }, 'common.fieldInvalid', 'currency_id'],
    [{ kind: 'orders', status: 3 }, 'common.fieldInvalid', 'status'],
    [{ kind: 'orders', from: '2026-01-01' }, 'common.fieldInvalid', 'from'],
    [{ kind: 'orders', to: '1.5' }, 'common.fieldInvalid', 'to'],
  ])('are refused for %j with %s of %s', async (fields, key, field) => {
    expect((await get('/api/coin/export', fields, { token: one })).body).toMatchObject({ type: 'error', key, field });
  });

  test('have each order once while others are placed', async () => {
    const before = (await exported(three, { kind: 'orders' })).map(({ order_id }) => order_id);
    const places = Array.from({ length: 5 }, () => placed(three, { type: 1, target_price: '40000', amount: '0.001' }));
    const during = await exported(three, { kind: 'orders' });
    await Promise.all(places);
    const ids = during.map(({ order_id }) => order_id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.slice(0, before.length)).toEqual(before);
    expect(await exported(three, { kind: 'orders' })).toHaveLength(before.length + 5);
  });
});

test('after all of it every balance is explained and the audit is quiet [SPOT-015]', async () => {
  await emptyBook();
  for (const token of [one, two, three]) {
    const { body } = await get('/api/statement/check', {}, { token });
    expect(body).toMatchObject({ type: 'ok', message: { ok: 1 } });
  }
  expect(await findFailingChecks()).toEqual([]);
});

/** The depth a market order is checked by may be a moment old. */
async function eventuallyEmpty(): Promise<Answered> {
  return eventuallySatisfied(
    () => place(one, { type: 1, order_type: 'market', amount: '0.01' }),
    ({ body }) => body.key === 'trade.bookEmpty',
  );
}
