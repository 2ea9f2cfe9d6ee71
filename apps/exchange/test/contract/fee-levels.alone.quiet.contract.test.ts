import { expect, jest, test } from '@jest/globals';
import type { MessageOf } from '@bourse/contract';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { findFailingChecks } from './audit.js';
import { get, keyOf, post } from './client.js';
import { advance, readClock } from './dev-clock.js';
import { createTraders, saveSetting } from './people.js';

// Moves the business clock over a midnight: it runs alone, on an exchange without house quotes.
jest.setTimeout(testTimeoutMs(75_000));

const BTC = 1,
  USDT = 3;
const DAY_SECONDS = 86_400;
type FeeLevel = MessageOf<'GET /api/user/fee_level'>;

const levelOf = async (token: string): Promise<FeeLevel> =>
  (await get('/api/user/fee_level', {}, { token })).body.message;
const place = async (token: string, type: 1 | 2, target_price: string, amount: string): Promise<string> => {
  const { body } = await post(
    '/api/coin/trade',
    { legal_id: USDT, currency_id: BTC, type, target_price, amount },
    { token },
  );
  expect(body).toMatchObject({ type: 'ok' });
  return body.id;
};
const feeOf = async (token: string, id: string): Promise<string> => {
  const order = await eventuallySatisfied(
    async () => (await get('/api/coin/order', { id }, { token })).body.message,
    ({ status }) => status === 2,
  );
  return order.fee;
};

test('a person sees the level of the last 30 full days, and new orders alone pay its rates [SPOT-287]', async () => {
  expect(await keyOf(get('/api/user/fee_level'))).toBe('auth.expired');
  const people = await createTraders(2, { change: { [BTC]: '5', [USDT]: '200000' } });
  const [buyer, seller] = people.map(({ token }) => token) as [string, string];
  expect(await levelOf(buyer)).toMatchObject({
    ...{ level: 0, maker_percent: '100', taker_percent: '100', turnover_30d: '0' },
    next: { level: 1, turnover: '50000', missing: '50000' },
  });
  const first = await place(buyer, 1, '50000', '1.2');
  const resting = await place(buyer, 1, '40000', '0.1');
  const sold = await place(seller, 2, '50000', '1.2');
  // 0.1 % of 1.2 BTC, and of 60,000 USDT.
  expect([await feeOf(buyer, first), await feeOf(seller, sold)]).toEqual(['0.00120000', '60.00000000']);
  expect((await levelOf(buyer)).turnover_30d).toBe('0');
  const today = new Date(await readClock()).toISOString().slice(0, 10);
  await advance(DAY_SECONDS + 60);
  expect(
    await eventuallySatisfied(
      () => levelOf(buyer),
      ({ until }) => until === today,
    ),
  ).toEqual({
    ...{ level: 1, maker_percent: '90', taker_percent: '95', turnover_30d: '60000', until: today },
    next: { level: 2, turnover: '250000', missing: '190000' },
    levels: [
      { level: 1, turnover: '50000', maker_percent: '90', taker_percent: '95' },
      { level: 2, turnover: '250000', maker_percent: '80', taker_percent: '90' },
      { level: 3, turnover: '1000000', maker_percent: '65', taker_percent: '80' },
      { level: 4, turnover: '5000000', maker_percent: '50', taker_percent: '70' },
      { level: 5, turnover: '20000000', maker_percent: '25', taker_percent: '60' },
    ],
  });
  const later = await place(buyer, 1, '39000', '0.1');
  const taker = await place(seller, 2, '39000', '0.2');
  // The resting order pays 0.1 % of 0.1 BTC, the later one 0.09 %, the taker 0.095 % of 7,900 USDT.
  expect([await feeOf(buyer, resting), await feeOf(buyer, later), await feeOf(seller, taker)]).toEqual([
    ...['0.00010000', '0.00009000', '7.50500000'],
  ]);
  expect(await findFailingChecks()).toEqual([]);
});

test.each(['50000:101:90', '50000:90:90 40000:80:80', '50000:80:80 60000:90:80', '50000:90'])(
  'the levels %s are refused with their field [SPOT-288]',
  async (value) => {
    const answer = await saveSetting('spot.fee_levels', value);
    expect(answer.body).toMatchObject({ key: 'common.fieldInvalid', field: 'value', setting: 'spot.fee_levels' });
  },
);
