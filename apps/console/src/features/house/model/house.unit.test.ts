import { expect, test } from '@jest/globals';
import { FUNDED, narrowed, sidesOf } from './house.js';

const row = (account: string, currency: string) => ({ account, currency, balance: '1', held: '0' });

test('a movement of the house has two sides, an adjustment of a person has none', () => {
  expect(sidesOf({ user_id: 0, account: 'h.capital>h.lever' })).toEqual({ from: 'h.capital', to: 'h.lever' });
  expect(sidesOf({ user_id: 100_001, account: 'change' })).toBeUndefined();
  expect(sidesOf({ user_id: 0, account: 'h.capital' })).toBeUndefined();
});

test('balances of the house are filtered by account and coin, and are complete without a filter', () => {
  const rows = [row('h.fees', 'USDT'), row('h.fees', 'BTC'), row('h.micro', 'USDT')];
  expect(narrowed(rows, '', '')).toEqual(rows);
  expect(narrowed(rows, 'h.fees', ' usdt')).toEqual([row('h.fees', 'USDT')]);
});

test('money is moved between the accounts that the call accepts (rules §1), h.outside included', () => {
  expect(FUNDED).toContain('h.outside');
  expect(FUNDED).toContain('h.capital');
  for (const closed of ['h.clearing', 'h.suspense', 'h.quota']) expect(FUNDED).not.toContain(closed);
});
