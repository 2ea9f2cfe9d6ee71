import { expect, test } from '@jest/globals';
import { nextChoice } from './choice-keys.js';
import { placeOf } from './coin-colour.js';
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

test('pages around the shown one, with the ends and gaps of more than one page [UI-025]', () => {
  expect(pagesShown(6, 20)).toEqual([1, 0, 5, 6, 7, 0, 20]);
  expect(pagesShown(3, 5)).toEqual([1, 2, 3, 4, 5]);
  expect(pagesShown(1, 2)).toEqual([1, 2]);
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
