import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { LeverClosedPush, LeverDeal, LeverPosition, LeverTradePush } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { balanceOf, connect, get, post, type Fields } from './client.js';
import { inboxOf } from './inbox.js';
import { createTraders, done, operator, saveSetting } from './people.js';

// Runs without house quotes (MAKER=off) and with a scripted feed: these tests write the mark price.
const BTC = 1,
  USDT = 3;
const BTC_USDT = { legal_id: USDT, currency_id: BTC };
const LONG = 1;
const NIGHT_MS = 86_400_000;
/** The price of the quiet market's feed before and after. */
const QUIET_PRICE = '56637.56';
/** Of the example of rules §3. */
const START = '60000.00';

let token: string, other: string;
let [userId, otherId]: [number, number] = [0, 0];

/** Writes a line of the feed. */
function feedSays(line: { symbol: string; price?: string; silent?: true }): void {
  const file = process.env['BOURSE_FEED'];
  if (!file) throw new Error('BOURSE_FEED must name the scripted feed; `npm test` sets it');
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}
/** Writes a price, and waits until the exchange judges by it. */
async function priceIs(price: string, pair: typeof BTC_USDT = BTC_USDT, symbol = 'BTC/USDT'): Promise<void> {
  feedSays({ symbol, price });
  await eventuallySatisfied(
    async () => (await deal(pair)).mark_price,
    (mark) => mark === price,
    10_000,
  );
}
const deal = async (pair: Fields = BTC_USDT, as = token): Promise<LeverDeal> =>
  (await post('/api/lever/deal', pair, { token: as })).body.message;
const submit = (fields: Fields, as = token, headers: Record<string, string> = {}) =>
  post(
    '/api/lever/submit',
    { ...BTC_USDT, type: LONG, status: 1, multiple: 20, share: 10, ...fields },
    { token: as, headers },
  );
async function opened(fields: Fields = {}, as = token): Promise<LeverPosition> {
  const { body } = await submit(fields, as);
  expect(body).toMatchObject({ type: 'ok', key: 'lever.success' });
  return body.order;
}
async function position(id: string, as = token): Promise<LeverPosition> {
  const { body } = await post('/api/lever/my_trade', {}, { token: as });
  const { order } = body.message;
  const found = order.data.find((one) => one.id === id);
  if (!found) throw new Error(`position ${id} is not listed`);
  return found;
}
const inStatus = (id: string, status: number, as = token): Promise<LeverPosition> =>
  eventuallySatisfied(
    () => position(id, as),
    (one) => one.status === status,
    15_000,
  );
const lever = async (as = token): Promise<{ free: string; held: string }> => {
  const { lever_balance: free = '', lock_lever_balance: held = '' } = await balanceOf(as, USDT);
  return { free, held };
};
const transfer = (number: string, from: string, to: string, as = token, headers = {}) =>
  post('/api/wallet/change', { currency_id: USDT, number, from_field: from, to_field: to }, { token: as, headers });
/** Closes all, and leaves so much in lever. */
async function beginWith(amount: string, as = token): Promise<void> {
  const { body } = await post('/api/lever/my_trade', { status: 0 }, { token: as });
  for (const { id } of body.message.order.data) await post('/api/lever/cancel', { id }, { token: as });
  await post('/api/lever/batch_close', { type: 0 }, { token: as });
  const free = await eventuallySatisfied(
    () => lever(as),
    ({ held }) => Number(held) === 0,
    15_000,
  );
  if (Number(free.free) > 0) expect((await transfer(free.free, 'lever', 'change', as)).body.type).toBe('ok');
  expect((await transfer(amount, 'change', 'lever', as)).body.type).toBe('ok');
  expect((await lever(as)).free).toBe(`${amount}.00000000`);
}
const risk = async (as = token): Promise<string> => (await deal(BTC_USDT, as)).hazard_rate;

/** Returns the house's balances for leverage, in units of USDT. */
async function house(): Promise<{ lever: bigint; fund: bigint }> {
  const { body } = await get('/api/admin/house', {}, { token: await operator('finance1') });
  const rows = body.message;
  const of = (account: string): bigint =>
    toUnits(rows.find((row) => row.account === account && row.currency === 'USDT')?.balance ?? '0', 8);
  return { lever: of('h.lever'), fund: of('h.lever_fund') };
}

