import { describe, expect, test } from '@jest/globals';
import { storyOf } from './story.js';

const row = {
  status: 1,
  closed_type: 0,
  create_time: '2026-01-02 03:04:05',
  transaction_time: '2026-01-02 03:04:06',
  handle_time: '',
  trade_fee: '3.00300000',
} as const;
const fee = (id: string, value: string, time: string) => ({ id, value, created_time: time, is_fee: 1 as const });
const opening = fee('90', '-3.003', '2026-01-02 03:04:06');
const words = (steps: ReturnType<typeof storyOf>) => steps.map(({ text, amount }) => `${text} ${amount ?? ''}`.trim());

describe('the story of a position [LEVERUI-015]', () => {
  test('an order that waits or was revoked never opened', () => {
    const waiting = { ...row, status: 0, transaction_time: '' } as const;
    expect(words(storyOf(waiting, []))).toEqual(['lever.ordered']);
    const revoked = { ...waiting, status: 4, handle_time: '2026-01-02 05:00:00' } as const;
    expect(words(storyOf(revoked, []))).toEqual(['lever.ordered', 'lever.state.4']);
  });

  test('every night fee is a step with its amount, the opening fee and the margin are none', () => {
    const margin = { id: '91', value: '-300.3', created_time: '2026-01-02 03:04:06', is_fee: 0 as const };
    const nights = [fee('110', '-3.003', '2026-01-04 00:00:00'), fee('100', '-1.2', '2026-01-03 00:00:00')];
    const ended = { ...row, status: 3, closed_type: 2, handle_time: '2026-01-04 01:00:00' } as const;
    expect(words(storyOf(ended, [...nights, margin, opening]))).toEqual([
      'lever.ordered',
      'lever.opened',
      'lever.overnight -1.2',
      'lever.overnight -3.003',
      'lever.closedBy.2',
    ]);
  });
});
