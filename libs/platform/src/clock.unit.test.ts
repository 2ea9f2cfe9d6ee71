import { expect, jest, test } from '@jest/globals';
import { SystemClock } from './clock.js';

test('a wall clock that jumps moves neither time; its distance is reported [START-007]', () => {
  const clock = new SystemClock();
  const before = clock.real();
  const wall = jest.spyOn(Date, 'now').mockReturnValue(before - 300_000);
  try {
    expect(clock.real() - before).toBeLessThan(1_000);
    expect(clock.real()).toBeGreaterThanOrEqual(before);
    expect(Math.abs(clock.wallAhead() + 300_000)).toBeLessThan(1_000);
  } finally {
    wall.mockRestore();
  }
});

test('real time follows the better source, business time stays as far ahead of it [START-007]', () => {
  const clock = new SystemClock();
  clock.setOffset(3_600_000);
  clock.correct(1_700_000_000_000);
  expect(Math.abs(clock.real() - 1_700_000_000_000)).toBeLessThan(1_000);
  expect(Math.abs(clock.now() - 1_700_003_600_000)).toBeLessThan(1_000);
});
