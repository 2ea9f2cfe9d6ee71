import { beforeAll, expect, jest, test } from '@jest/globals';
import { testTimeoutMs } from '@bourse/testing/eventually';
import { callAtOnce, get, post, refusal, type Fields } from './client.js';
import { createMerchants, done, FUND, type Person } from './people.js';

/* Limits that keep useless ads out of the market (attack M3). */
jest.setTimeout(testTimeoutMs(60_000));

const [BTC, USDT] = [1, 3];
let [owner, taker] = ['', ''];
beforeAll(async () => {
  const people: readonly Person[] = await createMerchants(2, { legal: { [USDT]: '5000', [BTC]: '1' } });
  [owner, taker] = people.map(({ token }) => token) as [string, string];
});

const AD = { total_number: '10', price: '6.50', way: 'bank', coin_code: 'CNY', currency_id: USDT, type: 'sell' };
const send = (fields: Fields = {}) => post('/api/c2c_send', { ...AD, password: FUND, ...fields }, { token: owner });
const ad = async (fields: Fields = {}): Promise<number> => (await done(send(fields))).id;
const back = (id: number) => done(post('/api/c2c/back_send', { id, password: FUND }, { token: owner }));

test('an ad is worth at least 10 USDT, and the refusal names the least in its coin [HARD-430]', async () => {
  for (const type of ['sell', 'buy'])
    expect(await refusal(send({ type, total_number: '9.99999999' }))).toEqual({
      key: 'quantity.rule',
      params: { min: '10' },
    });
  const least = (await send({ currency_id: BTC, total_number: '0.00000001', price: '1' })).body;
  expect(least).toMatchObject({ key: 'quantity.rule', params: { min: expect.stringMatching(/^0\.000\d{1,5}$/) } });
});

test('a price is within 20 % of the index, and the refusal names both ends [HARD-431]', async () => {
  const bands = { CNY: ['5.2', '7.8'], USD: ['0.8', '1.2'], JPY: ['120', '180'] } as const;
  for (const [coin_code, [min, max]] of Object.entries(bands))
    for (const price of ['0.01', '999999999999999999'])
      for (const type of ['sell', 'buy'])
        expect(await refusal(send({ coin_code, price, type }))).toEqual({ key: 'c2c.priceBand', params: { min, max } });
  for (const price of ['5.20', '7.80']) await back(await ad({ price, type: 'buy' }));
  expect(await refusal(send({ price: '5.19' }))).toMatchObject({ key: 'c2c.priceBand' });
  expect(await refusal(send({ price: '7.81' }))).toMatchObject({ key: 'c2c.priceBand' });
  expect(await refusal(send({ currency_id: BTC, total_number: '0.5', price: '6.50' }))).toMatchObject({
    key: 'c2c.priceBand',
    params: { min: expect.any(String), max: expect.any(String) },
  });
});

test('a deal that would cost nothing is refused with the least number that does [HARD-432]', async () => {
  const id = await ad();
  const take = (number: string) => post('/api/c2c/do_legal_deal', { id, number, password: FUND }, { token: taker });
  expect(await refusal(take('0.00000001'))).toEqual({ key: 'quantity.rule', params: { min: '0.00076924' } });
  expect(await refusal(take('0.00076923'))).toMatchObject({ key: 'quantity.rule' });
  const { deal } = (await done(take('0.00076924'))) as unknown as { deal: { id: string; deal_money: string } };
  expect(deal.deal_money).toBe('0.01');
  await done(post('/api/c2c/user_legal_pay_cancel', { id: deal.id, password: FUND }, { token: taker }));
  await back(id);
});

test('ten ads are on the shelf at most, however many are sent at once [HARD-435]', async () => {
  const answers = await callAtOnce(14, (at) => send({ type: at % 2 === 0 ? 'sell' : 'buy', total_number: '11' }));
  const keys = answers.map(({ body }) => body.key);
  expect(keys.filter((key) => key === 'c2c.published')).toHaveLength(10);
  expect(keys.filter((key) => key === 'c2c.tooManyAds')).toHaveLength(4);
  expect(await refusal(send())).toEqual({ key: 'c2c.tooManyAds', params: { max: 10 } });
  const { data, total } = (await get('/api/c2c/seller_trade', {}, { token: owner })).body.message;
  expect(total).toBe(10);
  await back(data[0]!.id);
  await ad();
  expect(await refusal(send())).toMatchObject({ key: 'c2c.tooManyAds' });
});
