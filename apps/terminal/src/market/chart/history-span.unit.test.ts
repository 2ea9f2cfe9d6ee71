import { expect, test } from '@jest/globals';
import { serverOffset } from '../../core/server-offset.js';
import { historySpan } from './intervals.js';

const NOW = Date.UTC(2026, 10, 27, 12, 0, 30);
const exchange = { get: () => Promise.resolve({ message: NOW }) } as never;

test.each([0, -300_000, -3 * 3_600_000, 7_200_000])(
  'a chart on a computer whose clock is wrong by %d ms asks up to the running bar of the exchange [CLIENT-204]',
  async (wrong) => {
    const deviceNow = (): number => NOW + wrong;
    const now = deviceNow() + (await serverOffset(exchange, deviceNow));
    expect(now).toBe(NOW);
    const { from, to } = historySpan(now, '1min');
    expect(to).toBe(NOW / 1_000 + 60);
    expect((to - from) / 60).toBe(1_500);
  },
);
