import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { BoundAddress, TypeData } from '@bourse/contract';
import { addressesFor, coolingFor, costOf, moving, stepsOf, withdrawProblems } from './withdraw.js';

const trc = {
  id: 4,
  type: 'TRC20',
  name: 'TRC20',
  contract_address: 'T',
  min_number: '10',
  rate: '1',
  min_deposit: '100',
} as TypeData;
/** Networks of 8 and of 6 decimals. */
const [BTC, ERC20] = [1, 3];
const good = { address: 'TX', amount: '150', memo: '', password: 'abc123', totp: '' };
const rules = { network: trc, memo: false, totp: false, available: '1000.00000000' };

test('fee and received amount are those of the vectors, which also test the service [FORMULA-003]', () => {
  const { withdrawals } = JSON.parse(
    readFileSync(new URL('../../../../../../libs/formulas/vectors.json', import.meta.url), 'utf8'),
  ) as { withdrawals: Record<'number' | 'rate' | 'fee' | 'received', string>[] };
  for (const { number, rate, fee, received } of withdrawals)
    expect(costOf(number, { id: BTC, rate })).toEqual({ number, fee, received });
});

const cost = (number: string, rate: string, id = BTC) => costOf(number, { id, rate });

test('fee and received are the server’s: 150 USDT on TRC20 at 1 % cost 1.50 [WALLETVIEW-010] [CLIENT-253]', () => {
  expect(cost('150', '1')).toEqual({ number: '150', fee: '1.50000000', received: '148.50000000' });
  // Up to eight decimals, rounded up: never less than what is taken.
  expect(cost('0.00000033', '1.5')).toEqual({ number: '0.00000033', fee: '0.00000001', received: '0.00000032' });
  expect(cost('1.00000001', '0.1')).toEqual({ number: '1.00000001', fee: '0.00100001', received: '0.99900000' });
  expect(cost('.5', '0')).toEqual({ number: '0.5', fee: '0.00000000', received: '0.50000000' });
  // A token of six decimals carries no more: the rest is fee.
  expect(cost('100.1234567', '1.5', ERC20)).toMatchObject({ fee: '1.50185270', received: '98.62160400' });
  expect([cost('', '1'), cost('0.0', '1')]).toEqual([undefined, undefined]);
});

test('faults of a withdrawal, in the order of the rules [WALLETVIEW-011]', () => {
  expect(withdrawProblems(good, rules)).toEqual({});
  expect(
    Object.entries(
      withdrawProblems(
        { address: ' ', amount: '', memo: '', password: '', totp: '' },
        { ...rules, memo: true, totp: true },
      ),
    ),
  ).toEqual([
    ['address', 'wallet.addressRequired'],
    ['amount', 'wallet.numberRequired'],
    ['memo', 'wallet.memoRequired'],
    ['password', 'fund.format'],
    ['totp', 'login.totpRequired'],
  ]);
  expect(withdrawProblems({ ...good, amount: '9.99999999' }, rules)).toEqual({ amount: 'wallet.lessMin' });
  expect(withdrawProblems({ ...good, amount: '10' }, rules)).toEqual({});
  expect(withdrawProblems({ ...good, amount: '1000.00000001' }, rules)).toEqual({ amount: 'balance.insufficient' });
  for (const password of ['abc12', 'abc1234', 'abc 12', 'abcdé1'])
    expect(withdrawProblems({ ...good, password }, rules)).toEqual({ password: 'fund.format' });
});

describe('bound addresses', () => {
  const bound = (id: number, type: number, usableAt: string) => ({ id, type, usable_at: usableAt }) as BoundAddress;
  test('of the chosen network, with the time until they may be used [WALLETVIEW-012]', () => {
    expect(addressesFor([bound(1, 3, ''), bound(2, 4, '')], trc).map(({ id }) => id)).toEqual([2]);
    const now = Date.UTC(2026, 0, 2, 12, 0, 0);
    expect([
      coolingFor(bound(1, 4, '2026-01-03 11:59:08'), now),
      coolingFor(bound(1, 4, '2026-01-02 12:00:00'), now),
      coolingFor(bound(1, 4, ''), now),
    ]).toEqual([86_348_000, 0, 0]);
  });
});

test('the way of a withdrawal, and where it ended [WALLETVIEW-013]', () => {
  const states = (state: Parameters<typeof stepsOf>[0]) => stepsOf(state).map((step) => `${step.id} ${step.state}`);
  expect(states('review')).toEqual(['review now', 'sending next', 'done next']);
  expect(states('sending')).toEqual(['review done', 'sending now', 'done next']);
  expect(states('done')).toEqual(['review done', 'sending done', 'done done']);
  expect(states('cancelled')).toEqual(['review done', 'cancelled stopped']);
  expect(states('failed')).toEqual(['review done', 'sending done', 'failed stopped']);
  expect([moving([{ state: 'done' }, { state: 'sending' }]), moving([{ state: 'failed' }])]).toEqual([true, false]);
});
