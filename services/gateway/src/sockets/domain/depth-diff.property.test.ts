import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookChecksum, crc32 } from '@bourse/contract';
import { difference, flat, windowOf, type Level, type Window } from './depth-diff.js';

const side = (falling: boolean): fc.Arbitrary<Level[]> =>
  fc
    .uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 40 })
    .chain((prices) =>
      fc.tuple(
        ...prices.map((price) =>
          fc.integer({ min: 1, max: 5 }).map((number): Level => [String(price), String(number)]),
        ),
      ),
    )
    .map((levels) => [...levels].sort(([a], [b]) => (falling ? Number(b) - Number(a) : Number(a) - Number(b))));
const window: fc.Arbitrary<Window> = fc.tuple(side(true), side(false)).map(([bids, asks]) => windowOf(bids, asks));

/** A client as api §4 describes it: it knows nothing but the messages. */
function apply(levels: readonly Level[], changes: readonly string[], falling: boolean): Level[] {
  const book = new Map(levels);
  for (let at = 0; at < changes.length; at += 2) {
    if (changes[at + 1] === '0') book.delete(changes[at]!);
    else book.set(changes[at]!, changes[at + 1]!);
  }
  return [...book].sort(([a], [b]) => (falling ? Number(b) - Number(a) : Number(a) - Number(b)));
}

test('whatever changed, the difference turns one window into the next with its checksum [SOCKET-002]', () => {
  fc.assert(
    fc.property(window, window, (from, to) => {
      const { b, a } = difference(from, to);
      const client = { bids: apply(from.bids, b, true), asks: apply(from.asks, a, false) };
      expect(client).toEqual(to);
      expect(bookChecksum(client.bids, client.asks)).toBe(bookChecksum(to.bids, to.asks));
    }),
  );
});

test('the checksum is the one of the contract [SOCKET-003]', () => {
  const example: Window = {
    bids: [
      ['56637.56', '0.2'],
      ['56637.5', '1.25'],
    ],
    asks: [
      ['56640', '0.1'],
      ['56641.02', '2'],
    ],
  };
  expect(bookChecksum(example.bids, example.asks)).toBe(733695628);
  expect(crc32('56637.56:0.2:56640:0.1:56637.5:1.25:56641.02:2')).toBe(733695628);
  expect(
    bookChecksum(
      [
        ['1', '2'],
        ['0.5', '3'],
      ],
      [],
    ),
  ).toBe(crc32('1:2:0.5:3'));
  expect(flat(example.bids)).toEqual(['56637.56', '0.2', '56637.5', '1.25']);
});
