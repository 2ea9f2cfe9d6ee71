import { expect, test } from '@jest/globals';
import { ladderOf } from './ladder.js';

const scales = { priceScale: 2, numberScale: 6 };

test('rows run from the best level with sums, and both sides share one scale of bars [SPOTVIEW-010]', () => {
  const ladder = ladderOf(
    [
      ['100', '1'],
      ['99.5', '0.5'],
      ['99', '9'],
    ],
    [['100.5', '3']],
    2,
    scales,
  );
  expect(ladder.bids).toEqual([
    { level: 1, price: '100', number: '1', cumulative: '1.000000', share: 33 },
    { level: 2, price: '99.5', number: '0.5', cumulative: '1.500000', share: 50 },
  ]);
  expect(ladder.asks).toEqual([{ level: 1, price: '100.5', number: '3', cumulative: '3.000000', share: 100 }]);
  expect([ladder.spread, ladder.spreadPercent]).toEqual(['0.50', '0.4975']);
});

test('an empty side has no rows and no spread [SPOTVIEW-010]', () => {
  expect(ladderOf([], [['1', '1']], 8, scales)).toMatchObject({ bids: [], spread: '', spreadPercent: '' });
});
