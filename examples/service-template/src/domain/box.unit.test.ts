import { expect, test } from '@jest/globals';
import { closingTime, holdOf, isDue } from './box.js';

test('a box closes when its time has come, and only while it is open [TEMPLATE-001]', () => {
  const closesAt = closingTime(1_000, 60);
  expect(closesAt).toBe(61_000);
  expect(isDue({ state: 'open', closesAt }, 60_999)).toBe(false);
  expect(isDue({ state: 'open', closesAt }, 61_000)).toBe(true);
  expect(isDue({ state: 'closed', closesAt }, 61_000)).toBe(false);
  expect(isDue({ state: 'waiting', closesAt: null }, 61_000)).toBe(false);
  expect(holdOf('7')).toBe('box:7');
});
