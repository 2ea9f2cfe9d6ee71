import { beforeAll, describe, expect, test } from '@jest/globals';
import type { QuotationItem, SpotFill, SpotOrder, TradeRecord } from '@bourse/contract';
import { formatUnits, toUnits } from '@bourse/money';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post, put, type Fields } from './client.js';
import { createMerchant, createTraders, done, FUND, type Person } from './people.js';

// Runs where no house account quotes (MAKER=off), on DOGE/USDT, which no other file trades.
const DOGE_USDT = { legal_id: 3, currency_id: 6 };
const PRICES = ['0.40001', '0.40002', '0.40003', '0.40004', '0.40005'] as const;

let seller: Person;
let buyer: Person;
/** Ids of one side's orders, in the order in which they were placed, with their fills and trades. */
let placed: string[];
let fills: SpotFill[];

const read = async <X>(path: string, fields: Fields, { token }: Pick<Person, 'token'>): Promise<X[]> => {
  const { body } = await get(path, { ...DOGE_USDT, limit: 100, ...fields }, { token });
  expect(body).toMatchObject({ type: 'ok' });
  const { data, list } = body.message as { data?: X[]; list?: X[] };
  return data ?? list ?? [];
};
const place = async (fields: Fields, { token }: Person): Promise<string> =>
  (await done(post('/api/coin/trade', { ...DOGE_USDT, amount: '10', ...fields }, { token }))).id;
const spanOf = (rows: readonly { ts: number }[]): { from: number; to: number } => ({
  from: Math.min(...rows.map(({ ts }) => ts)),
  to: Math.max(...rows.map(({ ts }) => ts)),
});
const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
const numberOf = ({ id }: { id: string }): number => Number(id.split('-').at(-1));
const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

beforeAll(async () => {
  [seller, buyer] = await createTraders(2, { change: { 3: '1000', 6: '1000' } });
  placed = [];
  for (const target_price of PRICES) placed.push(await place({ type: 2, target_price }, seller));
  // One order takes all five at once: the trades are of the same time, or nearly so.
  await place({ type: 1, target_price: '0.40005', amount: '50' }, buyer);
  fills = await eventuallySatisfied(
    () => read<SpotFill>('/api/coin/fills', { currency: 6 }, seller),
    (found) => found.length === PRICES.length,
  );
});

describe('a list by time [CLIENT-100]', () => {
  test('orders, fills and trades state their milliseconds beside the text', async () => {
    const orders = await read<SpotOrder>('/api/coin/list', { currency: 6 }, seller);
    for (const { ts, updated_ts, created_at, updated_at } of orders) {
      expect([textOf(ts), textOf(updated_ts)]).toEqual([created_at, updated_at]);
      expect(updated_ts).toBeGreaterThanOrEqual(ts);
    }
    for (const { ts, create_time } of fills) expect(textOf(ts)).toBe(create_time);
    const trades = await read<TradeRecord>('/api/market/trades', {}, seller);
    for (const { ts, create_time } of trades) expect(textOf(ts)).toBe(create_time);
  });

  test('orders come by time and sequence, rising where asked', async () => {
    const falling = await read<SpotOrder>('/api/coin/list', { currency: 6 }, seller);
    expect(idsOf(falling)).toEqual(placed.toReversed());
    expect(idsOf(await read('/api/coin/list', { currency: 6, order: 'asc' }, seller))).toEqual(placed);
    expect(idsOf(await read('/api/coin/list', { currency: 6, order: 'asc', limit: 2, page: 2 }, seller))).toEqual(
      placed.slice(2, 4),
    );
  });

  test('fills and trades of one time come in the order in which they were made', async () => {
    for (const path of ['/api/coin/fills', '/api/market/trades']) {
      const span = { ...spanOf(fills), currency: 6 };
      const rising = (await read<SpotFill>(path, { ...span, order: 'asc' }, seller)).map(numberOf);
      expect(rising).toEqual(rising.toSorted((a, b) => a - b));
      expect(rising.slice(-PRICES.length)).toEqual(fills.map(numberOf).toReversed());
      expect((await read<SpotFill>(path, span, seller)).map(numberOf)).toEqual(rising.toReversed());
    }
  });

  test('both bounds are inclusive, and nothing is before, after or between crossed ones', async () => {
    const orders = await read<SpotOrder>('/api/coin/list', { currency: 6, order: 'asc' }, seller);
    const trades = (await read<TradeRecord>('/api/market/trades', { order: 'asc' }, seller)).filter(({ id }) =>
      idsOf(fills).includes(id),
    );
    const cases = [
      ['/api/coin/list', orders],
      ['/api/coin/fills', fills.toReversed()],
      ['/api/market/trades', trades],
    ] as const;
    for (const [path, all] of cases) {
      const { from, to } = spanOf(all);
      const ask = async (fields: Fields): Promise<string[]> =>
        idsOf(await read<SpotFill>(path, { currency: 6, order: 'asc', ...fields }, seller));
      expect(await ask({ from, to })).toEqual(idsOf(all));
      expect(await ask({ from: all[2]!.ts, to: all[2]!.ts })).toEqual(idsOf(all.filter(({ ts }) => ts === all[2]!.ts)));
      expect(await ask({ from: to + 1, to: Number.MAX_SAFE_INTEGER })).toEqual([]);
      expect(await ask({ from: to, to: from - 1 })).toEqual([]);
      expect((await ask({ to: from - 1 })).filter((id) => idsOf(all).includes(id))).toEqual([]);
    }
  });

  test('a bound that is no time and an order that is none are refused by their names', async () => {
    for (const path of ['/api/coin/list', '/api/coin/fills', '/api/market/trades'])
      for (const [field, value] of [
        ['from', '1e12'],
        ['to', '-1'],
        ['from', '2026-01-01'],
        ['order', 'up'],
      ] as const)
        expect((await get(path, { ...DOGE_USDT, [field]: value }, { token: seller.token })).body).toMatchObject({
          key: 'common.fieldInvalid',
          field,
        });
  });
});

