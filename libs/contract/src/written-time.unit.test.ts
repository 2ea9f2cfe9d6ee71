import { expect, test } from '@jest/globals';
import { writtenTime } from './written-time.js';

test('a time is written to the second in UTC, whatever time was written before it', () => {
  const first = Date.UTC(2026, 0, 31, 23, 59, 59, 0);
  for (const at of [first, first + 999, new Date(first + 1)]) expect(writtenTime(at)).toBe('2026-01-31 23:59:59');
  expect(writtenTime(first + 1_000)).toBe('2026-02-01 00:00:00');
  expect(writtenTime(first)).toBe('2026-01-31 23:59:59');
  expect(writtenTime(0)).toBe('1970-01-01 00:00:00');
  expect(writtenTime(-1)).toBe('1969-12-31 23:59:59');
});

test('a missing time is written as the empty text, and an invalid time is refused', () => {
  expect([writtenTime(null), writtenTime(undefined)]).toEqual(['', '']);
  expect(() => writtenTime(Number.NaN)).toThrow(RangeError);
});
