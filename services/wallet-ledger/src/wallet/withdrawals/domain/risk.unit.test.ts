import { describe, expect, test } from '@jest/globals';
import { riskHints, type RiskHint, type WithdrawalFacts } from './risk.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = 1_800_000_000_000;
const known: WithdrawalFacts = {
  requestedAt: AT,
  earlier: 3,
  earlierToAddress: 2,
  othersToAddress: [],
  lastDepositAt: AT - 2 * DAY,
  registeredAt: AT - 400 * DAY,
  newDeviceAt: AT - 30 * DAY,
  contactChangedAt: null,
  sharedWith: [],
};

describe('hints about a withdrawal [WITHDRAW-030]', () => {
  test('are none for a known person, device, address and deposit', () => {
    expect(riskHints(known)).toEqual([]);
    expect(riskHints({ ...known, lastDepositAt: null, newDeviceAt: null })).toEqual([]);
  });

  test.each<[RiskHint, Partial<WithdrawalFacts>]>([
    ['shared_address', { othersToAddress: [7] }],
    ['shared_identity', { sharedWith: [8, 9] }],
    ['new_device', { newDeviceAt: AT - 6 * DAY }],
    ['new_device', { newDeviceAt: AT + HOUR }],
    ['contact_changed', { contactChangedAt: AT - DAY }],
    ['first_withdrawal', { earlier: 0, earlierToAddress: 0 }],
    ['new_address', { earlierToAddress: 0 }],
    ['fresh_deposit', { lastDepositAt: AT - DAY + 1 }],
    ['young_account', { registeredAt: AT - 7 * DAY + 1 }],
  ])('name %s for %j alone', (hint, facts) => {
    expect(riskHints({ ...known, ...facts })).toEqual([hint]);
  });

  test('end with their span: seven days, and one day for a deposit', () => {
    const old = { newDeviceAt: AT - 7 * DAY, contactChangedAt: AT - 7 * DAY, registeredAt: AT - 7 * DAY };
    expect(riskHints({ ...known, ...old, lastDepositAt: AT - DAY })).toEqual([]);
  });

  test('come with the most serious first', () => {
    const thief = { othersToAddress: [7], newDeviceAt: AT - HOUR, earlier: 0, earlierToAddress: 0 };
    expect(riskHints({ ...known, ...thief })).toEqual(['shared_address', 'new_device', 'first_withdrawal']);
  });
});
