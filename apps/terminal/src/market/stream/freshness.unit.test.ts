import { expect, test } from '@jest/globals';
import { freshnessOf } from './freshness.js';

test('data dims after three seconds and stops market orders after five or without a connection [SPOTVIEW-020]', () => {
  expect([
    freshnessOf(3_000, true),
    freshnessOf(3_001, true),
    freshnessOf(5_001, true),
    freshnessOf(0, false),
    freshnessOf(Infinity, true),
  ]).toEqual(['fresh', 'old', 'dead', 'dead', 'dead']);
});
