import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import {
  approvalsFor,
  chargeOf,
  leastNumberOf,
  moveOf,
  payableOf,
  statusOf,
  valueOf,
  type WithdrawalEvent,
  type WithdrawalState,
} from './withdrawal.js';

const FINE = { scale: 8, networkScale: 18 };
const at8 = (text: string) => toUnits(text, 8);
const text8 = (units: bigint): string => formatUnits(units, 8);

describe('the charge of a withdrawal', () => {
  test('150 USDT on TRC20 at 1 % cost 1.50 and bring 148.50 [WITHDRAW-001]', () => {
    const { fee, received } = chargeOf(at8('150'), toUnits('1', 4), 4, FINE);
    expect([text8(fee), text8(received)]).toEqual(['1.50000000', '148.50000000']);
  });

  test('the fee is rounded up at 8 decimals, so that fee and received are the number exactly [WITHDRAW-001]', () => {
    const { fee, received } = chargeOf(at8('0.00000001'), toUnits('0.1', 4), 4, FINE);
    expect([fee, received]).toEqual([1n, 0n]);
    const odd = chargeOf(at8('33.33333333'), toUnits('1.5', 4), 4, FINE);
    expect([text8(odd.fee), text8(odd.received)]).toEqual(['0.50000000', '32.83333333']);
  });

  test.each([
    ['100.1234567', '1.5', '98.62160400', '1.50185270'],
    ['150', '1', '148.50000000', '1.50000000'],
    ['0.00000999', '0.1', '0.00000900', '0.00000099'],
    ['0.00000099', '0.1', '0.00000000', '0.00000099'],
  ])('%s at %s %% on a token of 6 decimals pays whole token units, the rest is fee [CLIENT-253]', (...given) => {
    const [number, rate, received, fee] = given;
    const charge = chargeOf(at8(number), toUnits(rate, 4), 4, { scale: 8, networkScale: 6 });
    expect([text8(charge.received), text8(charge.fee)]).toEqual([received, fee]);
    expect(payableOf(charge.received, 8, 6).dust).toBe(0n);
  });

  test('is that of the vectors, which the screen is tested on too [FORMULA-003]', () => {
    const { withdrawals } = JSON.parse(
      readFileSync(new URL('../../../../../../libs/formulas/vectors.json', import.meta.url), 'utf8'),
    ) as { withdrawals: Record<'number' | 'rate' | 'fee' | 'received', string>[] };
    for (const { number, rate, fee, received } of withdrawals) {
      const charge = chargeOf(at8(number), toUnits(rate, 4), 4, FINE);
      expect([number, rate, text8(charge.fee), text8(charge.received)]).toEqual([number, rate, fee, received]);
    }
  });

  test('the remainder too fine for the chain stays with the house; a finer chain carries all [WITHDRAW-002]', () => {
    const coarse = payableOf(at8('148.50000099'), 8, 6);
    expect([coarse.onChain, text8(coarse.gone), text8(coarse.dust)]).toEqual([
      148_500_000n,
      '148.50000000',
      '0.00000099',
    ]);
    const fine = payableOf(at8('1.23456789'), 8, 18);
    expect([fine.onChain, text8(fine.gone), fine.dust]).toEqual([1_234_567_890_000_000_000n, '1.23456789', 0n]);
  });
});

describe('the smallest number', () => {
  test.each([
    ['0.00000102', 1n, '1', 8, 6],
    ['0.00000100', 1n, '0', 8, 6],
    ['0.00000106', 1n, '5', 8, 6],
    ['0.00000547', 546n, '0.1', 8, 8],
    ['0.00000002', 1n, '1', 8, 18],
  ] as const)('%s brings %i units at %s %% [WITHDRAW-031]', (least, onChain, percent, scale, networkScale) => {
    const [rate, scales] = [toUnits(percent, 4), { scale, networkScale }];
    const number = leastNumberOf(onChain, rate, 4, scales);
    expect(text8(number)).toBe(least);
    const brings = (units: bigint): bigint =>
      payableOf(chargeOf(units as typeof number, rate, 4, scales).received, scale, networkScale).onChain;
    expect([brings(number) >= onChain, brings(number - 1n) >= onChain]).toEqual([true, false]);
  });
});

describe('review', () => {
  const ceilings = { auto: at8('1000'), twoPerson: at8('10000') };
  test.each([
    ['1000', 0],
    ['1000.00000001', 1],
    ['9999.99999999', 1],
    ['10000', 2],
  ] as const)('a value of %s USD needs %i operators [WITHDRAW-003]', (value, needed) => {
    expect(approvalsFor(at8(value), ceilings)).toBe(needed);
  });
  test('a value is rounded up [WITHDRAW-003]', () => {
    expect(valueOf(at8('0.00000001'), 8, at8('0.1'))).toBe(1n);
    expect(valueOf(at8('2'), 8, at8('60000.5'))).toBe(at8('120001'));
  });
});

test('every event leads from one state to one other, and no final state is left again [WITHDRAW-004]', () => {
  const states: readonly WithdrawalState[] = ['review', 'sending', 'done', 'failed', 'cancelled'];
  const events: readonly WithdrawalEvent[] = ['approved', 'cancelled', 'rejected', 'held', 'unpayable', 'paid', 'lost'];
  const left = new Set(events.map((event) => moveOf(event).from));
  expect([...left].sort()).toEqual(['review', 'sending']);
  expect(states.map(statusOf)).toEqual([1, 1, 2, 3, 3]);
  // Money under way is refunded in one case only: the chain has used up the spends of its payment. An unsigned one may
  // be held, or ended when no payment can carry it.
  expect(events.filter((event) => moveOf(event).from === 'sending')).toEqual(['held', 'unpayable', 'paid', 'lost']);
  expect([moveOf('held').to, moveOf('unpayable').to]).toEqual(['review', 'cancelled']);
});
