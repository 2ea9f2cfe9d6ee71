import { describe, expect, test } from '@jest/globals';
import { DayCount } from './day-count.js';

const MIDNIGHT = Date.UTC(2026, 0, 2);
const HOUR = 3_600_000;

describe('trades of today', () => {
  test('trades since midnight count, also over a restart [MARKET-018]', () => {
    const count = DayCount.startingAt(MIDNIGHT + HOUR, 40, 47);
    expect(count.count(MIDNIGHT + HOUR)).toBe(7);
    count.add(48, MIDNIGHT + 2 * HOUR);
    expect(count.count(MIDNIGHT + 2 * HOUR)).toBe(8);
  });

  test('a new day begins at nothing, and counts from its first trade on [MARKET-018]', () => {
    const count = DayCount.startingAt(MIDNIGHT - HOUR, 0, 5);
    expect(count.count(MIDNIGHT)).toBe(0);
    count.add(6, MIDNIGHT + 1);
    count.add(7, MIDNIGHT + 2);
    expect(count.count(MIDNIGHT + HOUR)).toBe(2);
    expect(count.count(MIDNIGHT + 24 * HOUR)).toBe(0);
  });

  test('an unseen trade counts by its number [MARKET-018]', () => {
    const count = DayCount.startingAt(MIDNIGHT, 10, 10);
    count.add(14, MIDNIGHT + HOUR);
    expect(count.count(MIDNIGHT + HOUR)).toBe(4);
  });
});
