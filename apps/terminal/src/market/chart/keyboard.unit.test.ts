import { expect, test } from '@jest/globals';
import { barTexts, stepBar } from './keyboard.js';

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
