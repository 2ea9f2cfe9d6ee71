import { afterEach, describe, expect, test } from '@jest/globals';
import { boundedKey, InProcessCounters } from './in-process.js';

describe('counters in memory', () => {
  let counters: InProcessCounters;
  afterEach(() => counters.close());

  test('neither their number nor the length of their keys grows without bound [HARD-204]', async () => {
    counters = new InProcessCounters(1_000);
    for (let at = 0; at < 5_000; at += 1) await counters.hit(`rate:${at}`, 60_000);
    expect(counters.size).toBeLessThanOrEqual(1_000);
    // The newest key is still counted.
    expect((await counters.hit('rate:4999', 60_000)).count).toBe(2);
    expect(boundedKey('x'.repeat(94_000)).length).toBeLessThan(120);
    expect(boundedKey(`${'x'.repeat(94_000)}1`)).not.toBe(boundedKey(`${'x'.repeat(94_000)}2`));
    expect((await counters.hit('x'.repeat(94_000), 60_000)).count).toBe(1);
    expect((await counters.hit('x'.repeat(94_000), 60_000)).count).toBe(2);
  });

  test('a window that is over makes room first [HARD-204]', async () => {
    counters = new InProcessCounters(10);
    await counters.hit('kept', 60_000);
    for (let at = 0; at < 9; at += 1) await counters.hit(`over-${at}`, 0);
    await counters.hit('new', 60_000);
    expect(counters.size).toBe(2);
    expect((await counters.hit('kept', 60_000)).count).toBe(2);
  });
});
