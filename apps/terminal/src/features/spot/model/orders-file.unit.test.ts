import { expect, test } from '@jest/globals';
import { fileName } from './orders-file.js';

test.each([
  ['orders', undefined, 'orders-2026-01-02.csv'],
  ['trades', 'BTC/USDT', 'trades-BTC-USDT-2026-01-02.csv'],
] as const)('a file of %s of the pair %s is named %s', (kind, symbol, name) => {
  expect(fileName(kind, symbol, '2026-01-02')).toBe(name);
});
