import { expect, test } from '@jest/globals';
import { demoAmount } from './demo-coins.js';

test.each([
  ['1', '10000'],
  ['56540.00', '0.17'],
  ['3120.5', '3.2'],
  ['0.1', '100000'],
  ['0.00001234', '810000000'],
  ['0', '100'],
])('coins at %s USDT come as %s [WALLET-UI-024]', (price, amount) => {
  expect(demoAmount(price)).toBe(amount);
});
