import { expect, test } from '@jest/globals';
import { byPartition, modeOfAll } from './breakers-model.js';

test('the mode of all is that of the most closed scope, and shows when scopes differ [CONSOLE-311]', () => {
  expect(modeOfAll([])).toEqual({ mode: 'normal', partly: false });
  expect(modeOfAll(['normal', 'normal'])).toEqual({ mode: 'normal', partly: false });
  expect(modeOfAll(['cancel_only', 'cancel_only'])).toEqual({ mode: 'cancel_only', partly: false });
  expect(modeOfAll(['normal', 'halted', 'cancel_only'])).toEqual({ mode: 'halted', partly: true });
  expect(modeOfAll(['cancel_only', 'normal'])).toEqual({ mode: 'cancel_only', partly: true });
});

test('markets are listed under the partition that runs them, and an empty partition is shown [CONSOLE-312]', () => {
  const markets = [
    { symbol: 'ETH/USDT', partition: 2 },
    { symbol: 'BTC/USDT', partition: 2 },
    { symbol: 'TRX/USDT', partition: 0 },
  ];
  expect(byPartition({ partitions: 3, markets })).toEqual([
    { partition: 0, symbols: ['TRX/USDT'] },
    { partition: 1, symbols: [] },
    { partition: 2, symbols: ['BTC/USDT', 'ETH/USDT'] },
  ]);
});
