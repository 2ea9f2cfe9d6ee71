import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LeverClosedPush, LeverDeal, LeverPosition, LeverTradePush } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { balanceOf, connect, get, post, type Answered, type Fields } from './client.js';
import { createTrader, done, type Person } from './people.js';

// Runs without house quotes (MAKER=off) and with a scripted feed: these tests write the mark price.
const USDT = 3;
const ADA_USDT = { legal_id: USDT, currency_id: 7 };
/** One hand is 100 ADA: 40 USDT. */
const START = '0.40000';
/** Far below every price of these tests: 20 USDT a hand. */
const FAR: Fields = { ...ADA_USDT, type: 1, status: 0, multiple: 100, share: 1, target_price: '0.2' };
const LONG: Fields = { ...ADA_USDT, type: 1, status: 1, multiple: 20, share: 1 };
const MAX = 100;
/** Five kinds of calls at this pace are 40 calls a second. */
const PACE_MS = 125;

const call = (path: string, fields: Fields, { token }: Person) => post(`/api/lever/${path}`, fields, { token });
const submit = async (fields: Fields, person: Person): Promise<LeverPosition> =>
  (await done(call('submit', fields, person))).order as LeverPosition;
const markOf = async (person: Person): Promise<string> =>
  ((await call('deal', ADA_USDT, person)).body.message as LeverDeal).mark_price;

/** Writes a price, and waits until the exchange judges by it. */
async function priceIs(price: string, person: Person): Promise<void> {
  const file = process.env['BOURSE_FEED'];
  if (!file) throw new Error('BOURSE_FEED must name the scripted feed; `npm test` sets it');
  appendFileSync(file, `${JSON.stringify({ symbol: 'ADA/USDT', price })}\n`);
  await eventuallySatisfied(
    () => markOf(person),
    (mark) => mark === price,
    10_000,
  );
}

let person: Person;
let quiet: string;
beforeAll(async () => {
  person = await createTrader({ lever: { [USDT]: '1000' } });
  quiet = await markOf(person);
  await priceIs(START, person);
});
afterAll(async () => {
  await call('batch_close', { type: 0 }, person);
  await priceIs(quiet, person);
});

test('a position worth less than 10 USDT is refused with the least value [LEVER-095] [HARD-405]', async () => {
  for (const path of ['preview', 'submit']) {
    expect((await call(path, { ...FAR, target_price: '0.0998' }, person)).body).toMatchObject({
      key: 'quantity.rule',
      params: { min: '10.00000000' },
    });
  }
  const { id } = await submit({ ...FAR, target_price: '0.1' }, person);
  await done(call('cancel', { id }, person));
});

test('a position is found by its id or its client id, by its owner alone [LEVER-099]', async () => {
  const other = await createTrader();
  const order = await submit({ ...FAR, client_id: 'limits-1' }, person);
  const found = async (fields: Fields, by = person): Promise<Answered['body']> =>
    (await get('/api/lever/order', fields, { token: by.token })).body;
  for (const fields of [{ id: order.id }, { client_id: 'limits-1' }])
    expect(await found(fields)).toMatchObject({
      type: 'ok',
      message: { id: order.id, client_id: 'limits-1', status: 0 },
    });
  for (const fields of [{ id: order.id }, { client_id: 'limits-1' }])
    expect(await found(fields, other)).toMatchObject({ key: 'common.notFound' });
  expect(await found({ client_id: 'limits-2' })).toMatchObject({ key: 'common.notFound' });
  expect(await found({})).toMatchObject({ key: 'common.fieldRequired', field: 'id' });
  await done(call('cancel', { id: order.id }, person));
  // Ended positions are found as well.
  expect(await found({ client_id: 'limits-1' })).toMatchObject({ message: { id: order.id, status: 4 } });
});

test('a push carries a pending order once, and all open positions each time [LEVER-097] [HARD-405]', async () => {
  const owner = await createTrader({ lever: { [USDT]: '200' } });
  const open = await submit(LONG, owner);
  const socket = await connect(owner.token);
  const states: LeverTradePush[] = [];
  try {
    socket.on('lever_trade', (push: LeverTradePush) => states.push(push));
    expect(await socket.emitWithAck('login', owner.id)).toMatchObject({ type: 'ok' });
    const pending = await submit(FAR, owner);
    const named = (): number => states.findIndex((push) => push.trades_entrust.some(({ id }) => id === pending.id));
    await eventuallySatisfied(
      () => Promise.resolve(named() >= 0 && states.length >= named() + 3),
      (isSo) => isSo,
      15_000,
    );
    expect(states.filter((push) => push.trades_entrust.length > 0)).toHaveLength(1);
    for (const push of states) expect(push.trades_all.map(({ id }) => id)).toEqual([open.id]);
  } finally {
    socket.close();
    await call('batch_close', { type: 0 }, owner);
  }
});

