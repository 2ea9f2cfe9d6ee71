import { expect, jest, test } from '@jest/globals';
import { AuditPace } from './audit-loop.js';

test.each([
  { name: 'idle', share: 0.2, times: 2, atOnce: 100, inAll: 3_000 },
  { name: 'busy', share: 0.9, times: 6, atOnce: 250, inAll: 6_000 },
])(
  'a round of a process that is $name rests $times times as long as a piece took, $inAll ms in all at most [AUDIT-029]',
  async ({ share, times, atOnce, inAll }) => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    try {
      const pace = new AuditPace(() => share);
      const rested = async (workMs: number): Promise<number> => {
        jest.advanceTimersByTime(workMs);
        const from = performance.now();
        let done = false;
        void pace.rest().then(() => {
          done = true;
        });
        while (!done) await jest.advanceTimersByTimeAsync(1);
        return performance.now() - from;
      };
      let sum = await rested(20);
      expect(sum).toBeGreaterThanOrEqual(20 * times);
      expect(sum).toBeLessThanOrEqual(20 * times + 1);
      // A long piece is no reason for a long pause: money waits for the result.
      const long = await rested(400);
      expect(long).toBeGreaterThanOrEqual(atOnce);
      expect(long).toBeLessThanOrEqual(atOnce + 1);
      sum += long;
      for (let n = 0; n < 40; n += 1) sum += await rested(400);
      expect(sum).toBeGreaterThanOrEqual(inAll);
      expect(sum).toBeLessThanOrEqual(inAll + 80);
      expect(await rested(400)).toBeLessThanOrEqual(2);
    } finally {
      jest.useRealTimers();
    }
  },
);
