import { expect, test } from '@jest/globals';
import { markersByBar, rangeWith, sensiblePrice } from './marks.js';

const BARS = [60_000, 120_000, 180_000];
const fill = (time: number, side: 'buy' | 'sell', text: string) => ({ id: text, time, side, text });

test('a marker is at the bar of its event, an older event has none [CHART-003]', () => {
  expect(
    markersByBar([fill(179_999, 'buy', 'b'), fill(59_999, 'buy', 'old'), fill(999_999, 'sell', 'now')], BARS),
  ).toEqual([
    { time: 120_000, side: 'buy', text: 'b' },
    { time: 180_000, side: 'sell', text: 'now' },
  ]);
  expect(markersByBar([fill(1, 'buy', 'b')], [])).toEqual([]);
});

test('several of one side in one bar are one marker with their number; sides stay apart [CHART-003]', () => {
  expect(markersByBar([fill(60_000, 'buy', '1'), fill(61_000, 'sell', 's'), fill(62_000, 'buy', '2')], BARS)).toEqual([
    { time: 60_000, side: 'buy', text: '×2' },
    { time: 60_000, side: 'sell', text: 's' },
  ]);
});

test('the range of the bars takes in own lines, and none that would press the bars flat [CHART-008]', () => {
  const bars = { low: 100, high: 110 };
  expect(rangeWith(bars, [])).toEqual(bars);
  expect(rangeWith(bars, [95, 105, 118])).toEqual({ low: 95, high: 118 });
  expect(rangeWith(bars, [89, 121])).toEqual(bars);
});

test('a price that is set with the pointer has five digits [CHART-009]', () => {
  expect(sensiblePrice(56_443.99, 2)).toBe('56444.00');
  expect(sensiblePrice(2_310.4567, 2)).toBe('2310.50');
  expect(sensiblePrice(1.504_55, 4)).toBe('1.5046');
  expect(sensiblePrice(0.000_026_094, 8)).toBe('0.00002609');
  expect(sensiblePrice(123_456.78, 2)).toBe('123460.00');
});
