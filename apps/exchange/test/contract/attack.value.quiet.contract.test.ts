import { beforeAll, expect, jest, test } from '@jest/globals';
import { compareDecimals, toUnits } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, lastPrice, post, type Fields } from './client.js';
import { createCertified, done, FUND, operator, type Person } from './people.js';

// Without house quotes the last price of two colluding users stays until another trade: it must not count for
// withdrawal limits.
jest.setTimeout(testTimeoutMs(45_000));

const LTC = 5,
  USDT = 3;
const TO = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const SLOW_MS = 20_000;

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}

async function receive(person: Person, currency: number, number: string, type?: number): Promise<void> {
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency, type }, { token: person.token }),
  );
  await done(post('/dev/chain/deposit', { address: address, number, currency, type }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(person.token, currency),
    ({ change_balance }) => compareDecimals(change_balance ?? '0', number) >= 0,
    SLOW_MS,
  );
}
const order = (fields: Fields, { token }: Person): Promise<unknown> =>
  done(post('/api/coin/trade', { legal_id: USDT, currency_id: LTC, ...fields }, { token }));
const withdraw = async ({ token }: Person, number: string): Promise<Withdrawal> =>
  (await done(post('/api/wallet/out', { address: TO, number, currency: LTC, pay_password: FUND }, { token })))[
    'withdrawal'
  ];
/** The displayed value: by the index, whatever two users have traded at. */
const worth = async (): Promise<string> => (await balanceOf(seller.token, LTC))['usdt_price'] ?? '';
/** The two trade with each other at this price, and everybody is shown it. */
async function tradeAt(price: string): Promise<void> {
  await order({ type: 1, target_price: price, amount: '1' }, buyer);
  await order({ type: 2, target_price: price, amount: '1' }, seller);
  await eventuallySatisfied(
    () => lastPrice(USDT, LTC),
    (now) => now !== '' && compareDecimals(now, price) === 0,
    SLOW_MS,
  );
  expect(compareDecimals(await worth(), '100')).toBe(1);
  expect(compareDecimals(await worth(), '10000')).toBe(-1);
}

let buyer: Person;
let seller: Person;
let other: Person;
beforeAll(async () => {
  [buyer, seller, other] = await Promise.all([createCertified(), createCertified(), createCertified()]);
  await receive(buyer, USDT, '2000000', 3);
  await receive(seller, LTC, '100');
  await receive(other, LTC, '10');
});

test('a price pushed down makes nothing small, one pushed up makes nothing large [HARD-101]', async () => {
  const index = await worth();
  expect(compareDecimals(index, '100')).toBe(1);
  await tradeAt('1.00');
  // 30 LTC are worth 30 USD by the last trade, and more than 10,000 by the market.
  const large = await withdraw(seller, '30');
  expect(large).toMatchObject({ state: 'review' });
  const { message } = await done(get('/api/admin/withdrawals', { limit: 100 }, { token: await operator('finance1') }));
  const row = message.data.find(({ id }) => id === large.id);
  expect(row).toMatchObject({ approvals_needed: 2 });
  const [value, market] = [toUnits(row?.value ?? '', 18), 30n * toUnits(index, 18)];
  // Within one percent of the index: the mean of the day, which may apply, is close to it.
  expect((value > market ? value - market : market - value) * 100n < market).toBe(true);
  await tradeAt('900000.00');
  // 2 LTC would be worth 1.8 million: more than the daily limit of any user.
  expect(await withdraw(other, '2')).toMatchObject({ state: 'sending' });
});
