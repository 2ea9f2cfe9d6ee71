import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { placeLabels, type LabelSize } from './label-places.js';

const GAP = 22;
const label = (y: number, width = 80, isFirst = false): LabelSize => ({ y, width, isFirst });
const ROOM = { width: 600, height: 422, gap: GAP };
const column = (ys: readonly number[]) =>
  placeLabels(
    ys.map((y) => label(y)),
    ROOM,
  ).map((place) => place?.y);

test('labels of lines move apart, none over another, in the order of their prices [CHART-007]', () => {
  expect(column([100, 200])).toEqual([100, 200]);
  expect(column([100, 103])).toEqual([100, 122]);
  expect(column([103, 100, 103])).toEqual([122, 100, 144]);
  // At the lower end they move up.
  expect(column([399, 398, 100])).toEqual([400, 378, 100]);
  expect(column([-5, 2])).toEqual([0, 22]);
  expect(column([])).toEqual([]);
});

test('labels without room in one column alternate between columns, near to their lines [CHART-043]', () => {
  const room = { width: 300, height: 66, gap: GAP };
  expect(placeLabels([label(0), label(1), label(2), label(3, 50)], room)).toEqual([
    { x: 0, y: 0 },
    { x: 84, y: 1 },
    { x: 0, y: 22 },
    { x: 84, y: 23 },
  ]);
});

test('without room for all, labels that can be dragged have places before others [CHART-043]', () => {
  const room = { width: 100, height: 44, gap: GAP };
  const places = placeLabels([label(0), label(10), label(20, 80, true), label(30)], room);
  expect(places).toEqual([{ x: 0, y: 0 }, undefined, { x: 0, y: 22 }, undefined]);
});

test('for any lines and room, no label covers another or leaves the height of the chart [CHART-043]', () => {
  const size = fc.record({
    y: fc.integer({ min: -20, max: 420 }),
    width: fc.integer({ min: 20, max: 240 }),
    isFirst: fc.boolean(),
  });
  const room = fc.record({
    width: fc.integer({ min: 240, max: 900 }),
    height: fc.integer({ min: GAP, max: 420 }),
    gap: fc.constant(GAP),
  });
  fc.assert(
    fc.property(fc.array(size, { maxLength: 60 }), room, (labels, within) => {
      const boxes = placeLabels(labels, within).flatMap((place, at) =>
        place ? [{ ...place, width: labels[at]!.width }] : [],
      );
      const rows = Math.floor(within.height / GAP);
      expect(boxes.length).toBeGreaterThanOrEqual(Math.min(labels.length, rows));
      for (const [at, one] of boxes.entries()) {
        expect(one.y).toBeGreaterThanOrEqual(0);
        expect(one.y + GAP).toBeLessThanOrEqual(within.height);
        for (const other of boxes.slice(at + 1)) {
          const apart =
            Math.abs(one.y - other.y) >= GAP || one.x + one.width <= other.x || other.x + other.width <= one.x;
          expect(apart).toBe(true);
        }
      }
    }),
  );
});