beforeAll(async () => {
  const [one, two] = await createTraders(2, { change: { [USDT]: '20000' } });
  [token, other, userId, otherId] = [one.token, two.token, one.id, two.id];
  await priceIs(START);
});
afterAll(async () => {
  await Promise.all([token, other].map((each) => post('/api/lever/batch_close', { type: 0 }, { token: each })));
  await priceIs(QUIET_PRICE);
});

describe('the worked example of rules §3 [LEVER-001]', () => {
  test('opens, gains, pays its night and closes to the last digit', async () => {
    await beginWith('1000');
    const preview = (
      await post('/api/lever/preview', { ...BTC_USDT, type: LONG, status: 1, multiple: 20, share: 10 }, { token })
    ).body.message;
    expect(preview).toEqual({
      price: '60060.00',
      number: '0.100000',
      contract_value: '6006.00000000',
      caution_money: '300.30000000',
      trade_fee: '3.00300000',
      hazard_rate: '330.00',
      liquidation_price: '53393.33',
      max_share: 27,
    });
    const order = await opened();
    expect(order).toMatchObject({
      status: 1,
      status_name: 'open',
      type: LONG,
      price: '60060.00',
      origin_price: START,
      number: '0.100000',
      caution_money: '300.30000000',
      origin_caution_money: '300.30000000',
      trade_fee: '3.00300000',
      liquidation_price: '53393.33',
      profits: '-6.00000000',
      closed_type: 0,
    });
    expect(await lever()).toEqual({ free: '696.69700000', held: '300.30000000' });
    expect(await risk()).toBe('330.00');
    await priceIs('61000.00');
    expect(await risk()).toBe('363.30');
    expect(await position(order.id)).toMatchObject({ profits: '94.00000000', liquidation_price: '53393.33' });

    // The house's published figures include it [LEVER-040]; positions that other tests left open may add to it.
    await eventuallySatisfied(
      async () => (await get('/api/status')).body.message,
      ({ house }) => toUnits(house['lever']?.['USDT']?.owed_at_most ?? '0', 8) >= toUnits('94', 8),
      15_000,
    );

    const { now } = (await get('/dev/clock')).body.message as { now: number };
    await post('/dev/clock', { set: String((Math.floor(now / NIGHT_MS) + 1) * NIGHT_MS + 60_000) });
    const charged = await eventuallySatisfied(
      () => position(order.id),
      ({ overnight_money }) => overnight_money !== '0.00000000',
      15_000,
    );
    expect(charged).toMatchObject({ overnight_money: '0.06006000', caution_money: '300.23994000' });
    await eventuallySatisfied(lever, ({ held }) => held === '300.23994000');
    await eventuallySatisfied(
      () => deal(),
      ({ mark_price }) => mark_price === '61000.00',
    );
    const closed = await eventuallySatisfied(
      () => post('/api/lever/close', { id: order.id }, { token }),
      ({ body }) => body.key !== 'market.stale',
      15_000,
    );
    expect(closed.body).toMatchObject({
      type: 'ok',
      key: 'lever.closed',
      order: { status: 3, closed_type: 1, update_price: '61000.00', profits: '94.00000000', fund_paid: '0.00000000' },
    });
    await inStatus(order.id, 3);
    // 1,090.997 less the night's 0.06006.
    expect(await lever()).toEqual({ free: '1090.93694000', held: '0.00000000' });
  });

  test('27 hands open, 28 do not', async () => {
    await priceIs(START);
    await beginWith('1000');
    expect((await submit({ share: 28 })).body).toMatchObject({
      type: 'error',
      key: 'lever.riskOpen',
      params: { rate: '115.93', max_share: 27 },
    });
    expect(await lever()).toEqual({ free: '1000.00000000', held: '0.00000000' });
    const order = await opened({ share: 27 });
    expect(await risk()).toBe('120.34');
    await post('/api/lever/close', { id: order.id }, { token });
    await inStatus(order.id, 3);
  });

  test('without a night the close leaves 1,090.997', async () => {
    await priceIs(START);
    await beginWith('1000');
    const order = await opened();
    await priceIs('61000.00');
    await post('/api/lever/close', { id: order.id }, { token });
    await inStatus(order.id, 3);
    expect((await lever()).free).toBe('1090.99700000');
  });

  test('the worth of today has the unrealized profit, and a close leaves it as it is [WALLET-042]', async () => {
    await priceIs(START);
    await beginWith('1000');
    const order = await opened();
    const worth = async (): Promise<bigint> => {
      const { body } = await get('/api/wallet/equity', { days: 7 }, { token });
      return toUnits(body.message.days.at(-1)?.equity ?? '0', 8);
    };
    const before = await worth();
    await priceIs('61000.00');
    const gained = before + toUnits('100', 8);
    await eventuallySatisfied(worth, (now) => now === gained, 10_000);
    await post('/api/lever/close', { id: order.id }, { token });
    await inStatus(order.id, 3);
    expect(await worth()).toBe(gained);
  });

  test('a gap to 50,000 liquidates at the mark: the balance is 0, the fund pays 9.003', async () => {
    await priceIs(START);
    await beginWith('1000');
    const before = await house();
    const inbox = await inboxOf(token);
    const order = await opened();
    const socket = await connect(token);
    const told = new Promise<LeverClosedPush>((resolve) => socket.once('lever_closed', resolve));
    expect(await socket.emitWithAck('login', userId)).toMatchObject({ type: 'ok' });
    await priceIs('50000.00');
    expect(await inStatus(order.id, 3)).toMatchObject({
      closed_type: 2,
      update_price: '50000.00',
      profits: '-1006.00000000',
      // The account had 996.997, the fund bore the rest.
      fund_paid: '9.00300000',
    });
    expect(await lever()).toEqual({ free: '0.00000000', held: '0.00000000' });
    expect(await told).toMatchObject({ type: 'lever_closed', ids: [order.id], legal_id: USDT, closed_type: 2 });
    socket.close();
    await inbox.receives(
      'Position liquidated: BTC/USDT · Your position was closed because its margin no longer covered the risk. ' +
        'Result: -1006 USDT.',
    );
    const after = await house();
    expect(after.fund - before.fund).toBe(-900_300_000n);
    expect(after.lever - before.lever).toBe(100_600_000_000n);
  });
});

