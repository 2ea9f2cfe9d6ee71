import { describe, expect, test } from '@jest/globals';
import { nextOf } from './trade-order.js';

const numbers = (list: readonly { readonly sequence: number }[]): number[] => list.map(({ sequence }) => sequence);
const split = (last: number, ...sequences: number[]): [number[], number[]] => {
  const { next, ahead } = nextOf(
    last,
    sequences.map((sequence) => ({ sequence })),
  );
  return [numbers(next), numbers(ahead)];
};

describe('trades of a pair that come out of order [MARKET-042]', () => {
  test('those that follow without a hole come next, the others wait', () => {
    expect(split(4, 5, 6, 7)).toEqual([[5, 6, 7], []]);
    expect(split(4, 7, 8)).toEqual([[], [7, 8]]);
    expect(split(4, 7, 5, 8, 6, 10)).toEqual([[5, 6, 7, 8], [10]]);
  });

  test('a trade that is known already, or comes twice, counts once', () => {
    expect(split(4, 3, 4, 5, 5, 6)).toEqual([[5, 6], []]);
    expect(split(4, 1, 2)).toEqual([[], []]);
  });

  test('in whatever order the pieces come, all trades are taken once and in their order', () => {
    for (const pieces of [
      [[1, 2], [3], [4, 5]],
      [[4, 5], [3], [1, 2]],
      [[3], [1, 2], [4, 5]],
      [[4, 5], [1, 2], [3]],
    ]) {
      let waiting: readonly { sequence: number }[] = [];
      const taken: number[] = [];
      for (const piece of pieces) {
        const { next, ahead } = nextOf(taken.length, [...waiting, ...piece.map((sequence) => ({ sequence }))]);
        taken.push(...numbers(next));
        waiting = ahead;
      }
      expect(taken).toEqual([1, 2, 3, 4, 5]);
      expect(waiting).toEqual([]);
    }
  });
});
