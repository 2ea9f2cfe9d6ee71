import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { positionWith } from './positions.js';
import { nightRests } from '../src/domain/night.js';
import { mayFollow, STATUS, type Status } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';

const total = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const units = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max });

test('a settlement loses no unit, leaves no balance below 0, the fund pays what is missing [LEVER-004]', () => {
  fc.assert(
    fc.property(
      units(10n ** 13n),
      fc.array(
        fc.record({
          direction: fc.constantFrom('long' as const, 'short' as const),
          price: fc.bigInt({ min: 5_000_000n, max: 7_000_000n }),
          lots: fc.bigInt({ min: 1n, max: 500_000n }),
          caution: units(10n ** 12n),
          nightRest: fc.oneof(fc.constant(0n), units(10n ** 12n)),
          isClosing: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.bigInt({ min: 1n, max: 12_000_000n }),
      (purseBefore, given, mark) => {
        const standing = given.map((one, index) => positionWith({ ...one, id: String(index) }));
        const closes = standing.filter((_, index) => given[index]!.isClosing);
        const { settled, balance: after } = settle(closes, new Map([[1, mark]]), purseBefore, standing);
        // Nights were owed before: of those that close it is paid now, for the others it stays in the purse.
        const rests = nightRests(purseBefore, standing);
        const owed = [...rests.values()].reduce((total, rest) => total + rest, 0n);
        const balance = purseBefore - owed;
        expect(owed).toBe(smaller(purseBefore, total(standing.map(({ nightRest }) => nightRest))));
        const sum = (of: (one: (typeof settled)[number]) => bigint): bigint =>
          settled.reduce((total, one) => total + of(one), 0n);
        const equity = balance + sum(({ position, profits }) => position.caution + profits);
        expect(after).toBe(equity > 0n ? equity : 0n);
        expect(sum(({ shortfall }) => shortfall)).toBe(equity < 0n ? -equity : 0n);
        // What each journal moves: the margin back, gain in, loss out; none of them takes more than is there.
        let purse = purseBefore;
        for (const { position, rest } of settled) {
          expect(rest).toBe(rests.get(position.id) ?? 0n);
          purse -= rest;
        }
        const reserved = owed - sum(({ rest }) => rest);
        for (const { position, gain, loss } of settled) {
          purse += position.caution + gain - loss;
          expect(purse >= reserved).toBe(true);
        }
        expect(purse).toBe(after + reserved);
      },
    ),
  );
});

test('a position goes from waiting to pending or open, to closing, to closed; or is revoked [LEVER-005]', () => {
  const all = Object.values(STATUS);
  const edges = all.flatMap((from: Status) => all.filter((to) => mayFollow(from, to)).map((to) => [from, to]));
  expect(edges).toEqual(
    expect.arrayContaining([
      [STATUS.waiting, STATUS.pending],
      [STATUS.waiting, STATUS.open],
      [STATUS.pending, STATUS.open],
      [STATUS.pending, STATUS.revoked],
      [STATUS.open, STATUS.closing],
      [STATUS.closing, STATUS.closed],
    ]),
  );
  expect(edges).toHaveLength(6);
});
