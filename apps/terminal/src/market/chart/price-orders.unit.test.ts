import { expect, test } from '@jest/globals';
import { ordersAt } from './price-orders.js';

test('a price offers limits of both sides, and a stop on the side that triggers there [CHART-070]', () => {
  expect(ordersAt('56444.00', '56000.12')).toEqual([
    { kind: 'limit', side: 'buy', price: '56444' },
    { kind: 'limit', side: 'sell', price: '56444' },
    { kind: 'stop', side: 'buy', price: '56444' },
  ]);
  expect(ordersAt('0.00002609', '0.0000261').at(-1)).toEqual({ kind: 'stop', side: 'sell', price: '0.00002609' });
});

test('the last price, and a chart without bars, offer no stop [CHART-070]', () => {
  const kinds = (last: string | undefined) => ordersAt('100.50', last).map(({ kind }) => kind);
  expect(kinds('100.5')).toEqual(['limit', 'limit']);
  expect(kinds(undefined)).toEqual(['limit', 'limit']);
});