test('a quotation states turnover, best prices and its time [CLIENT-101]', async () => {
  const bid = await place({ type: 1, target_price: '0.39' }, buyer);
  const quoted = async (): Promise<QuotationItem> =>
    (await get('/api/quotation_new')).body.message
      .flatMap(({ quotation }) => quotation)
      .find(({ symbol }) => symbol === 'DOGE/USDT')!;
  const item = await eventuallySatisfied(quoted, (found) => found.bid === '0.39000');
  expect(item.ask).toBe('0.00000');
  const now = Number((await get('/api/time')).body.message);
  expect(Math.abs(now - item.ts)).toBeLessThan(60_000);
  // The minutes of the last 24 hours: other files trade here before this one, and may advance the clock.
  const trades = (await read<TradeRecord>('/api/market/trades', { limit: 100 }, seller)).filter(
    ({ ts }) => ts - (ts % 60_000) >= item.ts - 86_400_000,
  );
  const turnover = trades.reduce((sum, { price, number }) => sum + toUnits(price, 8) * toUnits(number, 8), 0n);
  expect(item.quote_volume).toBe(formatUnits(turnover / 10n ** 8n, 8));
  expect(item.quote_volume).toMatch(/^\d+\.\d{8}$/);
  await done(post('/api/coin/cancel_all', { ...DOGE_USDT }, { token: buyer.token }));
  expect((await get('/api/coin/order', { id: bid }, { token: buyer.token })).body.type).toBe('ok');
});

test('a stop price with an order that is no stop is refused, and nothing is traded [CLIENT-102]', async () => {
  await place({ type: 1, target_price: '0.39' }, buyer);
  const before = await read<SpotFill>('/api/coin/fills', { currency: 6 }, seller);
  for (const [path, fields] of [
    ['/api/coin/trade', { type: 2, target_price: '0.38' }],
    ['/api/coin/trade', { type: 2, target_price: '0.38', order_type: 'limit' }],
    ['/api/coin/trade', { type: 2, order_type: 'market' }],
    ['/api/coin/trade', { type: 1, target_price: '0.41', order_type: 'limit' }],
    ['/api/transaction/in', { target_price: '0.41' }],
    ['/api/transaction/out', { order_type: 'market' }],
  ] as const)
    for (const stop_price of ['0.37', '0', 'none'])
      expect(
        (await post(path, { ...DOGE_USDT, amount: '10', ...fields, stop_price }, { token: seller.token })).body,
      ).toMatchObject({ type: 'error', key: 'trade.flags', field: 'stop_price', params: { field: 'stop_price' } });
  expect(await read('/api/coin/fills', { currency: 6 }, seller)).toEqual(before);
  // An empty one is none.
  const id = await place({ type: 2, target_price: '0.45', stop_price: '' }, seller);
  await done(put('/api/coin/trade', { id }, { token: seller.token }));
  await done(post('/api/coin/cancel_all', { ...DOGE_USDT }, { token: buyer.token }));
});

