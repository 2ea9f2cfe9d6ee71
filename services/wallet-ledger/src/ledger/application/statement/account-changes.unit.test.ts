import { expect, test } from '@jest/globals';
import type { LogRow } from '../ports.js';
import { sumChanges } from './account-changes.js';

const line = (change: Partial<LogRow>): LogRow => ({
  partition: 0,
  number: 1,
  place: 0,
  journalId: 'j',
  causeType: 'trade',
  causeId: '7',
  at: 0,
  account: 'change',
  currency: 3,
  state: 'available',
  amount: '0.00',
  after: '0.00',
  fee: false,
  ...change,
});
const sum = (...lines: Partial<LogRow>[]) => sumChanges(lines.map(line), () => 2);

test('a trade changes two coins, its fee stands beside the amount [STATEMENT-050]', () => {
  expect(
    sum(
      { currency: 3, state: 'held', amount: '-50.00' },
      { currency: 1, amount: '0.10' },
      { currency: 1, amount: '-0.01', fee: true },
      { currency: 3, amount: '1.25' },
    ),
  ).toEqual([
    { account: 'change', currency: 3, value: -4875n, held: -5000n, fee: 0n },
    { account: 'change', currency: 1, value: 10n, held: 0n, fee: -1n },
  ]);
});

test('a hold changes the held amount alone, a transfer both accounts [STATEMENT-051]', () => {
  expect(sum({ amount: '-5.00' }, { state: 'held', amount: '5.00' })).toEqual([
    { account: 'change', currency: 3, value: 0n, held: 500n, fee: 0n },
  ]);
  expect(sum({ amount: '-5.00' }, { account: 'legal', amount: '5.00' })).toEqual([
    { account: 'change', currency: 3, value: -500n, held: 0n, fee: 0n },
    { account: 'legal', currency: 3, value: 500n, held: 0n, fee: 0n },
  ]);
});

test('an account that ends as it began is left out; a fee that equals its amount is not [STATEMENT-052]', () => {
  expect(sum({ amount: '5.00' }, { amount: '-5.00' })).toEqual([]);
  expect(sum({ amount: '5.00' }, { amount: '-5.00', fee: true })).toEqual([
    { account: 'change', currency: 3, value: 500n, held: 0n, fee: -500n },
  ]);
});
