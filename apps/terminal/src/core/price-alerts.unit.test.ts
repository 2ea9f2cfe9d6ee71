import { expect, test } from '@jest/globals';
import { isReached, newAlert, readAlerts } from './price-alerts.js';

test('an alert is reached at its price or beyond, from the side of the last price at its setting [CHART-033]', () => {
  const above = newAlert({ id: 'a', symbol: 'BTC/USDT', price: '100.5' }, '100');
  const below = newAlert({ id: 'b', symbol: 'BTC/USDT', price: '99.5' }, '100');
  expect(['100.4', '100.5', '101', ''].map((price) => isReached(above, price))).toEqual([false, true, true, false]);
  expect(['99.6', '99.50', '9', ''].map((price) => isReached(below, price))).toEqual([false, true, true, false]);
});

test('invalid stored alerts are dropped before prices are watched [CHART-033]', () => {
  const good = newAlert({ id: 'a', symbol: 'BTC/USDT', price: '1' }, '2');
  expect(readAlerts([good, { ...good, price: 'x' }, { ...good, above: 1 }, null])).toEqual([good]);
  expect(readAlerts(undefined)).toEqual([]);
});
