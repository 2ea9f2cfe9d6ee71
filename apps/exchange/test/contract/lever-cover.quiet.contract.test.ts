import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LeverClosedPush, LeverPosition } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { balanceOf, connect, get, post, trader, type Fields } from './client.js';
import { operator } from './people.js';

// Runs without house quotes (MAKER=off) and with a scripted feed: these tests write the mark price.
const USDT = 3;
const BTC_USDT = { legal_id: USDT, currency_id: 1 };
const QUIET_PRICE = '56637.56';
const START = '60000.00';
/** The price after it: a side of the pair loses five times its margin at a multiple of 100. */
const RISEN = '63000.00';
const HANDS = 60;

let token: string;

/** Writes a price, and waits until the exchange judges by it. */
async function priceIs(price: string): Promise<void> {
  const file = process.env['BOURSE_FEED'];
  if (!file) throw new Error('BOURSE_FEED must name the scripted feed; `npm test` sets it');
  appendFileSync(file, `${JSON.stringify({ symbol: 'BTC/USDT', price })}\n`);
  await eventuallySatisfied(
    async () => (await post('/api/lever/deal', BTC_USDT, { token })).body.message.mark_price,
    (mark) => mark === price,
    10_000,
  );
}
const call = (path: string, fields: Fields) => post(`/api/lever/${path}`, fields, { token });
async function opened(type: 1 | 2, more: Fields = {}): Promise<LeverPosition> {
  const { body } = await call('submit', { ...BTC_USDT, type, status: 1, multiple: 100, share: HANDS, ...more });
  expect(body).toMatchObject({ type: 'ok', key: 'lever.success' });
  return body.order as LeverPosition;
}
const closedAs = async (id: string): Promise<LeverPosition> =>
  eventuallySatisfied(
    async () => {
      const { body } = await call('my_trade', { status: 3 });
      const { order } = body.message as { order: { data: LeverPosition[] } };
      return order.data.find((one) => one.id === id);
    },
    (one) => one !== undefined,
    15_000,
  ) as Promise<LeverPosition>;
const change = async (number: string, from: string, to: string): Promise<void> => {
  const { body } = await post(
    '/api/wallet/change',
    { currency_id: USDT, number, from_field: from, to_field: to },
    { token },
  );
  expect(body).toMatchObject({ type: 'ok' });
};
/** Returns the balance of the leverage account, available and held, in units. */
const balance = async (): Promise<{ free: bigint; held: bigint }> => {
  const { lever_balance: free = '0', lock_lever_balance: held = '0' } = await balanceOf(token, USDT);
  return { free: toUnits(free, 8), held: toUnits(held, 8) };
};
async function fund(): Promise<bigint> {
  const { body } = await get('/api/admin/house', {}, { token: await operator('finance1') });
  const rows = body.message;
  return toUnits(
    rows.find(({ account, currency }) => account === 'h.lever_fund' && currency === 'USDT')?.balance ?? '0',
    8,
  );
}
/** Fees and spread of one opening, which prices do not give back: known from its answer. */
const spent = ({ trade_fee: fee, price, number, type }: LeverPosition): bigint => {
  const spread = (toUnits(price, 2) - toUnits(START, 2)) * toUnits(number, 6);
  return toUnits(fee, 8) + (type === 1 ? spread : -spread);
};

beforeAll(async () => {
  token = await trader(1);
  await priceIs(START);
});
afterAll(async () => {
  await call('batch_close', { type: 0 });
  await priceIs(QUIET_PRICE);
});

describe('a long and a short of one size, and the price goes [LEVER-086] [HARD-401]', () => {
  async function begin(): Promise<{ long: LeverPosition; short: LeverPosition; worth: bigint; fund: bigint }> {
    await call('batch_close', { type: 0 });
    const { free } = await eventuallySatisfied(balance, ({ held }) => held === 0n, 15_000);
    if (free > 0n) await change((await balanceOf(token, USDT)).lever_balance!, 'lever', 'change');
    await change('1000', 'change', 'lever');
    await priceIs(START);
    const [long, short] = [await opened(1), await opened(2)];
    return { long, short, worth: 1_000n * 10n ** 8n - spent(long) - spent(short), fund: await fund() };
  }
  /** Nothing is held, prices have given nothing, and the fund has paid nothing. */
  async function endsWith(began: { readonly worth: bigint; readonly fund: bigint }): Promise<void> {
    const { free } = await eventuallySatisfied(balance, ({ held }) => held === 0n, 15_000);
    expect(free).toBe(began.worth);
    expect(await fund()).toBe(began.fund);
  }

  test('the losing side is refused with the ids that must close too, and closes with them', async () => {
    const began = await begin();
    await priceIs(RISEN);
    for (const [path, fields] of [
      ['close', { id: began.short.id }],
      ['batch_close', { type: 2, legal_id: USDT }],
      ['close', { id: began.short.id, cover: 0 }],
    ] as const)
      expect((await call(path, fields)).body).toMatchObject({ key: 'lever.closeCover', ids: [began.long.id] });
    expect((await call('close', { id: began.short.id, cover: 2 })).body).toMatchObject({ key: 'common.fieldInvalid' });
    const socket = await connect(token);
    const told: LeverClosedPush[] = [];
    socket.on('lever_closed', (push: LeverClosedPush) => told.push(push));
    expect(await socket.emitWithAck('login', 100001)).toMatchObject({ type: 'ok' });
    const { body } = await call('close', { id: began.short.id, cover: 1 });
    expect(body).toMatchObject({
      type: 'ok',
      key: 'lever.closed',
      order: { id: began.short.id, closed_type: 1, fund_paid: '0.00000000' },
      ids: [began.long.id],
    });
    expect(await closedAs(began.long.id)).toMatchObject({ closed_type: 6, fund_paid: '0.00000000' });
    await eventuallySatisfied(
      () => Promise.resolve(told.length),
      (number) => number === 2,
      10_000,
    );
    socket.close();
    const reasons = told.map(({ ids, closed_type: type }) => [type, ids]);
    expect(reasons.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
      [1, [began.short.id]],
      [6, [began.long.id]],
    ]);
    await endsWith(began);
  });

  test('a batch of one direction closes with cover and names all', async () => {
    const began = await begin();
    await priceIs(RISEN);
    const { body } = await call('batch_close', { type: 2, legal_id: USDT, cover: 1 });
    expect(body).toMatchObject({ type: 'ok', ids: [began.short.id, began.long.id] });
    await endsWith(began);
  });

  test('a stop takes the winning side along without asking', async () => {
    const began = await begin();
    // Before the liquidation price of the short if the long did not change.
    const stops = { id: began.short.id, target_profit_price: '0', stop_loss_price: '60100' };
    expect((await call('setstop', stops)).body).toMatchObject({ key: 'lever.stopsSet' });
    await priceIs(RISEN);
    expect(await closedAs(began.short.id)).toMatchObject({ closed_type: 4, fund_paid: '0.00000000' });
    expect(await closedAs(began.long.id)).toMatchObject({ closed_type: 6 });
    await endsWith(began);
  });
});
