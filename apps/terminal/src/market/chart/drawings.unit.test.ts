import { expect, test } from '@jest/globals';
import { readDrawings, type Anchor, type Drawing } from './drawing-tools.js';
import { barIndex, distanceTo, segmentsOf, timeAt, movedBy } from './drawings.js';

const TIMES = [0, 60_000, 120_000, 300_000];
const place = ({ time, price }: Anchor) => ({ x: time / 1_000, y: 200 - price });
const price = (value: number): string => value.toFixed(1);
const drawing = (tool: Drawing['tool'], ...points: Anchor[]): Drawing => ({ id: tool, tool, points });

test('a time converts to an index between and beyond the bars, and back [CHART-030]', () => {
  for (const [time, index] of [
    [0, 0],
    [90_000, 1.5],
    [210_000, 2.5],
    [480_000, 4],
    [-60_000, -1],
  ] as const) {
    expect(barIndex(time, TIMES)).toBe(index);
    expect(timeAt(index, TIMES)).toBe(time);
  }
  expect([barIndex(5, [1]), timeAt(0, [])]).toEqual([undefined, undefined]);
});

test('a retracement marks its levels between the second price and the first [CHART-031]', () => {
  const fib = drawing('fib', { time: 0, price: 100 }, { time: 100_000, price: 200 });
  const texts = segmentsOf(fib, place, 400, price).map(({ text }) => text);
  expect(texts).toEqual([
    '0 (200.0)',
    '0.236 (176.4)',
    '0.382 (161.8)',
    '0.5 (150.0)',
    '0.618 (138.2)',
    '0.786 (121.4)',
    '1 (100.0)',
  ]);
});

test('a measure shows the change, its percent and the time [CHART-031]', () => {
  const text = (to: Anchor) => segmentsOf(drawing('measure', { time: 0, price: 100 }, to), place, 400, price)[0]?.text;
  expect(text({ time: 90 * 60_000, price: 105 })).toBe('+5.0 (+5.00%) · 1h 30m');
  expect(text({ time: 86_400_000, price: 90 })).toBe('-10.0 (-10.00%) · 1d 0m');
});

test('a press selects the drawing whose line it meets [CHART-032]', () => {
  const trend = segmentsOf(drawing('trend', { time: 0, price: 200 }, { time: 100_000, price: 100 }), place, 400, price);
  expect(distanceTo(trend, { x: 50, y: 50 })).toBe(0);
  expect(distanceTo(trend, { x: 200, y: 100 })).toBe(100);
  const level = segmentsOf(drawing('horizontal', { time: 0, price: 150 }), place, 400, price);
  expect(level).toEqual([{ from: { x: 0, y: 50 }, to: { x: 400, y: 50 }, text: '150.0' }]);
  expect(distanceTo(level, { x: 300, y: 53 })).toBe(3);
  expect(distanceTo([], { x: 0, y: 0 })).toBe(Infinity);
});

test('invalid stored drawings are dropped before the chart is drawn [CHART-032]', () => {
  const good = drawing('horizontal', { time: 1, price: 2 });
  expect(readDrawings([good, { ...good, points: [] }, { ...good, tool: 'circle' }, null, 5])).toEqual([good]);
  expect(readDrawings('nonsense')).toEqual([]);
});

test('a drawing moves with all its points, or not at all where one has no place [CHART-061]', () => {
  const place = ({ time, price }: { time: number; price: number }) => ({ x: time / 10, y: 100 - price });
  const anchorAt = (x: number, y: number) => (y < 0 ? undefined : { time: x * 10, price: 100 - y });
  const drawing = {
    ...{ id: 'a', tool: 'trend' as const },
    points: [
      { time: 100, price: 20 },
      { time: 200, price: 90 },
    ],
  };
  expect(movedBy(drawing, { x: 3, y: -5 }, place, anchorAt)).toEqual({
    ...drawing,
    points: [
      { time: 130, price: 25 },
      { time: 230, price: 95 },
    ],
  });
  expect(movedBy(drawing, { x: 0, y: -11 }, place, anchorAt)).toBeUndefined();
});
