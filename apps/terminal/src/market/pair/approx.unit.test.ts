import { expect, test } from '@jest/globals';
import { approxValue } from './approx.js';

test('the approximate value is the price times the rate of its quote, cut to two decimals [SPOTVIEW-030]', () => {
  expect(approxValue('56637.56', '6.5')).toBe('368144.14');
  expect(approxValue('0.00002609', '368355.13')).toBe('9.61');
  expect([approxValue('', '6.5'), approxValue('1', '')]).toEqual(['', '']);
});