describe('orders against the house', () => {
  const as = (path: string, fields: Fields, who = token) => post(path, fields, { token: who });
  const refused = async (path: string, fields: Fields, who = token): Promise<unknown> => {
    const { body } = await as(path, fields, who);
    return body.type === 'error' ? [body.key, body['field'] ?? '', body['params'] ?? {}] : body;
  };
  const market = { ...BTC_USDT, type: LONG, status: 1, multiple: 20, share: 10 };

  test('a submit is refused by the first thing that is wrong with it [LEVER-042]', async () => {
    await priceIs(START);
    await beginWith('1000');
    // Each line corrects the error of the previous one: the order is that of rules §12.6.
    let fields: Fields = { currency_id: 999, status: 0, share: 0, target_profit_price: '-1' };
    const next = async (mended: Fields, key: string, field: string, params: object = {}): Promise<void> => {
      fields = { ...fields, ...mended };
      expect(await refused('/api/lever/submit', { ...BTC_USDT, type: LONG, ...fields })).toEqual([key, field, params]);
    };
    await next({}, 'pair.delisted', 'currency_id');
    await next({ currency_id: BTC }, 'lever.multipleRequired', 'multiple', { field: 'multiple' });
    await next({ multiple: 7 }, 'lever.multipleInvalid', 'multiple');
    await next({ multiple: 20 }, 'lever.priceRequired', 'target_price');
    await next({ target_price: '60000.01', share: '1.5' }, 'lever.shareInteger', 'share', { field: 'share' });
    await next({ share: 0 }, 'lever.shareMin', 'share', { min: 1 });
    await next({ share: 1001 }, 'lever.shareMax', 'share', { max: 1000 });
    await next({ share: 1000 }, 'lever.entrustSide', 'target_price');
    await next({ target_price: '59000' }, 'lever.stopNegative', 'target_profit_price');
    await next({ target_profit_price: '58000' }, 'lever.stopSide', 'target_profit_price');
    await next({ target_profit_price: '' }, 'balance.insufficient', '', expect.anything());
    await next({ status: 1, share: 28 }, 'lever.riskOpen', '', { rate: '115.93', max_share: 27 });
    expect(await lever()).toEqual({ free: '1000.00000000', held: '0.00000000' });
  });

  test('a position of another user is not found, an ended one has a state [LEVER-043]', async () => {
    await beginWith('1000');
    const { id } = await opened();
    for (const path of ['/api/lever/close', '/api/lever/cancel', '/api/lever/setstop'])
      expect(await refused(path, { id }, other)).toEqual(['common.notFound', '', {}]);
    expect(await refused('/api/lever/cancel', { id })).toEqual(['lever.state', '', {}]);
    await as('/api/lever/close', { id });
    await inStatus(id, 3);
    for (const path of ['/api/lever/close', '/api/lever/setstop'])
      expect(await refused(path, { id })).toEqual(['lever.state', '', {}]);
  });

  test('a transfer out leaves a rate of 150: the most that may go goes, a unit more does not [LEVER-044]', async () => {
    await beginWith('1000');
    const { id } = await opened();
    // Equity 990.997; 150 % of the margin 300.30 must stay.
    const { body } = await transfer('540.54700001', 'lever', 'change');
    expect(body).toMatchObject({ type: 'error', key: 'lever.transferRisk', params: { max: '540.54700000' } });
    expect((await transfer('540.547', 'lever', 'change')).body).toMatchObject({ type: 'ok', key: 'transfer.success' });
    expect(await risk()).toBe('150.00');
    expect((await transfer('0.00000001', 'lever', 'change')).body).toMatchObject({ key: 'lever.transferRisk' });
    await as('/api/lever/close', { id });
    await inStatus(id, 3);
    const { free } = await lever();
    expect((await transfer(free, 'lever', 'change')).body.type).toBe('ok');
  });

  // The wallet receives the call and forwards it: a query by the key must still find it, or the client would repeat it.
  test('a transfer out is found by the key of its call, its refusal too [EDGE-006] [LEVER-044]', async () => {
    await beginWith('10');
    for (const [number, told] of [
      ['10.5', { type: 'error', key: 'balance.insufficient' }],
      ['10', { type: 'ok', key: 'transfer.success' }],
    ] as const) {
      const key = `lever-out-${Date.now()}`;
      const { body } = await transfer(number, 'lever', 'change', token, { 'idempotency-key': key });
      expect(body).toMatchObject(told);
      const found = await get('/api/command', { key }, { token });
      expect(found.body).toMatchObject({ ...told, ...(body.id === undefined ? {} : { id: body.id }) });
    }
  });

  test('a touch order holds margin and fee, gives both back, or opens at its own price [LEVER-045]', async () => {
    await beginWith('1000');
    const limit = { ...market, status: 0, target_price: '59000' };
    const revoked = (await as('/api/lever/submit', limit)).body.order as LeverPosition;
    // 59,059.00 with the spread; margin 295.295, fee 2.95295.
    expect(revoked).toMatchObject({ status: 0, price: '59059.00', origin_price: '59000.00' });
    expect(await lever()).toEqual({ free: '701.75205000', held: '298.24795000' });
    expect((await as('/api/lever/cancel', { id: revoked.id })).body).toMatchObject({ key: 'lever.cancelled' });
    await inStatus(revoked.id, 4);
    expect(await lever()).toEqual({ free: '1000.00000000', held: '0.00000000' });

    const inbox = await inboxOf(token);
    const touched = (await as('/api/lever/submit', limit)).body.order as LeverPosition;
    await priceIs('59000.01');
    expect(await position(touched.id)).toMatchObject({ status: 0 });
    await priceIs('58990.00');
    expect(await inStatus(touched.id, 1)).toMatchObject({ price: '59059.00', caution_money: '295.29500000' });
    expect(await eventuallySatisfied(lever, ({ held }) => held === '295.29500000')).toEqual({
      free: '701.75205000',
      held: '295.29500000',
    });
    await as('/api/lever/close', { id: touched.id });
    await inStatus(touched.id, 3);
    const isOpen = 'Position opened: BTC/USDT · Your limit order has opened a position at 59059.00 USDT.';
    await inbox.receives(isOpen);
    // A close by the user sends no notice.
    expect(await inbox.words()).toEqual([isOpen]);
  });

  test('stops are on their side, are changed and removed, close at their mark price [LEVER-046]', async () => {
    await priceIs(START);
    await beginWith('1000');
    const inbox = await inboxOf(token);
    const [{ id }, { id: kept }] = [await opened({ target_profit_price: '61000' }), await opened({ share: 1 })];
    const stops = (target: string, stop: string): Fields => ({
      id,
      target_profit_price: target,
      stop_loss_price: stop,
    });
    expect(await refused('/api/lever/setstop', stops('60050', ''))).toEqual([
      'lever.stopSide',
      'target_profit_price',
      {},
    ]);
    expect(await refused('/api/lever/setstop', stops('', '60010'))).toEqual(['lever.stopSide', 'stop_loss_price', {}]);
    expect(await refused('/api/lever/setstop', stops('', '-1'))).toEqual(['lever.stopNegative', 'stop_loss_price', {}]);
    const { liquidation_price: limit } = await position(id);
    expect(await refused('/api/lever/setstop', stops('', limit))).toEqual([
      'lever.stopBeyondLiquidation',
      'stop_loss_price',
      { limit },
    ]);
    for (const [target, stop, told] of [
      ['62000', '59500', { target_profit_price: '62000.00', stop_loss_price: '59500.00' }],
      ['62000', '', { target_profit_price: '62000.00', stop_loss_price: '0.00' }],
    ] as const)
      expect((await as('/api/lever/setstop', stops(target, stop))).body).toMatchObject({ type: 'ok', order: told });
    await priceIs('59400.00');
    expect(await position(id)).toMatchObject({ status: 1 });
    await priceIs('62010.00');
    expect(await inStatus(id, 3)).toMatchObject({ closed_type: 3, update_price: '62010.00', profits: '195.00000000' });
    expect(await position(kept)).toMatchObject({ status: 1 });
    await as('/api/lever/setstop', { id: kept, target_profit_price: '', stop_loss_price: '59900' });
    await priceIs('59890.00');
    expect(await inStatus(kept, 3)).toMatchObject({ closed_type: 4, update_price: '59890.00', profits: '-1.70000000' });
    await inbox.receives(
      'Take-profit reached: BTC/USDT · Your position was closed at its take-profit. Result: +195 USDT.',
      'Stop-loss reached: BTC/USDT · Your position was closed at its stop-loss. Result: -1.7 USDT.',
    );
  });

  test('a batch closes those of one direction, or all; each is booked [LEVER-047]', async () => {
    await priceIs(START);
    await beginWith('1000');
    const [one, two, short] = [
      await opened({ share: 2 }),
      await opened({ share: 3 }),
      await opened({ share: 1, type: 2 }),
    ];
    const longs = (await as('/api/lever/batch_close', { type: 1 })).body;
    expect(longs).toMatchObject({ type: 'ok', key: 'lever.closed' });
    expect((longs['ids'] as string[]).toSorted()).toEqual([one.id, two.id].toSorted());
    for (const { id } of [one, two]) await inStatus(id, 3);
    expect(await position(short.id)).toMatchObject({ status: 1 });
    expect((await as('/api/lever/batch_close', { type: 0 })).body['ids']).toEqual([short.id]);
    await inStatus(short.id, 3);
    expect((await as('/api/lever/batch_close', { type: 0 })).body['ids']).toEqual([]);
    expect(await refused('/api/lever/batch_close', { type: 3 })).toEqual([
      'common.fieldInvalid',
      'type',
      { field: 'type' },
    ]);
    // 6 hands in all: spread and fees are gone, nothing is held.
    expect((await lever()).held).toBe('0.00000000');
  });

  test('lists show each state, of this quote or all, page by page [LEVER-048]', async () => {
    await beginWith('1000');
    const live = await opened({ share: 1 });
    const list = async (fields: Fields): Promise<LeverPosition[]> => {
      const { message } = (await as('/api/lever/my_trade', fields)).body;
      return (message as { order: { data: LeverPosition[] } }).order.data;
    };
    for (const status of [0, 1, 3, 4]) for (const one of await list({ status })) expect(one).toMatchObject({ status });
    expect((await list({ status: 1 })).map(({ id }) => id)).toEqual([live.id]);
    expect((await list({ legal_id: BTC })).map(({ id }) => id)).toEqual([]);
    const [first, second] = [await list({ status: 3, page: 1 }), await list({ status: 3, page: 2 })];
    expect(first).toHaveLength(10);
    expect(second.map(({ id }) => id).filter((id) => first.some((one) => one.id === id))).toEqual([]);
    const { message } = (await as('/api/lever/dealall', BTC_USDT)).body;
    const all = message as { order: { data: LeverPosition[] }; hazard_rate: string };
    expect(all.order.data.map(({ id }) => id)).toEqual([live.id]);
    expect(all.hazard_rate).toBe(await risk());
  });
});

