import { expect, test } from '@jest/globals';
import { instant, safeInteger } from './transformers.js';

test('a bigint is a number as long as a number can hold it, and is refused beyond', () => {
  expect(safeInteger.from('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
  expect(() => safeInteger.from('9007199254740993')).toThrow(RangeError);
});

test('a time is milliseconds on this side and a date on the other; nothing stays nothing', () => {
  expect(instant.from(instant.to(1_795_000_000_123))).toBe(1_795_000_000_123);
  expect([instant.to(null), instant.from(null), safeInteger.from(null)]).toEqual([null, null, null]);
});
