import { expect, test } from '@jest/globals';
import { isPressOfItsOwn } from './double-click.js';

test('the second press of a double click does not close the dialog that it opened [CLIENT-207]', () => {
  expect([40, 250, 500, 900].map((pressedAt) => isPressOfItsOwn(0, pressedAt))).toEqual([false, false, false, false]);
  expect(isPressOfItsOwn(1_000, 1_901)).toBe(true);
});
