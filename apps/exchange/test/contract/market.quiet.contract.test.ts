import { expect, test } from '@jest/globals';
import { eventually, get, post, trader, type Body } from './client.js';

// Runs where no house account quotes (MAKER=off) and the feed is scripted: every figure is that of the fills made here,
// on XRP/BTC.
const XRP_BTC = { legal_id: 1, currency_id: 4 };

interface Item {
  symbol: string;
  now_price: string;
  change: string;
  volume: string;
  high: string;
  low: string;
  feed: string;
}
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
}

const item = async (): Promise<Item> =>
  ((await get('/api/quotation_new')).body.message as { quotation: Item[] }[])
    .flatMap(({ quotation }) => quotation)
    .find(({ symbol }) => symbol === 'XRP/BTC')!;
const trades = async (): Promise<{ list: Record[]; seq: number }> =>
  (await get('/api/market/trades', XRP_BTC)).body.message as { list: Record[]; seq: number };
const bars = async (period: string): Promise<Bar[]> => {
  // The exchange's own time: other tests move its clock.
  const now = Math.floor(Number((await get('/api/time')).body.message) / 1000);
  const { body } = await get('/api/currency/new_timeshar', {
    symbol: 'XRP/BTC',
    period,
    from: now - 7_200,
    to: now + 7_200,
  });
  return (body as Body & { data: Bar[] }).data;
};

test('last price, day figures, trades and candles are those of the fills only [MARKET-035]', async () => {
  const [seller, buyer] = await Promise.all([trader(1), trader(2)]);
  expect(await item()).toMatchObject({ now_price: '0.00002609', change: '0.00', volume: '0.0000', feed: 'simulated' });
  expect(await trades()).toEqual({ list: [], seq: 0 });
  expect(await bars('1min')).toEqual([]);

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
  const { list } = await eventually(trades, ({ seq }) => seq === 2);
  expect(list.map(({ id, price, number, direction }) => [id, price, number, direction])).toEqual([
    ['XRP/BTC-2', '0.00002700', '49.5000', 'buy'],
    ['XRP/BTC-1', '0.00002600', '150.5000', 'buy'],
  ]);
  expect(await item()).toMatchObject({
    now_price: '0.00002700',
    change: '3.85',
    volume: '200.0000',
    high: '0.00002700',
    low: '0.00002600',
  });
  for (const period of ['1min', '5min', '60min', '1day', '1week', '1mon']) {
    const { message } = (await post('/api/market/get_current', { base_currency: 'XRP', quote_currency: 'BTC', period }))
      .body;
    if (period !== '1min')
      expect(message).toMatchObject({ open: 0.000026, high: 0.000027, low: 0.000026, close: 0.000027, volume: 200 });
  }
  expect((await bars('1min'))[0]).toMatchObject({
    open: 0.000026,
    high: 0.000027,
    low: 0.000026,
    close: 0.000027,
    volume: 200,
  });
  // Books are shown at most twenty times a second: this one may be a moment behind its trades.
  const deal = async (): Promise<{
    out: { number: string }[];
    last_price: string;
    proportion: string;
    complete: Record[];
  }> => (await post('/api/transaction/deal', XRP_BTC)).body.message as never;
  const book = await eventually(deal, ({ out }) => out[0]?.number === '50.5');
  expect(book).toMatchObject({
    last_price: '0.00002700',
    proportion: '3.85',
    out: [{ price: '0.000027', number: '50.5' }],
  });
  expect(book.complete[0]).toMatchObject({ id: 'XRP/BTC-2' });

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
  const later = await eventually(trades, ({ seq }) => seq === 3);
  expect(later.list[0]).toMatchObject({ price: '0.00002500', direction: 'sell' });
  expect(await item()).toMatchObject({
    now_price: '0.00002500',
    change: '-3.85',
    volume: '210.0000',
    low: '0.00002500',
  });
  await post('/api/coin/cancel_all', XRP_BTC, { token: seller });
});
