import { expect, test } from '@jest/globals';
import { shareOf } from './share-of.js';

test('the slider shows the share of the balance that a typed amount takes [TICKET-022]', () => {
  expect(shareOf('18', '100')).toBe(18);
  expect(shareOf('0.0189', '0.10000000')).toBe(18);
  expect(shareOf('250', '100')).toBe(100);
  expect([shareOf('', '100'), shareOf('1', undefined), shareOf('1', '0'), shareOf('1.', '5')]).toEqual([0, 0, 0, 0]);
});
