import { expect, test } from '@jest/globals';
import { WORK_FILTERS, WORK_SCREENS, workByScreen } from '../../core/work-lists.js';
import { sharesOf, figuresOf, pointsOf, waitingOf } from './dashboard-model.js';

test('open work is in descending order of its count; kinds without any stay [CONSOLE-313]', () => {
  expect(waitingOf({ kyc: 0, withdrawals: 3, appeals: 0, approvals: 7 })).toEqual([
    { name: 'approvals', count: 7 },
    { name: 'withdrawals', count: 3 },
    { name: 'appeals', count: 0 },
    { name: 'kyc', count: 0 },
  ]);
  expect(waitingOf({})).toEqual([]);
});

test('volumes of pairs are compared by their worth, and an idle exchange has no bars [CONSOLE-313]', () => {
  const volumes = [
    { symbol: 'DOGE/USDT', volume: '1000', now_price: '0.1' },
    { symbol: 'BTC/USDT', volume: '0.02', now_price: '50000' },
    { symbol: 'ETH/USDT', volume: '0', now_price: '2000' },
    { symbol: 'XRP/BTC', volume: '500', now_price: '0.00002' },
  ];
  expect(sharesOf(volumes)).toEqual([
    { symbol: 'BTC/USDT', volume: '0.02 BTC', share: 1 },
    { symbol: 'XRP/BTC', volume: '500 XRP', share: 0.5 },
    { symbol: 'DOGE/USDT', volume: '1,000 DOGE', share: 0.1 },
    { symbol: 'ETH/USDT', volume: '0 ETH', share: 0 },
  ]);
  expect(sharesOf([{ symbol: 'BTC/USDT', volume: '0', now_price: '50000' }])).toEqual([
    { symbol: 'BTC/USDT', volume: '0 BTC', share: 0 },
  ]);
});

test('numbers beside lists count each thing once, and every kind of work has a list [CONSOLE-313]', () => {
  const work = { appeals: 2, appeals_overdue: 1, frozen: 5, approvals: 4, house_fundings: 3, adjustments: 1, new: 9 };
  expect([...workByScreen(work)]).toEqual([
    ['appeals', 2],
    ['approvals', 4],
    ['house', 3],
    ['adjustments', 1],
  ]);
  expect(Object.keys(WORK_FILTERS).filter((name) => !(name in WORK_SCREENS))).toEqual([]);
});

test('a line has its latest and its highest value, and one point a second [CONSOLE-323]', () => {
  expect(figuresOf([0, 4, 2])).toEqual({ now: 2, most: 4 });
  expect(figuresOf([0, 0])).toEqual({ now: 0, most: 0 });
  expect(figuresOf([1])).toBeUndefined();
  expect(pointsOf([15_000, 0, 15_400], [1, 2, 3])).toEqual([
    { time: 0, value: 2 },
    { time: 15, value: 3 },
  ]);
});
