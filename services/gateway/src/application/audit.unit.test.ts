import { expect, test } from '@jest/globals';
import { holdDifferences } from './audit.js';

test('holds of orders and open orders must agree in both directions, whatever the notation [EDGE-018]', () => {
  const held = [{ hold: 'order:1', currency: 3, amount: '10.00000000' }, { hold: 'order:2', currency: 1, amount: '0.5' }, { hold: 'withdrawal:1', currency: 3, amount: '7' }, { hold: 'order:4', currency: 3, amount: '0' }];
  expect(holdDifferences(held, [{ hold: 'order:1', currency: 3, amount: '10' }, { hold: 'order:2', currency: 1, amount: '0.5' }])).toEqual([]);
  expect(holdDifferences(held, [{ hold: 'order:1', currency: 3, amount: '9' }, { hold: 'order:3', currency: 1, amount: '1' }])).toEqual([
    'order:1 currency 3: 10.00000000 held, 9 needed', 'order:3 currency 1: 0 held, 1 needed', 'order:2 currency 1: 0.5 held for no open order',
  ]);
});