test('an order that is named by two names is cancelled only where both mean it [CLIENT-103]', async () => {
  const id = await place({ type: 2, target_price: '0.46', client_order_id: 'clients-1' }, seller);
  const { token } = seller;
  const both = { id, client_order_id: 'clients-2' };
  expect((await put('/api/coin/trade', both, { token })).body).toMatchObject({ key: 'common.notFound' });
  expect((await get('/api/coin/order', both, { token })).body).toMatchObject({ key: 'common.notFound' });
  expect((await get('/api/coin/order', { id }, { token })).body.message).toMatchObject({ status: 1 });
  await done(put('/api/coin/trade', { id, client_order_id: 'clients-1' }, { token }));
});

describe('an amount as it is written [CLIENT-105]', () => {
  test('the exchange accepts numbers as it writes them', async () => {
    const { token } = seller;
    const fields = { ...DOGE_USDT, type: 2, amount: '10.00000000', target_price: '0.500000000000' };
    const { order } = (await done(post('/api/coin/trade', fields, { token, json: true }))) as unknown as {
      order: SpotOrder;
    };
    expect(order).toMatchObject({ trade_amount: '10.0000', target_price: '0.50000' });
    await done(put('/api/coin/trade', { id: order.id }, { token }));
    const stop = { ...DOGE_USDT, type: 1, order_type: 'stop_market', amount: '10.0', stop_price: '0.6000000' };
    const { id } = await done(post('/api/coin/trade', stop, { token: buyer.token }));
    await done(put('/api/coin/trade', { id: id }, { token: buyer.token }));
    for (const [field, value, key] of [
      ['amount', '10.00001000', 'trade.numberScale'],
      ['target_price', '0.500001', 'trade.priceScale'],
    ] as const)
      expect((await post('/api/coin/trade', { ...fields, [field]: value }, { token })).body).toMatchObject({ key });
  });

  test('an exponent or a sign is refused by the name of its field, in every call that moves money', async () => {
    const person = await createMerchant();
    const deal = { way: 'bank', coin_code: 'CNY', currency_id: 3, type: 'sell', password: FUND };
    const lever = { legal_id: 3, currency_id: 6, type: 1, status: 0, multiple: 10, share: 1 };
    const calls: readonly (readonly [path: string, field: string, fields: Fields])[] = [
      ['/api/coin/trade', 'amount', { ...DOGE_USDT, type: 1, target_price: '0.4' }],
      ['/api/coin/trade', 'target_price', { ...DOGE_USDT, type: 2, amount: '10' }],
      ['/api/coin/trade', 'stop_price', { ...DOGE_USDT, type: 2, amount: '10', order_type: 'stop_market' }],
      ['/api/transaction/in', 'amount', { ...DOGE_USDT, target_price: '0.4' }],
      ['/api/wallet/change', 'number', { currency_id: 3, from_field: 'change', to_field: 'micro' }],
      ['/api/wallet/charge_req', 'amount', { currency: 3, account: 'abc' }],
      ['/api/wallet/out', 'number', { address: 'T1', currency: 3, pay_password: FUND }],
      ['/api/lever/preview', 'target_price', lever],
      ['/api/lever/submit', 'target_price', lever],
      ['/api/microtrade/submit', 'number', { match_id: 5, currency_id: 3, type: 1, seconds: 30 }],
      ['/api/insurance/buy', 'amount', { type_id: 1, password: FUND }],
      ['/api/c2c_send', 'total_number', { ...deal, price: '7' }],
      ['/api/c2c_send', 'price', { ...deal, total_number: '10' }],
      [
        '/api/acceptor/deal',
        'money',
        { acceptor_id: 1, type: 'buy', mobile: '13800000000', deal_account: 'a', way: 'bank' },
      ],
    ];
    for (const [path, field, fields] of calls)
      for (const value of ['1e-3', '1E3', '-1', '+1', '-0.5'])
        expect([
          path,
          value,
          (await post(path, { ...fields, [field]: value }, { ...person, json: true })).body,
        ]).toEqual([path, value, expect.objectContaining({ type: 'error', key: 'common.fieldInvalid', field })]);
    // A sign has a refusal key of its own in stops of positions.
    const negative = { ...lever, status: 1, stop_loss_price: '-1' };
    expect((await post('/api/lever/submit', negative, person)).body).toMatchObject({ key: 'lever.stopNegative' });
  });
});
