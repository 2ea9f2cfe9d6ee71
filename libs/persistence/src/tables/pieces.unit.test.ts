import { expect, test } from '@jest/globals';
import { readPieces } from './pieces.js';

test('a history is read from place to place, over pieces without a row, until no place follows', async () => {
  const pieces = [
    { rows: ['a', 'b'], last: 2 },
    { rows: [], last: 5 },
    { rows: ['c'], last: 6 },
    { rows: [], last: undefined },
  ];
  const asked: (number | undefined)[] = [];
  const read = (after: number | undefined) => Promise.resolve(pieces[asked.push(after) - 1]!);
  const found: (readonly string[])[] = [];
  for await (const rows of readPieces<string, number>(read)) found.push(rows);
  // A piece without a row is yielded too, so that a reader with a deadline sees progress.
  expect(found).toEqual([['a', 'b'], [], ['c']]);
  expect(asked).toEqual([undefined, 2, 5, 6]);
});