describe('the file of closed positions [LEVER-113]', () => {
  const exported = async (fields: Fields = {}, as = token): Promise<Readonly<Record<string, string>>[]> => {
    const answer = await get('/api/lever/export', fields, { token: as });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="positions.csv"');
    const [head = '', ...lines] = answer.text.trimEnd().split('\n');
    const columns = head.split(',');
    return lines.map((line) => Object.fromEntries(line.split(',').map((text, at) => [columns[at] ?? '', text])));
  };

  test('has each closed position once, by the time of its close, with the figures of the list', async () => {
    await beginWith('1000');
    const [first, second, live] = [await opened({ share: 1 }), await opened({ share: 2 }), await opened({ share: 1 })];
    for (const { id } of [second, first]) {
      await post('/api/lever/close', { id }, { token });
      await inStatus(id, 3);
    }
    const rows = await exported();
    const ids = rows.map((row) => row['position_id']);
    expect(ids.slice(-2)).toEqual([second.id, first.id]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(live.id);
    const times = rows.map((row) => Date.parse(row['time'] ?? ''));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const closed = await position(second.id);
    expect(rows.at(-2)).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      position_id: second.id,
      part_of: '',
      client_id: '',
      pair: 'BTC/USDT',
      side: 'long',
      multiple: '20',
      share: '2',
      number: closed.number,
      opened: expect.stringMatching(/Z$/),
      open_price: closed.price,
      close_price: closed.update_price,
      margin: closed.origin_caution_money,
      trade_fee: closed.trade_fee,
      night_fees: closed.overnight_money,
      profit: closed.profits,
      fund_paid: closed.fund_paid,
      currency: 'USDT',
      closed_by: 'user',
    });
    // From a close on, both ends inclusive; of another pair, and of another person.
    const [from, to] = [times.at(-2) ?? 0, times.at(-1) ?? 0];
    expect((await exported({ from, to })).map((row) => row['position_id'])).toEqual(
      ids.filter((_, at) => (times[at] ?? 0) >= from),
    );
    expect(await exported({ legal_id: USDT, currency_id: 2 })).toEqual([]);
    expect((await exported({}, other)).map((row) => row['position_id'])).not.toContain(first.id);
    expect((await get('/api/lever/export', { from: 'x' }, { token })).body).toMatchObject({ field: 'from' });
    expect((await get('/api/lever/export')).body.type).not.toBe('ok');
    await post('/api/lever/batch_close', { type: 0 }, { token });
    await inStatus(live.id, 3);
  });
});

