import { expect, test } from '@jest/globals';
import type { Bar } from '@bourse/contract';
import { Candles, MAX_BARS } from '@bourse/realtime';
import { DrawnBars } from './drawn-bars.js';

const MINUTE_MS = 60_000;
const barAt = (minute: number, close = 1): Bar => ({
  time: minute * MINUTE_MS,
  open: 1,
  high: close,
  low: 1,
  close,
  volume: 1,
});
const minutes = (bars: readonly Bar[]): number[] => bars.map(({ time }) => time / MINUTE_MS);

test('a change draws the newest drawn bar again, and those that followed since', () => {
  const drawn = new DrawnBars();
  drawn.reset([barAt(1), barAt(2)]);
  expect(drawn.advance([barAt(1), barAt(2, 5)])).toBe(1);
  // Both between two drawings: the bar that ended has its last change too.
  expect(drawn.advance([barAt(1), barAt(2, 6), barAt(3)])).toBe(1);
  expect(drawn.advance([barAt(1), barAt(2, 6), barAt(3, 2)])).toBe(2);
});

test('a chart that draws by its answers has the held bars at their indexes, however many have left [CHART-074]', () => {
  const candles = new Candles('BTC/USDT', '1min');
  candles.replace(Array.from({ length: MAX_BARS - 1 }, (_, minute) => barAt(minute)));
  const drawn = new DrawnBars();
  let chart = [...candles.bars];
  drawn.reset(chart);
  for (let minute = MAX_BARS - 1; minute < MAX_BARS + 60; minute += 1) {
    candles.apply({ ...barAt(minute), symbol: 'BTC/USDT', period: '1min' } as never);
    const from = drawn.advance(candles.bars);
    if (from === undefined) {
      chart = [...candles.bars];
      drawn.reset(chart);
      continue;
    }
    // As the library does: a bar of a known time replaces the last one, another one is added.
    for (const bar of candles.bars.slice(from)) {
      if (bar.time === chart.at(-1)?.time) chart.pop();
      chart.push(bar);
    }
  }
  expect(minutes(chart)).toEqual(minutes(candles.bars));
});

test('without bars the first one is drawn', () => {
  const drawn = new DrawnBars();
  drawn.reset([]);
  expect(drawn.advance([])).toBe(0);
  expect(drawn.advance([barAt(1)])).toBeUndefined();
});
