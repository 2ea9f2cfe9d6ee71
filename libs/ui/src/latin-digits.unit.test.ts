import { expect, test } from '@jest/globals';
import { latinDigits } from './latin-digits.js';

test.each([
  ['١٢٫٥', '12.5'],
  ['۱۲۳٬۴۵۶', '123,456'],
  ['１２３．４５', '123.45'],
  ['१२', '12'],
  ['๑๒', '12'],
  ['0123456789.', '0123456789.'],
])('the number %s is read as %s [CLIENT-206]', (written, number) => {
  expect(latinDigits(written)).toBe(number);
});