describe('a quote that there is not [LEVER-006]', () => {
  test('closes nothing, lists nothing, and prevents no close by a stop', async () => {
    await priceIs(START);
    await beginWith('1000');
    const order = await opened({ stop_loss_price: '59900' });
    for (const legal_id of ['999', '3000000000']) {
      const batch = await post('/api/lever/batch_close', { type: 0, legal_id }, { token });
      expect(batch.body).toMatchObject({ type: 'ok', ids: [] });
      for (const list of ['/api/lever/my_trade', '/api/lever/dealall'])
        expect((await post(list, { legal_id }, { token })).body).toMatchObject({
          key: 'common.fieldInvalid',
          field: 'legal_id',
        });
    }
    await priceIs('59800.00');
    expect(await inStatus(order.id, 3)).toMatchObject({ closed_type: 4, update_price: '59800.00' });
  });
});

describe('a price that has grown old [LEVER-055]', () => {
  const ETH_USDT = { legal_id: USDT, currency_id: 2 };
  const eth = (price: string): Promise<void> => priceIs(price, ETH_USDT, 'ETH/USDT');
  afterAll(() => eth('4173.46'));

  test('opens, closes, stops, liquidates nothing, a late one neither; a fresh one follows the rules', async () => {
    await priceIs(START);
    await eth('4000.00');
    await beginWith('1000');
    await beginWith('1000', other);
    // Each would close or open at 50,000; the one of another market shows that prices are still processed.
    const [kept, stopped] = [await opened(), await opened({ share: 1, stop_loss_price: '59500' })];
    const touch = await opened({ share: 1, status: 0, target_price: '58000' });
    const witness = await opened({ ...ETH_USDT, share: 1, stop_loss_price: '3950' }, other);
    const before = await lever();

    feedSays({ symbol: 'BTC/USDT', silent: true });
    await eth('4000.01'); // lines are read in their order: the silence has begun
    await post('/dev/clock', { advance_seconds: 12 });
    const stale = async (path: string, fields: Fields): Promise<void> =>
      expect((await post(path, fields, { token })).body).toMatchObject({ type: 'error', key: 'market.stale' });
    const another = { ...BTC_USDT, type: LONG, status: 1, multiple: 20, share: 1 };
    for (const path of ['/api/lever/preview', '/api/lever/submit']) await stale(path, another);
    await stale('/api/lever/close', { id: kept.id });
    await stale('/api/lever/batch_close', { type: 0 });
    await stale('/api/wallet/change', { currency_id: USDT, number: '1', from_field: 'lever', to_field: 'change' });
    feedSays({ symbol: 'BTC/USDT', price: '50000.00', silent: true });
    feedSays({ symbol: 'ETH/USDT', price: '3900.00' });
    expect(await inStatus(witness.id, 3, other)).toMatchObject({ closed_type: 4, update_price: '3900.00' });
    for (const [{ id }, status] of [[kept, 1] as const, [stopped, 1] as const, [touch, 0] as const])
      expect(await position(id)).toMatchObject({ status });
    expect(await lever()).toEqual(before);

    await priceIs('59400.00');
    expect(await inStatus(stopped.id, 3)).toMatchObject({ closed_type: 4, update_price: '59400.00' });
    for (const [{ id }, status] of [[kept, 1] as const, [touch, 0] as const])
      expect(await position(id)).toMatchObject({ status });
    // A pending order may be revoked whatever the price is.
    await post('/api/lever/cancel', { id: touch.id }, { token });
    await inStatus(touch.id, 4);
    await priceIs('50000.00');
    expect(await inStatus(kept.id, 3)).toMatchObject({ closed_type: 2, update_price: '50000.00' });
    expect((await lever()).held).toBe('0.00000000');
  });
});

