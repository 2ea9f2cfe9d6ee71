import { expect, test } from '@jest/globals';
import { markersByBar } from './marks.js';

const BARS = [60_000, 120_000, 180_000];
const fill = (time: number, side: 'buy' | 'sell', text: string) => ({ id: text, time, side, text });

test('a marker stands at the bar it happened in, older ones nowhere [CHART-003]', () => {
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
