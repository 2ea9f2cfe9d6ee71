import { expect, test } from '@jest/globals';
import { axisTicks, depthPoints, readDepth } from './depth-chart.js';

const bids = depthPoints([
  ['99', '1'],
  ['98', '2'],
]);
const asks = depthPoints([
  ['101', '3'],
  ['103', '1'],
]);

test('depth at a price is the amount that rests between it and the middle [CHART-024]', () => {
  expect(readDepth(bids, asks, 98.5)).toEqual({ side: 'bids', price: 98.5, sum: 1, percent: -1.5 });
  expect(readDepth(bids, asks, 98)).toMatchObject({ sum: 3, percent: -2 });
  expect(readDepth(bids, asks, 103)).toEqual({ side: 'asks', price: 103, sum: 4, percent: 3 });
  expect(readDepth(bids, asks, 100)).toMatchObject({ side: 'bids', sum: 0, percent: 0 });
  expect(readDepth(bids, [], 98)).toBeUndefined();
});

test('ticks of an axis are round, and none is beyond its end [CHART-024]', () => {
  expect(axisTicks(10, 5)).toEqual([2, 4, 6, 8, 10]);
  expect(axisTicks(7.3, 3)).toEqual([5]);
  expect(axisTicks(0.9, 4)).toHaveLength(1);
  expect(axisTicks(0, 4)).toEqual([]);
});
