import { expect, test } from '@jest/globals';
import { nextChoice } from './choice-keys.js';
import { placeOf } from './coin-colour.js';
import { findOptions } from './options.js';
import { compareTexts, nextSorting, viewOf } from './data-view.js';
import { lastDays } from './days.js';
import { pagesShown } from './page-numbers.js';
import { shiftInto } from './use-dropdown.js';
import { nearestStep, stepByKey } from './slider-steps.js';

test('arrows go round the choices, mirrored in right-to-left pages [UI-020]', () => {
  expect(['ArrowRight', 'ArrowLeft', 'ArrowDown', 'Home', 'End'].map((key) => nextChoice(key, 3, 2, false))).toEqual([
    0, 1, 0, 0, 2,
  ]);
  expect(nextChoice('ArrowLeft', 3, 0, true)).toBe(1);
  expect(nextChoice('a', 3, 0, false)).toBeUndefined();
  expect(nextChoice('ArrowRight', 0, -1, false)).toBeUndefined();
});

test('a search finds all words in any order, matches at the beginning first [UI-021]', () => {
  const options = [
    { value: 'w', text: 'WETH', keywords: 'wrapped ether' },
    { value: 'e', text: 'ETH', keywords: 'ether' },
    { value: 'b', text: 'BTC', keywords: 'bitcoin' },
  ];
  const found = (typed: string): string[] => findOptions(options, typed).map(({ value }) => value);
  expect(found('eth')).toEqual(['e', 'w']);
  expect(found('ether wrapped')).toEqual(['w']);
  expect(found('  ')).toEqual(['w', 'e', 'b']);
  expect(found('doge')).toEqual([]);
});

test('rows are found, sorted exactly and cut into pages [UI-022]', () => {
  const rows = ['9.5', '10', '-3', '0.00000001'].map((amount, id) => ({ id, amount }));
  const columns = [
    {
      id: 'amount',
      compare: (one: (typeof rows)[0], other: (typeof rows)[0]) => compareTexts(one.amount, other.amount),
      text: (row: (typeof rows)[0]) => row.amount,
    },
  ];
  const view = (sorting: { column: string; descending: boolean } | undefined, page = 1, filter = '', size = 3) =>
    viewOf(rows, columns, { filter, sorting, page }, size);
  expect(view({ column: 'amount', descending: false }, 1, '', 9).rows.map(({ amount }) => amount)).toEqual([
    '-3',
    '0.00000001',
    '9.5',
    '10',
  ]);
  expect(view({ column: 'amount', descending: true }).rows[0]?.amount).toBe('10');
  expect(view(undefined, 9)).toMatchObject({ page: 2, pages: 2, found: 4 });
  expect(view(undefined, 1, '9.5').rows.map(({ id }) => id)).toEqual([0]);
});

test('decimal texts compare without floating point [UI-023]', () => {
  expect(compareTexts('900719925474099.1', '900719925474099.2')).toBeLessThan(0);
  expect(compareTexts('1.10', '1.1')).toBe(0);
  expect(compareTexts('-2', '-10')).toBeGreaterThan(0);
  expect(compareTexts('-0', '0')).toBe(0);
});

test('a header sorts up, down, and back to the order the rows came in [UI-024]', () => {
  const first = nextSorting(undefined, 'a');
  expect(first).toEqual({ column: 'a', descending: false });
  expect(nextSorting(first, 'a')).toEqual({ column: 'a', descending: true });
  expect(nextSorting({ column: 'a', descending: true }, 'a')).toBeUndefined();
  expect(nextSorting({ column: 'a', descending: true }, 'b')).toEqual({ column: 'b', descending: false });
});

test('pages around the shown one, with the ends and gaps of more than one page [UI-025]', () => {
  expect(pagesShown(6, 20)).toEqual([1, 0, 5, 6, 7, 0, 20]);
  expect(pagesShown(3, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(pagesShown(1, 2)).toEqual([1, 2]);
});

test('a range of days includes both ends, over month and year [UI-026]', () => {
  expect(lastDays(1, '2026-01-02')).toEqual({ from: '2026-01-02', to: '2026-01-02' });
  expect(lastDays(7, '2026-01-02')).toEqual({ from: '2025-12-27', to: '2026-01-02' });
});

test('a coin keeps its colour [UI-027]', () => {
  expect(placeOf('BTC', 6)).toBe(placeOf('BTC', 6));
  expect(
    new Set(['BTC', 'ETH', 'USDT', 'XRP', 'LTC', 'DOGE', 'ADA'].map((name) => placeOf(name, 6))).size,
  ).toBeGreaterThan(2);
});

test('the panel under a button is moved into the window, its start first [UI-039]', () => {
  expect(shiftInto(100, 300, 390)).toBe(0);
  expect(shiftInto(-10.75, 300, 390)).toBe(18.75);
  expect(shiftInto(200, 400, 390)).toBe(-18);
  expect(shiftInto(-5, 500, 390)).toBe(13);
});

test('a slider shows any percent and chooses quarters, by press and by key [UI-041]', () => {
  expect([0, 12, 13, 40, 99, 100].map(nearestStep)).toEqual([0, 0, 25, 50, 100, 100]);
  expect(['ArrowRight', 'ArrowLeft', 'Home', 'End', 'Tab'].map((key) => stepByKey(key, 18))).toEqual([
    25,
    0,
    0,
    100,
    undefined,
  ]);
  expect([stepByKey('ArrowUp', 25), stepByKey('ArrowDown', 25), stepByKey('ArrowUp', 100)]).toEqual([50, 0, 100]);
});
