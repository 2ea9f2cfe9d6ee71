import { describe, expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { accepted, cancelled, matured, type Accepted } from '../domain/subscription.js';
import { noticeOf } from './savings-notices.js';

const DAY_MS = 86_400_000;
const NOON = Date.UTC(2026, 0, 1, 12);
const TERM: Accepted = accepted(
  {
    id: '42',
    userId: 100001,
    currencyId: 3,
    currencyName: 'USDT',
    scale: 8,
    amount: 100_000_000_000n,
    day: 30,
    rate: percent('0.7'),
    cancelRate: percent('0.3'),
    profit: 700_000_000n,
    state: 'waiting',
    createdAt: null,
    startAt: null,
    endAt: null,
    endedAt: null,
  },
  NOON,
  DAY_MS,
);

describe('notices of ended terms name the returned amount', () => {
  test('a matured one: the amount and its interest [SAVE-004]', () => {
    expect(noticeOf(matured(TERM, TERM.endAt))).toEqual({
      userId: 100001,
      id: 'savings:42:matured',
      kind: 'savingsMatured',
      params: { amount: '1000', profit: '7', currency: 'USDT' },
      link: '/manageList',
      at: TERM.endAt,
    });
  });

  test('a cancelled one: the amount less the fee, and no interest [SAVE-004]', () => {
    const at = TERM.startAt + 3 * DAY_MS;
    expect(noticeOf(cancelled(TERM, at)!)).toEqual({
      userId: 100001,
      id: 'savings:42:cancelled',
      kind: 'savingsCancelled',
      params: { amount: '997', currency: 'USDT', fee: '3' },
      link: '/manageList',
      at,
    });
    expect(noticeOf(cancelled({ ...TERM, cancelRate: 0n }, at)!).params).toEqual({
      amount: '1000',
      currency: 'USDT',
      fee: '0',
    });
  });

  test('a running one gets no notice [SAVE-004]', () => {
    expect(() => noticeOf(TERM)).toThrow('invariant: the end of subscription 42 is reported before it has come');
  });
});
