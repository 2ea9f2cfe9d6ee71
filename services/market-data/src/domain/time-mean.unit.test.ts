import { describe, expect, test } from '@jest/globals';
import { DAY, MINUTE } from './period.js';
import { TimeMean } from './time-mean.js';

describe('the mean over time of a source without volume [HARD-101]', () => {
  test('each minute counts once, and minutes older than a day do not count', () => {
    const mean = new TimeMean();
    expect(mean.at(0)).toBeNull();
    for (let second = 0; second < 60; second++) mean.note(second * 1_000, 100n);
    mean.note(MINUTE, 400n);
    expect(mean.at(MINUTE)).toBe(250n);
    expect(mean.at(DAY + MINUTE)).toBe(400n);
    expect(mean.at(DAY + 2 * MINUTE)).toBeNull();
  });

  test('a price that lasts for a moment hardly moves a mean of hours', () => {
    const mean = new TimeMean();
    for (let minute = 0; minute < 600; minute++) mean.note(minute * MINUTE, 1_000n);
    mean.note(600 * MINUTE, 1n);
    expect(mean.at(600 * MINUTE)).toBe(998n);
  });

  test('a clock that is set back starts it again', () => {
    const mean = new TimeMean();
    mean.note(10 * MINUTE, 5n);
    mean.note(MINUTE, 9n);
    expect(mean.at(MINUTE)).toBe(9n);
  });
});
