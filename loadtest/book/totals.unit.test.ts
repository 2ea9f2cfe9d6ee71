import { describe, expect, test } from '@jest/globals';
import { reasonIn } from './peers.mjs';
import { compareTotals, minimumAndMedian } from './totals.mjs';

describe('totals of a peer', () => {
  test('are equal, differ, or are unknown', () => {
    expect(compareTotals({ trades: 3, rejects: 0, resting: 7 }, { trades: 3, rejects: 1, resting: null })).toEqual({
      equal: ['trades'],
      differ: [{ name: 'rejects', expected: 0, got: 1 }],
      untold: ['resting'],
    });
    expect(compareTotals({ trades: 3 }, null)).toEqual({ equal: [], differ: [], untold: ['trades'] });
  });

  test('smallest and middle rate do not depend on the order', () => {
    expect(minimumAndMedian([9, 1, 5])).toEqual({ minimum: 1, median: 5 });
    expect(minimumAndMedian([100, 20])).toEqual({ minimum: 20, median: 100 });
  });
});

describe('the reason why a peer is missing', () => {
  test('is the line with the reason without colour, or that a download failed', () => {
    expect(
      reasonIn(
        '\u001b[1mgo: downloading\u001b[0m\n' +
          'go: module example.org/book: reading https://registry.example/book/@v/list: ' +
          '403 Forbidden\n',
      ),
    ).toBe('the module could not be fetched');
    expect(reasonIn('\u001b[31mmain.go:3: undefined: Book, a compile error\u001b[0m\n')).toBe(
      'main.go:3: undefined: Book, a compile error',
    );
    expect(reasonIn('')).toBe('no reason given');
  });
});