describe('visibility of positions [LEVER-007]', () => {
  test('only their owner gets pushes; operators see them, people do not see the list of operators', async () => {
    await priceIs(START);
    await beginWith('1000');
    const { id } = await opened({ share: 1 });
    const heard: string[] = [];
    const [mine, theirs] = [await connect(token), await connect(other)];
    try {
      theirs.on('lever_closed', ({ ids }: LeverClosedPush) => heard.push(...ids));
      theirs.on('lever_trade', (push: { trades_all: LeverPosition[] }) =>
        heard.push(...push.trades_all.map((one) => one.id)),
      );
      const shown = new Promise<unknown>((resolve) =>
        mine.on('lever_trade', (push: { trades_all: LeverPosition[] }) => {
          if (push.trades_all.some((one) => one.id === id)) resolve(push);
        }),
      );
      const closed = new Promise<LeverClosedPush>((resolve) => mine.once('lever_closed', resolve));
      expect(await theirs.emitWithAck('login', otherId)).toMatchObject({ type: 'ok' });
      expect(await mine.emitWithAck('login', userId)).toMatchObject({ type: 'ok' });
      expect(await shown).toMatchObject({
        ...{ type: 'lever_trade', legal_id: USDT, trades_entrust: [] },
        ...{ trades_all: [{ id, profits: '-0.60000000' }], profits: '-0.60000000', profits_all: '-0.60000000' },
        hazard_rate: await risk(),
      });
      const rows = (as: string) => get('/api/admin/orders/lever', { user_id: userId }, { token: as });
      const seen = (await rows(await operator('support1'))).body.message;
      expect(seen.data.find((row) => row.id === id)).toMatchObject({ user_id: userId, status: 1 });
      expect(new Set(seen.data.map((row) => row['user_id']))).toEqual(new Set([userId]));
      expect((await rows(token)).status).toBe(403);
      await post('/api/lever/close', { id }, { token });
      expect(await closed).toMatchObject({ type: 'lever_closed', ids: [id], legal_id: USDT, closed_type: 1 });
      expect(heard).toEqual([]);
    } finally {
      mine.close();
      theirs.close();
    }
  });
});

