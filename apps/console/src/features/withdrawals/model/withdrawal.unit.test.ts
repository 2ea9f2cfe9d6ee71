import { describe, expect, test } from '@jest/globals';
import { ageOf, approvalsInForce, mayApprove, waitsForSecond, type WithdrawalRow } from './withdrawal.js';

const row: WithdrawalRow = {
  id: '7',
  currency_id: 3,
  currency_name: 'USDT',
  number: '10000.00000000',
  fee: '100.00000000',
  received: '9900.00000000',
  address: 'T1',
  memo: '',
  type: 4,
  status: 1,
  state: 'review',
  tx_id: '',
  confirmations: 0,
  reason: '',
  create_time: '2026-01-01 00:00:00',
  update_time: '2026-01-01 00:00:00',
  ts: 1_767_225_600_000,
  updated_ts: 1_767_225_600_000,
  user_id: 100001,
  network_name: 'TRC20',
  risk: null,
  value: '10000.00000000',
  approvals: 1,
  approvals_needed: 2,
  held: '',
};
const approval = (operator: string, before: string) => ({
  time: '2026-01-01 00:01:00',
  operator,
  reason: 'known to us',
  before,
});
const given = [approval('finance1', 'review, 0 of 2')];

describe('a withdrawal under review', () => {
  test('waits for a second person between the first approval and the last', () => {
    expect(waitsForSecond(row)).toBe(true);
    expect(waitsForSecond({ ...row, approvals: 0 })).toBe(false);
    expect(waitsForSecond({ ...row, approvals: 2, state: 'sending' })).toBe(false);
  });

  test('is approved by an operator who has not approved it yet, and not while its person is frozen', () => {
    expect(mayApprove(row, given, 'finance2')).toBe(true);
    expect(mayApprove(row, given, 'finance1')).toBe(false);
    expect(mayApprove({ ...row, held: 'brake' }, given, 'finance2')).toBe(true);
    expect(mayApprove({ ...row, held: 'frozen' }, given, 'finance2')).toBe(false);
    expect(mayApprove({ ...row, state: 'sending' }, given, 'finance2')).toBe(false);
  });

  test('that has returned to review is approved again by those who approved it before [CONSOLE-334]', () => {
    const earlier = [approval('finance1', 'review, 0 of 2'), approval('finance2', 'review, 1 of 2')];
    const trail = [...earlier, approval('finance1', 'review, 0 of 2')];
    expect(approvalsInForce({ approvals: 1 }, trail)).toEqual(trail.slice(2));
    expect(mayApprove(row, approvalsInForce({ approvals: 1 }, trail), 'finance2')).toBe(true);
    expect(mayApprove(row, approvalsInForce({ approvals: 1 }, trail), 'finance1')).toBe(false);
    // The newest approval has not reached the trail yet.
    expect(approvalsInForce({ approvals: 1 }, earlier)).toEqual([]);
    expect(approvalsInForce({ approvals: 2 }, earlier)).toEqual(earlier);
    expect(approvalsInForce({ approvals: 1 }, [])).toEqual([]);
  });

  test('has an age in whole hours and minutes', () => {
    expect(ageOf(0, 61 * 60_000 + 59_999)).toEqual({ hours: 1, minutes: 1 });
    expect(ageOf(60_000, 0)).toEqual({ hours: 0, minutes: 0 });
  });
});
