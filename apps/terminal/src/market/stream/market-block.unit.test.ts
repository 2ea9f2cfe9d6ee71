import { expect, test } from '@jest/globals';
import { marketBlock, stopsAll } from './market-block.js';

test('the market’s mode comes before the line, the line before the age of its data [SPOTVIEW-061]', () => {
  expect([
    marketBlock('halted', false, 'dead'),
    marketBlock('cancel_only', false, 'dead'),
    marketBlock('normal', false, 'dead'),
    marketBlock('normal', true, 'dead'),
    marketBlock('normal', true, 'old'),
    marketBlock('normal', true, 'fresh'),
  ]).toEqual(['halted', 'cancelOnly', 'reconnecting', 'stale', undefined, undefined]);
});

test('a mode stops every order, old data only those at the price of the moment [SPOTVIEW-061]', () => {
  expect(([undefined, 'halted', 'cancelOnly', 'reconnecting', 'stale'] as const).map(stopsAll)).toEqual([
    false,
    true,
    true,
    false,
    false,
  ]);
});
