import { expect, test } from '@jest/globals';
import { findFreeLabels } from './free-labels.js';

test('of labels that would cover each other the first is shown [CHART-080]', () => {
  const label = (id: string, x: number, y: number) => ({ id, x, y, width: 60 });
  const labels = [label('a', 100, 50), label('b', 140, 55), label('c', 165, 50), label('d', 100, 70)];
  expect(findFreeLabels(labels, 11).map(({ id }) => id)).toEqual(['a', 'c', 'd']);
  // `d` is free of `b`, which is not shown.
  expect(findFreeLabels([label('a', 100, 50), label('b', 140, 55), label('d', 190, 55)], 11)).toHaveLength(2);
});
