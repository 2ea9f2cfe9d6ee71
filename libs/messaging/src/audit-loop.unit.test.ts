import { expect, jest, test } from '@jest/globals';
import { AuditPace } from './audit-loop.js';

test('a round rests between its pieces, twice as long as a piece took, and 3 s in all at most [AUDIT-012]', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  try {
    const pace = new AuditPace();
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
    expect(await rested(20)).toBeLessThanOrEqual(41);
    expect(await rested(20)).toBeGreaterThanOrEqual(40);
    // A long piece is no reason for a long rest: money waits for what it finds.
    expect(await rested(400)).toBeLessThanOrEqual(101);
    for (let n = 0; n < 30; n += 1) await rested(400);
    expect(await rested(400)).toBeLessThanOrEqual(2);
  } finally {
    jest.useRealTimers();
  }
});
