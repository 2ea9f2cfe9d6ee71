import { expect, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post } from './client.js';
import { createTraders } from './people.js';

// Runs where no house account quotes (MAKER=off): every figure is that of the fills made here, on XRP/BTC, which no
// other file trades. If it has run before on the same exchange, they are added to the earlier ones.
const XRP_BTC = { legal_id: 1, currency_id: 4 };

type Item = MessageOf<'GET /api/currency/quotation_new'>[number]['quotation'][number];
interface Bar {
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
interface Record {
  id: string;
  price: string;
  number: string;
  direction: string;
  ts: number;
}

const item = async (): Promise<Item> =>
  (await get('/api/quotation_new')).body.message
    .flatMap(({ quotation }) => quotation)
    .find(({ symbol }) => symbol === 'XRP/BTC')!;
const trades = async (): Promise<{ list: Record[]; seq: number }> =>
  (await get('/api/market/trades', XRP_BTC)).body.message;
const bars = async (period: string): Promise<Bar[]> => {
  // The exchange's own time: other tests move its clock.
  const now = Math.floor(Number((await get('/api/time')).body.message) / 1000);
  const { body } = await get('/api/currency/new_timeshar', {
    symbol: 'XRP/BTC',
    period,
    from: now - 7_200,
    to: now + 7_200,
  });
  return body.data;
};

const current = async (period: string): Promise<Bar> =>
  (await post('/api/market/get_current', { base_currency: 'XRP', quote_currency: 'BTC', period })).body.message;
const PERIODS = ['1min', '5min', '60min', '1day', '1week', '1mon'] as const;

test('last price, day figures, trades and candles are those of the fills only [MARKET-035]', async () => {
  const [one, two] = await createTraders(2, { change: { 1: '1', 4: '1000' } });
  const [seller, buyer] = [one.token, two.token];
  const [before, { seq: first, list: earlier }] = [await item(), await trades()];
  if (first === 0) {
    expect(before).toMatchObject({ now_price: '0.00002609', change: '0.00', volume: '0.0000', feed: 'simulated' });
    expect(earlier).toEqual([]);
    expect(await bars('1min')).toEqual([]);
  }
  const known = new Map<string, Bar>();
  for (const period of PERIODS) known.set(period, await current(period));
  const traded = (number: number): string => (Number(before.volume) + number).toFixed(4);
  const highest = first === 0 || Number(before.high) < 0.000027 ? '0.00002700' : before.high;
  const lowest = (price: string): string => (first === 0 || Number(before.low) > Number(price) ? price : before.low);

  for (const [price, amount] of [
    ['0.00002600', '150.5'],
    ['0.00002700', '100'],
  ] as const) {
    expect(
      (await post('/api/coin/trade', { ...XRP_BTC, type: 2, target_price: price, amount }, { token: seller })).body,
    ).toMatchObject({ key: 'trade.success' });
  }
  // Takes 150.5 at 0.000026, then 49.5 at 0.000027.
  expect(
    (
      await post(
        '/api/coin/trade',
        { ...XRP_BTC, type: 1, target_price: '0.00002700', amount: '200' },
        { token: buyer },
      )
    ).body,
  ).toMatchObject({ key: 'trade.success' });
  const { list } = await eventuallySatisfied(trades, ({ seq }) => seq === first + 2);
  expect(list.slice(0, 2).map(({ id, price, number, direction }) => [id, price, number, direction])).toEqual([
    [`XRP/BTC-${first + 2}`, '0.00002700', '49.5000', 'buy'],
    [`XRP/BTC-${first + 1}`, '0.00002600', '150.5000', 'buy'],
  ]);
  expect(await item()).toMatchObject({
    now_price: '0.00002700',
    change: '3.85',
    volume: traded(200),
    high: highest,
    low: lowest('0.00002600'),
  });
  expect(list.slice(0, 2).map(({ ts }) => Number.isInteger(ts) && ts > 0)).toEqual([true, true]);
  const compared: string[] = [];
  for (const period of PERIODS) {
    const bar = await current(period);
    const old = known.get(period)!;
    // An existing bar continues; the first fill opens a new one.
    const base = old.time === bar.time && old.volume > 0 ? old : undefined;
    // A bar may have begun between the two fills, or since.
    const fills = list.slice(0, 2).filter(({ ts }) => ts >= bar.time);
    if (fills.length === 0) continue;
    compared.push(period);
    // Figures of bars are JSON numbers (api §2.4).
    const prices = fills.map(({ price }) => Number(price)).reverse();
    expect([period, bar]).toMatchObject([
      period,
      {
        open: base?.open ?? prices[0],
        high: Math.max(base?.high ?? 0, ...prices),
        low: Math.min(base?.low ?? 1, ...prices),
        close: prices.at(-1),
      },
    ]);
    const filled = fills.reduce((sum, { number }) => sum + Number(number), 0);
    expect(bar.volume).toBeCloseTo((base?.volume ?? 0) + filled, 4);
  }
  expect(compared).toContain('1mon');
  if (first === 0) {
    const minutes = await bars('1min');
    expect(minutes[0]).toMatchObject({ open: 0.000026, low: 0.000026 });
    expect(minutes.at(-1)).toMatchObject({ high: 0.000027, close: 0.000027 });
    expect(minutes.reduce((volume, bar) => volume + bar.volume, 0)).toBeCloseTo(200, 4);
  }
  // Books are shown at most twenty times a second: this one may be a moment behind its trades.
  const deal = async (): Promise<{
    out: { number: string }[];
    last_price: string;
    proportion: string;
    complete: Record[];
  }> => (await post('/api/transaction/deal', XRP_BTC)).body.message as never;
  const book = await eventuallySatisfied(deal, ({ out }) => out[0]?.number === '50.5');
  expect(book).toMatchObject({
    last_price: '0.00002700',
    proportion: '3.85',
    out: [{ price: '0.000027', number: '50.5' }],
  });
  expect(book.complete[0]).toMatchObject({ id: `XRP/BTC-${first + 2}` });

  // A second fill, the other way: the taker sells.
  expect(
    (await post('/api/coin/trade', { ...XRP_BTC, type: 1, target_price: '0.00002500', amount: '10' }, { token: buyer }))
      .body,
  ).toMatchObject({ key: 'trade.success' });
  expect(
    (
      await post(
        '/api/coin/trade',
        { ...XRP_BTC, type: 2, target_price: '0.00002500', amount: '10' },
        { token: seller },
      )
    ).body,
  ).toMatchObject({ key: 'trade.success' });
  const later = await eventuallySatisfied(trades, ({ seq }) => seq === first + 3);
  expect(later.list[0]).toMatchObject({ price: '0.00002500', direction: 'sell' });
  expect(await item()).toMatchObject({
    now_price: '0.00002500',
    change: '-3.85',
    volume: traded(210),
    low: lowest('0.00002500'),
  });
  await post('/api/coin/cancel_all', XRP_BTC, { token: seller });
});