test('a part close pays the part once and leaves the rest open with its stops [LEVER-103]', async () => {
  const owner = await createTrader({ lever: { [USDT]: '200' } });
  const balance = async () => {
    const { lever_balance: free = '0', lock_lever_balance: held = '0' } = await balanceOf(owner.token, USDT);
    return { free: toUnits(free, 8), held: toUnits(held, 8) };
  };
  const found = async (id: string): Promise<LeverPosition> =>
    (await get('/api/lever/order', { id }, { token: owner.token })).body.message as LeverPosition;
  const opened = await submit({ ...LONG, share: 3, stop_loss_price: '0.39', client_id: 'part-1' }, owner);
  const close = (share: string, headers = {}): Promise<Answered> =>
    post('/api/lever/close', { id: opened.id, share }, { token: owner.token, headers });
  const socket = await connect(owner.token);
  const ended: LeverClosedPush[] = [];
  try {
    socket.on('lever_closed', (push: LeverClosedPush) => ended.push(push));
    expect(await socket.emitWithAck('login', owner.id)).toMatchObject({ type: 'ok' });
    for (const share of ['0', '-1', '1.5', 'x'])
      expect((await close(share)).body).toMatchObject({ key: 'lever.shareInteger', field: 'share' });
    expect((await close('4')).body).toMatchObject({ key: 'lever.shareMax', field: 'share', params: { max: 3 } });
    expect(await found(opened.id)).toMatchObject({ status: 1, share: 3 });

    const before = await balance();
    const headers = { 'Idempotency-Key': `part-${owner.id}` };
    const body = await done(close('1', headers));
    expect((await close('1', headers)).body).toMatchObject({ key: 'lever.closed', part: body['part'] });
    const { order, part } = body as unknown as { order: LeverPosition; part: LeverPosition };
    expect(order).toMatchObject({
      ...{ id: opened.id, status: 1, share: 2, number: '200.0000', client_id: 'part-1' },
      ...{ price: opened.price, stop_loss_price: opened.stop_loss_price, trade_fee: opened.trade_fee },
    });
    expect(order).not.toHaveProperty('part_of');
    expect(part).toMatchObject({ part_of: opened.id, status: 3, closed_type: 1, share: 1, client_id: '' });
    const [left, freed] = [toUnits(order.caution_money, 8), toUnits(part.caution_money, 8)];
    expect(freed).toBe(toUnits(opened.caution_money, 8) / 3n);
    expect(left + freed).toBe(toUnits(opened.caution_money, 8));
    const moved = freed + toUnits(part.profits, 8);
    await eventuallySatisfied(balance, ({ free, held }) => free === before.free + moved && held === left, 10_000);
    expect(await found(opened.id)).toMatchObject({ status: 1, share: 2, caution_money: order.caution_money });
    expect(await found(part.id)).toMatchObject({ status: 3, part_of: opened.id });
    expect((await call('close', { id: part.id }, owner)).body).toMatchObject({ key: 'lever.state' });

    // As many as there are is a whole close.
    expect((await done(close('2'))).order).toMatchObject({ id: opened.id, status: 3, share: 2 });
    await eventuallySatisfied(balance, ({ held }) => held === 0n, 10_000);
    await eventuallySatisfied(
      () => Promise.resolve(ended.flatMap(({ ids }) => ids)),
      (ids) => ids.join() === [part.id, opened.id].join(),
      10_000,
    );
    expect((await close('1')).body).toMatchObject({ key: 'lever.state' });
  } finally {
    socket.close();
    await call('batch_close', { type: 0 }, owner);
  }
});

describe('a hundred pending orders [HARD-404] [HARD-405]', () => {
  test('are the most of a person in a quote, until one is cancelled [LEVER-096]', async () => {
    const ids: string[] = [];
    while (ids.length < MAX) ids.push((await submit(FAR, person)).id);
    for (const fields of [FAR, LONG])
      expect((await call('submit', fields, person)).body).toMatchObject({ key: 'lever.tooMany', params: { max: MAX } });
    await done(call('cancel', { id: ids[0] }, person));
    const { id } = await submit(LONG, person);
    await done(call('close', { id }, person));
  });

  test('and calls of all kinds without a pause do not hold up a stop, nor trigger orders [LEVER-090]', async () => {
    const { id } = await submit(LONG, person);
    const stop = { id, target_profit_price: '', stop_loss_price: '0.395' };
    await done(call('setstop', stop, person));
    const transfer = (from_field: string, to_field: string) =>
      post('/api/wallet/change', { currency_id: USDT, number: '0.01', from_field, to_field }, { token: person.token });
    const kinds: readonly (() => Promise<Answered>)[] = [
      () => call('setstop', stop, person),
      () => call('setstop', { ...stop, stop_loss_price: '0.5' }, person),
      () => transfer('lever', 'change'),
      () => transfer('change', 'lever'),
      () => call('batch_close', { type: 2 }, person),
    ];
    let isOver = false;
    const floods = kinds.map(async (send) => {
      while (!isOver) await Promise.all([send(), sleep(PACE_MS)]);
    });
    try {
      await priceIs('0.39000', person);
      const closed = await eventuallySatisfied(
        async () => (await get('/api/lever/order', { id }, { token: person.token })).body.message,
        ({ status }) => status === 3,
        2_000,
      );
      expect(closed).toMatchObject({ closed_type: 4 });
      // All of them are touched by one price, and open together.
      await priceIs('0.19900', person);
      await eventuallySatisfied(
        async () => {
          const { body } = await call('my_trade', { status: 0 }, person);
          return (body.message as { order: { total: number } }).order.total;
        },
        (total) => total === 0,
        2_000,
      );
    } finally {
      isOver = true;
      await Promise.all(floods);
      // Closing a hundred positions may take longer than the call waits for its outcome.
      await call('batch_close', { type: 0 }, person);
      await eventuallySatisfied(
        async () => (await call('my_trade', { status: 1 }, person)).body.message as { order: { total: number } },
        ({ order }) => order.total === 0,
        12_000,
      );
      await priceIs(START, person);
    }
  });
});
