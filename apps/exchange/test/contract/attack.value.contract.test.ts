import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { compareDecimals } from '@bourse/money';
import { balanceOf, eventually, get, lastPrice, post } from './client.js';
import { certified, done, FUND, operator, type Person } from './people.js';

// The attack as the review made it: a trade at a price of one's own, through all that the maker bids, and a withdrawal
// right after it.
jest.setTimeout(180_000);

const ETH = 2,
  USDT = 3;
const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const SLOW_MS = 60_000;

interface Withdrawal {
  readonly id: string;
  readonly state: string;
}
interface Reviewed extends Withdrawal {
  readonly value: string;
  readonly approvals_needed: number;
}

/** Somebody certified with this much ETH on the change account, come by the simulated chain. */
async function withEther(number: string): Promise<Person> {
  const person = await certified();
  const { message: address } = await done(() => post('/api/wallet/get_in_address', { currency: ETH }, person));
  await done(() => post('/dev/chain/deposit', { address: address as string, number, currency: ETH }));
  await done(() => post('/dev/chain/blocks', { count: 8 }));
  await eventually(
    () => balanceOf(person.token, ETH),
    ({ change_balance }) => compareDecimals(change_balance ?? '0', number) >= 0,
    SLOW_MS,
  );
  return person;
}
const order = (fields: Readonly<Record<string, string | number>>, { token }: Person): Promise<unknown> =>
  done(() => post('/api/coin/trade', { legal_id: USDT, currency_id: ETH, ...fields }, { token }));
const withdraw = async (person: Person, number: string): Promise<Withdrawal> =>
  (
    await done(() =>
      post('/api/wallet/out', { address: TO, number, currency: ETH, pay_password: FUND }, { token: person.token }),
    )
  )['withdrawal'] as Withdrawal;
const reviewed = async (id: string): Promise<Reviewed> => {
  const { message } = await done(async () =>
    get('/api/admin/withdrawals', { limit: 100 }, { token: await operator('finance1') }),
  );
  return (message as { data: Reviewed[] }).data.find((row) => row.id === id)!;
};

let attacker: Person;
let accomplice: Person;
beforeAll(async () => {
  [attacker, accomplice] = await Promise.all([withEther('40'), withEther('2000')]);
  const { message: address } = await done(() =>
    post('/api/wallet/get_in_address', { currency: USDT, type: 3 }, { token: attacker.token }),
  );
  await done(() => post('/dev/chain/deposit', { address: address as string, number: '1000', currency: USDT, type: 3 }));
  await done(() => post('/dev/chain/blocks', { count: 8 }));
  await eventually(
    () => balanceOf(attacker.token, USDT),
    ({ change_balance }) => compareDecimals(change_balance ?? '0', '1000') >= 0,
    SLOW_MS,
  );
});

// What is left of the sales would buy up every order of the tests that follow.
afterAll(async () => {
  for (const { token } of [attacker, accomplice]) await done(() => post('/api/coin/cancel_all', {}, { token }));
});

test('a last trade at 1.00 makes nothing small: 19 ETH wait for two operators [HARD-101]', async () => {
  // The market moves and the maker answers, so the trade that is last right before the withdrawal is made again until
  // it is that one.
  const withdrawal = await eventually(
    async () => {
      await order({ type: 1, target_price: '1.00', amount: '2' }, attacker);
      await order({ type: 2, target_price: '1.00', amount: '60' }, accomplice);
      const price = await eventually(
        () => lastPrice(USDT, ETH),
        (now) => now !== '' && compareDecimals(now, '1') === 0,
        2_000,
      ).catch(() => null);
      if (price === null) return null;
      return withdraw(attacker, '19');
    },
    (made) => made !== null,
    SLOW_MS,
  );
  expect(withdrawal).toMatchObject({ state: 'review' });
  const { value, approvals_needed: needed } = await reviewed(withdrawal!.id);
  expect(compareDecimals(value, '19000')).toBe(1);
  expect(needed).toBe(2);
});
