import { expect, test } from '@jest/globals';
import { wayTo } from './search-model.js';

test.each([
  ['user', '/users/7'],
  ['appeal', '/appeals/7'],
  ['withdrawal', '/withdrawals?id=7'],
  ['deposit', '/deposits?id=7'],
  ['deal', '/deals?id=7'],
  ['order', '/orders?product=spot&user_id=9'],
  ['position', '/orders?product=lever&user_id=9'],
  ['contract', '/orders?product=micro&user_id=9'],
] as const)('a found %s is shown at %s [CONSOLE-330]', (kind, address) => {
  expect(wayTo({ kind, id: '7', user_id: 9, title: '' })).toBe(address);
});
