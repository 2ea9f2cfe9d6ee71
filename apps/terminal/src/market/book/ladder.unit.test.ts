import { expect, test } from '@jest/globals';
import { groupingsAt, groupLevels, groupPrice, ladderOf, levelsFor, stepText, usedGrouping } from './ladder.js';

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

test('levels are grouped so that no group looks better than its levels: bids down, asks up [SPOTVIEW-011]', () => {
  const bids: [string, string][] = [
    ['100.19', '1'],
    ['100.10', '0.5'],
    ['100.09', '2'],
  ];
  expect(groupLevels(bids, 'bids', 1, scales)).toEqual([
    ['100.10', '1.500000'],
    ['100.00', '2.000000'],
  ]);
  expect(groupLevels(bids.toReversed(), 'asks', 1, scales)).toEqual([
    ['100.10', '2.500000'],
    ['100.20', '1.000000'],
  ]);
  expect(groupLevels(bids, 'bids', 0, scales)).toBe(bids);
  expect([groupPrice('100.19', 'bids', 2, 2), groupPrice('100.19', 'asks', 2, 2)]).toEqual(['100.00', '101.00']);
  expect([0, 1, 2, 4].map((grouping) => stepText(grouping, 2))).toEqual(['0.01', '0.10', '1', '100']);
});

test('the book shows the rows that fit, at least eight and at most the levels of a side [SPOTVIEW-011]', () => {
  expect([0, 320, 399, 480, 5_000].map((height) => levelsFor(height, 2, 20))).toEqual([4, 8, 9, 12, 20]);
  expect([0, 320, 5_000].map((height) => levelsFor(height, 1, 20))).toEqual([8, 16, 20]);
});

test('no step of grouping is above a fiftieth of the price, and a larger kept one is ignored [SPOTVIEW-027]', () => {
  expect(groupingsAt('0.0000261', 8)).toEqual([0, 1]);
  expect(groupingsAt('56637.5600', 2)).toEqual([0, 1, 2, 3, 4]);
  expect(['4.99', '5.00', '0.02', '0', ''].map((price) => groupingsAt(price, 2))).toEqual([[0], [0, 1], [0], [0], [0]]);
  // A coin pegged to 1 has the same steps on both sides of it.
  expect(groupingsAt('0.9999', 4)).toEqual(groupingsAt('1.0001', 4));
  expect([usedGrouping(4, [0, 1]), usedGrouping(1, [0, 1])]).toEqual([0, 1]);
});
