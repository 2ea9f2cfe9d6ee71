import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LeverDeal } from '@bourse/contract';
import { eventuallySatisfied } from '@bourse/testing/eventually';
import { get, post, put, type Fields } from './client.js';
import { createTraders } from './people.js';
import { acceptedId, doneOrder, orderOf, type SpotOrder } from './spot-orders.js';

// Runs without house quotes (MAKER=off) and with a scripted feed: these tests write the mark price. No file that runs
// beside this one trades this pair, or writes its price.
const USDT = 3,
  DOGE = 6;
const PAIR = { legal_id: USDT, currency_id: DOGE };

let one: string, two: string, three: string;
let quiet: string;
const markOf = async (): Promise<string> =>
  ((await post('/api/lever/deal', PAIR, { token: one })).body.message as LeverDeal).mark_price;
/** Writes a price, and waits until the exchange knows it. */
async function priceIs(price: string): Promise<void> {
  const file = process.env['BOURSE_FEED'];
  if (!file) throw new Error('BOURSE_FEED must name the scripted feed; `npm test` sets it');
  appendFileSync(file, `${JSON.stringify({ symbol: 'DOGE/USDT', price })}\n`);
  await eventuallySatisfied(markOf, (mark) => mark === price, 10_000);
}
const place = (token: string, fields: Fields) => post('/api/coin/trade', { ...PAIR, ...fields }, { token });
const placed = (token: string, fields: Fields): Promise<string> => acceptedId(place(token, fields));
const tradeAt = async (price: string): Promise<void> => {
  await placed(two, { type: 2, target_price: price, amount: '10' });
  await doneOrder(three, await placed(three, { type: 1, target_price: price, amount: '10' }));
};

beforeAll(async () => {
  const people = await createTraders(3, { change: { [DOGE]: '5000', [USDT]: '10000' } });
  [one, two, three] = people.map(({ token }) => token) as [string, string, string];
  quiet = await markOf();
  await priceIs('0.50000');
  await tradeAt('0.5');
});
afterAll(async () => {
  await priceIs(quiet);
});

test('a mark without a trade starts a stop by mark, a trade beyond it does not [SPOT-296]', async () => {
  const stop = { type: 2, order_type: 'stop_market', amount: '100', stop_price: '0.48', trigger_by: 'mark' };
  const id = await placed(one, stop);
  const batch = await post(
    '/api/coin/batch',
    { items: JSON.stringify([{ op: 'place', ...PAIR, ...stop, stop_price: '0.4' }]) },
    { token: one },
  );
  const [item] = batch.body.message as { id: string; order: SpotOrder }[];
  expect(item?.order).toMatchObject({ trigger_by: 'mark', stop_price: '0.40000' });
  await tradeAt('0.47');
  const list = (await get('/api/coin/list', { page: 1, status: 1 }, { token: one })).body.message;
  expect(list.data.find((order) => order.id === id)).toMatchObject({ trigger_by: 'mark', triggered: 0, status: 1 });
  const amended = await put('/api/coin/order', { id, amount: '90' }, { token: one });
  expect(amended.body).toMatchObject({ order: { trigger_by: 'mark', triggered: 0 } });
  await placed(two, { type: 1, target_price: '0.46', amount: '90' });
  await priceIs('0.48000');
  expect(await doneOrder(one, id)).toMatchObject({ triggered: 1, filled_amount: '90.0000', trade_price: '0.46000' });
  expect(await orderOf(one, item?.id ?? '')).toMatchObject({ triggered: 0, status: 1 });
  for (const [fields, key, field] of [
    [{ stop_price: '0.48' }, 'trade.stopPrice', 'stop_price'],
    [{ trigger_by: 'bid' }, 'trade.flags', 'trigger_by'],
    [{ order_type: 'limit', target_price: '0.6', stop_price: undefined }, 'trade.flags', 'trigger_by'],
  ] as const) {
    const { body } = await place(one, { ...stop, ...fields } as Fields);
    expect([body.key, body.field]).toEqual([key, field]);
  }
  expect((await put('/api/coin/trade', { id: item?.id ?? '' }, { token: one })).body).toMatchObject({ type: 'ok' });
});