describe('pushes while positions are open [LEVER-008]', () => {
  test('at most one state a second whatever changes, the newest one last, equal to the lists', async () => {
    await priceIs(START);
    await beginWith('1000');
    const { id } = await opened({ share: 2 });
    await opened({ share: 1, status: 0, target_price: '50000' });
    const states: LeverTradePush[] = [];
    const socket = await connect(token);
    try {
      socket.on('lever_trade', (push: LeverTradePush) => states.push(push));
      expect(await socket.emitWithAck('login', userId)).toMatchObject({ type: 'ok' });
      // Each of these changes the push; several arrive in a second on an idle machine.
      let changes = 0;
      while (states.length < 3) {
        changes += 1;
        if (changes % 2 === 0) await priceIs(`600${10 + (changes % 50)}.00`);
        const stops = { id, target_profit_price: '', stop_loss_price: String(57_000 + (changes % 100)) };
        expect((await post('/api/lever/setstop', stops, { token })).body.type).toBe('ok');
      }
      await priceIs('60100.00');
      const list = async (status: number): Promise<{ order: { data: LeverPosition[] }; [figure: string]: unknown }> =>
        (await post('/api/lever/my_trade', { status }, { token })).body.message as never;
      const [open, pending] = [await list(1), await list(0)];
      expect(open.order.data).toMatchObject([{ id, profits: '0.80000000' }]);
      expect(pending.order.data).toHaveLength(1);
      const said = {
        ...{ type: 'lever_trade', legal_id: USDT, trades_all: open.order.data, trades_entrust: [] },
        ...{ hazard_rate: open['hazard_rate'], profits: open['profits'], profits_all: open['profits_total'] },
      };
      const newest = await eventuallySatisfied(
        () => states.at(-1)!,
        (push) => push.trades_all[0]?.profits === '0.80000000',
        15_000,
      );
      expect(newest).toEqual({ ...said, ts: newest.ts, user_seq: newest.user_seq });
      // By the server's time of sending: delays of the network do not count.
      const pauses = states.slice(1).map((push, place) => push.ts - states[place]!.ts);
      expect(pauses.filter((pause) => pause < 950)).toEqual([]);
    } finally {
      socket.close();
    }
  });
});

