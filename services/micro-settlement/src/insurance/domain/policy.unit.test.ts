import { describe, expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { claimPayout, dayOf, endsNow, isClaimable, nextPayout, stakeRefusal, type Policy } from './policy.js';

const hap = (text: string): bigint => toUnits(text, 8);
const policy = (change: Partial<Policy> = {}): Policy => ({
  id: '1',
  userId: 7,
  typeId: 1,
  currencyId: 8,
  currencyName: 'HAP',
  scale: 8,
  amount: hap('1000'),
  premium: hap('50'),
  vault: hap('1000'),
  running: 0,
  terms: {
    premiumRate: percent('5'),
    stakeRate: percent('2'),
    claimLossRate: percent('50'),
    claimRate: percent('50'),
    endProfitRate: percent('100'),
    maxOpen: 5,
    claimsPerDay: 2,
  },
  state: 'active',
  createdAt: 0,
  endedAt: null,
  ...change,
});

describe('the worked example of rules §5 [INSURANCE-001]', () => {
  test('1,000 HAP: largest stake 20; at vault 500 trading stops; the claim pays 500', () => {
    expect(stakeRefusal(policy(), hap('20'))).toBeNull();
    expect(stakeRefusal(policy(), hap('20.00000001'))).toEqual({ code: 'stakeMax', max: hap('20') });
    expect(stakeRefusal(policy({ vault: hap('500.00000001') }), hap('1'))).toBeNull();
    expect(stakeRefusal(policy({ vault: hap('500') }), hap('1'))).toEqual({ code: 'claimFirst' });
    expect(isClaimable(policy({ vault: hap('500') }))).toBe(true);
    expect(isClaimable(policy({ vault: hap('500.00000001') }))).toBe(false);
    expect(claimPayout(policy())).toBe(hap('500'));
  });
});

describe('actions that a policy allows [INSURANCE-002]', () => {
  test('refusals come in the order of the rules: claim, stake, running contracts', () => {
    expect(stakeRefusal(policy({ vault: hap('400'), running: 5 }), hap('900'))).toEqual({ code: 'claimFirst' });
    expect(stakeRefusal(policy({ running: 5 }), hap('900'))?.code).toBe('stakeMax');
    expect(stakeRefusal(policy({ running: 5 }), hap('20'))).toEqual({ code: 'openMax', max: 5 });
    expect(stakeRefusal(policy({ running: 4 }), hap('20'))).toBeNull();
    expect(stakeRefusal(policy({ state: 'claiming' }), hap('1'))).toEqual({ code: 'claimFirst' });
  });
  test('at twice its amount it accepts no contract, and ends once none is running', () => {
    const won = policy({ vault: hap('2000'), running: 1 });
    expect(stakeRefusal(won, hap('1'))).toEqual({ code: 'stakeMax', max: 0n });
    expect(endsNow(won)).toBe(false);
    expect(endsNow({ ...won, running: 0 })).toBe(true);
    expect(endsNow({ ...won, running: 0, vault: hap('1999.99999999') })).toBe(false);
  });
  test('a booked claim is paid at 00:10 UTC of the next day', () => {
    const evening = Date.UTC(2026, 10, 22, 23, 59, 59, 999);
    expect(new Date(nextPayout(evening)).toISOString()).toBe('2026-11-23T00:10:00.000Z');
    expect(dayOf(nextPayout(evening))).toBe(dayOf(evening) + 1);
  });
});
