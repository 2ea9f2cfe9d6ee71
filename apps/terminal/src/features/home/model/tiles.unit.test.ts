import { expect, test } from '@jest/globals';
import { sparkline } from './tiles.js';

test('the line fills its box from low to high, and a flat market is a flat line', () => {
  expect(sparkline([1, 3, 2], 100, 20)).toBe('M0.0 20.0L50.0 0.0L100.0 10.0');
  expect(sparkline([5, 5], 10, 4)).toBe('M0.0 4.0L10.0 4.0');
  expect(sparkline([5], 10, 4)).toBe('');
});
