import { expect, test } from '@jest/globals';
import { bidShareOf } from './imbalance.js';

const rows = (...cumulative: string[]) =>
  cumulative.map((sum, at) => ({ level: at + 1, price: '1', number: '1', cumulative: sum, share: 0 }));
const share = (bids: string[], asks: string[]) => bidShareOf({ bids: rows(...bids), asks: rows(...asks) });

test('the share of the bids is that of the sums of the shown rows, to the nearest percent [SPOTVIEW-024]', () => {
  expect([share(['1', '3'], ['0.5', '1']), share(['1'], ['2']), share(['2'], ['1'])]).toEqual([75, 33, 67]);
});

test('a side with any volume shows at least one percent, and an empty book has no share [SPOTVIEW-024]', () => {
  expect([share(['0.0001'], ['900']), share(['900'], ['0.0001'])]).toEqual([1, 99]);
  expect([share([], ['1']), share(['1'], []), share([], [])]).toEqual([0, 100, undefined]);
});
