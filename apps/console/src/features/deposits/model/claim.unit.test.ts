import { expect, test } from '@jest/globals';
import { candidatesOf, type ClaimRow, type DepositRow } from './claim.js';

const claim: ClaimRow = {
  id: '1',
  currency: 6,
  amount: '75.50000000',
  account: 'aa',
  status: 1,
  create_time: '2026-01-01 00:00:00',
  user_id: 7,
  deposit_id: '',
  reason: '',
};
const deposit = (id: string, more: Partial<DepositRow> = {}): DepositRow => ({
  id,
  currency: 6,
  currency_name: 'DOGE',
  type: 7,
  amount: '1.00000000',
  tx_id: id,
  confirmations: 6,
  needed: 6,
  state: 'credited',
  create_time: '2026-01-01 00:00:00',
  ts: 1_767_225_600_000,
  updated_ts: 1_767_225_600_000,
  user_id: 7,
  chain: 'dogecoin',
  address: 'D1',
  memo: '',
  contract_address: '',
  output: 0,
  lost: 0,
  return_address: '',
  return_fee: '0.00000000',
  return_tx_id: '',
  ...more,
});

test('a claim is offered deposits of its coin with its claimant or without an owner, likeliest first', () => {
  const found = candidatesOf(claim, [
    deposit('other coin', { currency: 3 }),
    deposit('other person', { user_id: 8 }),
    deposit('mine'),
    deposit('amount', { user_id: 0, amount: '75.50000000' }),
    deposit('transaction', { tx_id: 'aa' }),
  ]);
  expect(found.map(({ id }) => id)).toEqual(['transaction', 'amount', 'mine']);
});
