import { expect, test } from '@jest/globals';
import { firstSteps } from './first-steps.js';

const states = (known: Partial<Parameters<typeof firstSteps>[0]>): string[] =>
  firstSteps({ info: undefined, center: undefined, wallet: undefined, hasOrder: false, ...known }).map(
    ({ id, state }) => `${id} ${state}`,
  );
const row = (balance: string, lock_balance: string) => ({ token: 'USDT', balance, lock_balance });

test('a new account has all steps open, in the order in which they are needed [ACCOUNTVIEW-040]', () => {
  expect(states({})).toEqual(['fund open', 'identity open', 'deposit open', 'trade open']);
});

test('papers under review wait; money on hold counts as a deposit [ACCOUNTVIEW-040]', () => {
  expect(states({ info: { has_fund_password: 1 }, center: { review_status: 1 } }).slice(0, 2)).toEqual([
    'fund done',
    'identity waiting',
  ]);
  expect(states({ center: { review_status: 2 }, hasOrder: true })).toEqual([
    'fund open',
    'identity done',
    'deposit open',
    'trade done',
  ]);
  const after = (balance: string, lock: string) => states({ wallet: { list: [row(balance, lock)] } })[2];
  expect([after('0.00000000', '0'), after('0', '0.5'), after('12', '0')]).toEqual([
    'deposit open',
    'deposit done',
    'deposit done',
  ]);
});
