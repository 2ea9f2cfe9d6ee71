import { expect, test } from '@jest/globals';
import { countdown } from './countdown.js';

test.each([
  [86_348_000, '23:59:08'],
  [90_000_000, '25:00:00'],
  [3_600_000, '01:00:00'],
  [3_599_001, '01:00:00'],
  [3_599_000, '59:59'],
  [600_000, '10:00'],
  [59_001, '1:00'],
  [9_000, '0:09'],
  [0, '0:00'],
  [-5_000, '0:00'],
])('%i ms are shown as %s [ACCOUNTVIEW-003]', (ms, text) => {
  expect(countdown(ms)).toBe(text);
});
