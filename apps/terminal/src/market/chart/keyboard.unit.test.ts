import { expect, test } from '@jest/globals';
import { barTexts, stepBar, steppedY, stepOfArrow } from './keyboard.js';

test('arrows step through bars and stay within them [CHART-001]', () => {
  expect([
    stepBar('ArrowLeft', false, undefined, 10),
    stepBar('ArrowLeft', true, 3, 10),
    stepBar('ArrowRight', false, 9, 10),
    stepBar('Home', false, 5, 10),
    stepBar('End', false, 5, 10),
  ]).toEqual([9, 0, 9, 0, 9]);
  expect(stepBar('a', false, 3, 10)).toBeUndefined();
  expect(stepBar('ArrowLeft', false, 3, 0)).toBeUndefined();
});

test('a bar is spoken with the decimals of its pair and a signed change [CHART-002]', () => {
  expect(barTexts({ time: 0, open: 100, high: 110, low: 99, close: 101, volume: 3 }, 2)).toEqual({
    open: '100.00',
    high: '110.00',
    low: '99.00',
    close: '101.00',
    change: '+1.00%',
  });
  expect(
    barTexts({ time: 0, open: 0.00002609, high: 0.00002609, low: 0.000026, close: 0.000026, volume: 3 }, 8).change,
  ).toBe('-0.34%');
});

test('arrows move the selection by a pixel, by ten with Shift; other keys do not [CHART-060]', () => {
  expect([stepOfArrow('ArrowLeft', false), stepOfArrow('ArrowDown', true)]).toEqual([
    { x: -1, y: 0 },
    { x: 0, y: 10 },
  ]);
  expect([steppedY('ArrowUp', false, 50), steppedY('ArrowDown', true, 50)]).toEqual([49, 60]);
  expect([steppedY('ArrowLeft', false, 50), steppedY('a', false, 50), stepOfArrow('Enter', true)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
