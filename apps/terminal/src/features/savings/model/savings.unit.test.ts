import { describe, expect, test } from '@jest/globals';
import type { SavingsConfig, SavingsOrder } from '@bourse/contract';
import { barsOf, cancelOf, outcomeOf, progressOf, shownAmount, subscribeProblems } from './savings.js';

const CONFIG: SavingsConfig = {
  id: 3,
  currency_id: 3,
  day: 30,
  interest_rate: '0.7',
  save_min: '100',
  cancel_rate: '0',
};
const NOW = Date.parse('2026-03-01T10:00:00Z');

describe('before one signs', () => {
  test('the worked example comes out day by day to the last digit [TERM-SAVE-001]', () => {
    const outcome = outcomeOf('1000', CONFIG, NOW);
    expect(outcome).toMatchObject({ profit: '7.00000000', total: '1007.00000000', cancelFee: '0.00000000' });
    expect(new Date(outcome.start).toISOString()).toBe('2026-03-02T00:00:00.000Z');
    expect(new Date(outcome.end).toISOString()).toBe('2026-04-01T00:00:00.000Z');
    expect(outcome.days).toHaveLength(30);
    expect(outcome.days[0]).toEqual({ day: 1, at: Date.parse('2026-03-03T00:00:00Z'), accrued: '0.23333333' });
    expect(outcome.days[28]?.accrued).toBe('6.76666666');
    expect(outcome.days.at(-1)).toEqual({ day: 30, at: outcome.end, accrued: '7.00000000' });
  });

  test('the cost of a cancel is shown, rounded up, with the rest of the amount [TERM-SAVE-001]', () => {
    expect(cancelOf('1000', '0.5')).toEqual({ cancelFee: '5.00000000', cancelLeaves: '995.00000000' });
    expect(cancelOf('0.00000001', '0.1')).toEqual({ cancelFee: '0.00000001', cancelLeaves: '0.00000000' });
  });

  test('with nothing typed the least amount is the example [TERM-SAVE-001]', () => {
    expect(shownAmount('', CONFIG)).toBe('100');
    expect(shownAmount('0.', CONFIG)).toBe('100');
    expect(shownAmount('250.5', CONFIG)).toBe('250.5');
  });

  test('the bars of the picture rise to the whole height, and lie flat without a profit [TERM-SAVE-001]', () => {
    const bars = barsOf(outcomeOf('1000', CONFIG, NOW).days);
    expect(bars).toHaveLength(30);
    expect(bars.at(-1)?.height).toBe(1);
    expect(bars.every(({ height }, at) => at === 0 || height > bars[at - 1]!.height)).toBe(true);
    expect(barsOf(outcomeOf('1000', { ...CONFIG, interest_rate: '0' }, NOW).days).at(-1)?.height).toBe(0);
  });

  test('faults come in the order of the rules: amount, password, minimum, balance [TERM-SAVE-002]', () => {
    const problems = (amount: string, password = 'fund66') => subscribeProblems({ amount, password }, CONFIG, '500');
    expect(problems('', '')).toEqual({ amount: 'savings.amountRequired', password: 'fund.format' });
    expect(problems('0')).toEqual({ amount: 'savings.amountRequired' });
    expect(problems('99.99')).toEqual({ amount: 'savings.belowMin' });
    expect(problems('500.00000001')).toEqual({ amount: 'balance.insufficient' });
    expect(problems('500')).toEqual({});
    expect(problems('100', 'ab')).toEqual({ password: 'fund.format' });
  });
});

test('the elapsed part of a term is that of its accrued interest [TERM-SAVE-003]', () => {
  const order = { profit: '7', accrued: '0.23333333', status: 1 } as SavingsOrder;
  expect(progressOf(order)).toBe(3);
  expect(progressOf({ ...order, profit: '0', accrued: '0' })).toBe(0);
  expect(progressOf({ ...order, status: 2 })).toBe(100);
  expect(progressOf({ ...order, status: 3 })).toBe(0);
});
