import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { RowOf } from '@bourse/contract';
import { compareDecimals } from '@bourse/money';
import { eventuallySatisfied, testTimeoutMs } from '@bourse/testing/eventually';
import { balanceOf, get, lastPrice, post } from './client.js';
import { createCertified, done, FUND, operator, type Person } from './people.js';

// The attack as the review made it: a trade at a price of one's own, through all that the maker bids, and a withdrawal
// right after it.
jest.setTimeout(testTimeoutMs(45_000));

const LTC = 5,
  USDT = 3;
const TO = 'ltc1qjmxnz78nmc8nq77wuxh25n2es7rzm5c2rkk4wh';
const SLOW_MS = 20_000;

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}
type Reviewed = RowOf<'GET /api/admin/withdrawals'>;

/** Returns a certified user with this much LTC on the change account, deposited by the simulated chain. */
async function withLitecoin(number: string): Promise<Person> {
  const person = await createCertified();
  const { message: address } = await done(post('/api/wallet/get_in_address', { currency: LTC }, person));
  await done(post('/dev/chain/deposit', { address: address, number, currency: LTC }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(person.token, LTC),
    ({ change_balance }) => compareDecimals(change_balance ?? '0', number) >= 0,
    SLOW_MS,
  );
  return person;
}
const order = (fields: Readonly<Record<string, string | number>>, { token }: Person): Promise<unknown> =>
  done(post('/api/coin/trade', { legal_id: USDT, currency_id: LTC, ...fields }, { token }));
const withdraw = async (person: Person, number: string): Promise<Withdrawal> =>
  (
    await done(
      post('/api/wallet/out', { address: TO, number, currency: LTC, pay_password: FUND }, { token: person.token }),
    )
  ).withdrawal;
const reviewed = async (id: string): Promise<Reviewed> => {
  const { message } = await done(get('/api/admin/withdrawals', { limit: 100 }, { token: await operator('finance1') }));
  return message.data.find((row) => row.id === id)!;
};

let attacker: Person;
let accomplice: Person;
beforeAll(async () => {
  [attacker, accomplice] = await Promise.all([withLitecoin('400'), withLitecoin('20000')]);
  const { message: address } = await done(
    post('/api/wallet/get_in_address', { currency: USDT, type: 3 }, { token: attacker.token }),
  );
  await done(post('/dev/chain/deposit', { address: address, number: '1000', currency: USDT, type: 3 }));
  await done(post('/dev/chain/blocks', { count: 8 }));
  await eventuallySatisfied(
    () => balanceOf(attacker.token, USDT),
    ({ change_balance }) => compareDecimals(change_balance ?? '0', '1000') >= 0,
    SLOW_MS,
  );
});

// The remaining sell orders would trade with the orders of later tests.
afterAll(async () => {
  for (const { token } of [attacker, accomplice]) await done(post('/api/coin/cancel_all', {}, { token }));
});

test('a last trade at 1.00 makes nothing small: 190 LTC wait for two operators [HARD-101]', async () => {
  // The market moves and the maker answers, so the trade that is last right before the withdrawal is made again until
  // it is that one.
  const withdrawal = await eventuallySatisfied(
    async () => {
      await order({ type: 1, target_price: '1.00', amount: '20' }, attacker);
      await order({ type: 2, target_price: '1.00', amount: '600' }, accomplice);
      const price = await eventuallySatisfied(
        () => lastPrice(USDT, LTC),
        (now) => now !== '' && compareDecimals(now, '1') === 0,
        2_000,
      ).catch(() => null);
      if (price === null) return null;
      return withdraw(attacker, '190');
    },
    (made) => made !== null,
    SLOW_MS,
  );
  expect(withdrawal).toMatchObject({ state: 'review' });
  const { value, approvals_needed: needed } = await reviewed(withdrawal!.id);
  expect(compareDecimals(value, '19000')).toBe(1);
  expect(needed).toBe(2);
});