describe("operators' list of positions [LEVER-009]", () => {
  test('of one person or of all, page by page, for support and above, with nothing personal', async () => {
    const list = (fields: Fields, as?: string) => get('/api/admin/orders/lever', fields, { token: as });
    const support = await operator('support1');
    const page = async (fields: Fields): Promise<{ data: LeverPosition[]; total: number; has_more: number }> =>
      (await done(list(fields, support))).message as never;
    await beginWith('1000');
    const mine = await opened({ share: 1 });
    await beginWith('1000', other);
    const theirs = await opened({ share: 1 }, other);

    const all = await page({ page_size: 2 });
    expect(all.data.map((row) => [row.id, (row as unknown as Fields)['user_id']])).toEqual([
      [theirs.id, otherId],
      [mine.id, userId],
    ]);
    const own = await page({ user_id: userId, page_size: 2 });
    expect(own.data[0]!.id).toBe(mine.id);
    expect(own).toMatchObject({ has_more: 1 });
    expect(own.total).toBeLessThan(all.total);
    const second = await page({ user_id: userId, page_size: 2, page: 2 });
    expect(second.total).toBe(own.total);
    const ids = [...own.data, ...second.data].map((row) => row.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(await page({ user_id: 999_999 })).toMatchObject({ data: [], total: 0, has_more: 0 });
    // The owner's view and the user id: no name, no address, nothing to mask.
    expect(Object.keys(own.data[0]!).toSorted()).toEqual(
      [...Object.keys(await position(mine.id)), 'user_id'].toSorted(),
    );
    expect((await list({}, other)).status).toBe(403);
    expect((await list({})).body.type).toBe('999');
    expect((await list({ user_id: 'x' }, support)).body).toMatchObject({
      key: 'common.fieldInvalid',
      field: 'user_id',
    });
  });
});

describe('cover of the house [LEVER-010]', () => {
  test('open notional is at most five times its balance; one unit more is refused without a debit', async () => {
    const shareMax = async (value: string): Promise<void> => {
      await done(saveSetting('lever.share_max', value));
      await eventuallySatisfied(
        async () => (await deal()).lever_share_limit.max,
        (max) => max === Number(value),
        15_000,
      );
    };
    await priceIs(START);
    await beginWith('1000', other);
    await beginWith('1000');
    await shareMax('0');
    try {
      const order = await opened({ share: 7 });
      const before = await lever();
      // 600.60 USDT a hand; cover 20 %, and seven hands are open already.
      const most = ((await house()).lever * 5n) / toUnits('600.6', 8) - 7n;
      for (const path of ['/api/lever/preview', '/api/lever/submit']) {
        const asked = async (share: bigint): Promise<unknown> =>
          (await post(path, { ...BTC_USDT, type: LONG, status: 1, multiple: 100, share: String(share) }, { token }))
            .body;
        expect(await asked(most + 1n)).toMatchObject({ type: 'error', key: 'lever.houseLimit' });
        // The next refusal in the order of rules §12.6: the house could cover it.
        expect(await asked(most)).toMatchObject({ type: 'error', key: 'balance.insufficient' });
      }
      expect(await lever()).toEqual(before);
      expect((await opened({ share: 1 })).share).toBe(1);
      await post('/api/lever/close', { id: order.id }, { token });
      await inStatus(order.id, 3);
    } finally {
      await shareMax('1000');
    }
  });
});
