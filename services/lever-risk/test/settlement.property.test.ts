import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUnits } from '@bourse/money';
import { positionWith } from './positions.js';
import { closeOrder } from '../src/domain/journals.js';
import { chargeNights, nextNight, nightRests } from '../src/domain/night.js';
import { closing, mayFollow, STATUS, type Status } from '../src/domain/position.js';
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

test('through any number of midnights fees are taken once each, and no more than there is [LEVER-052]', () => {
  const DAY = 86_400_000;
  const [price, lots] = [6_006_000n, 100_000n];
  fc.assert(
    fc.property(
      units(10n ** 11n),
      units(10n ** 11n),
      fc.integer({ min: 0, max: 10 * DAY }),
      fc.integer({ min: 0, max: 10 * DAY }),
      units(1_000_000n),
      (caution, balance, openedAt, lasting, overnight) => {
        const closedAt = openedAt + lasting;
        const position = positionWith({ price, lots, caution, openedAt, overnight });
        const charged = chargeNights(position, nextNight(openedAt), closedAt);
        // At the price of its opening: nothing but the nights changes what its owner has.
        const { settled, balance: after } = settle([charged.position], new Map([[1, price]]), balance);
        const [one] = settled;
        const midnights = Math.floor(closedAt / DAY) - Math.floor(openedAt / DAY);
        const fee = (price * lots * overnight + 99_999_999n) / 100_000_000n;
        const owed = BigInt(midnights) * fee;
        const fees = smaller(owed, caution + balance);
        const { nightPaid, nightRest } = closing(one!.position, closedAt, {
          ...one!,
          by: 1,
          settlement: 's',
          nights: 0n,
        });
        expect([nightPaid, nightRest]).toEqual([fees, 0n]);
        const { journals } = closeOrder(settled, 's', new Map([[position.id, charged.nights]]));
        const booked = journals
          .flatMap(({ legs }) => legs)
          .reduce(
            (sum, { to, amount }) => (to === 'h.fees' && typeof amount === 'string' ? sum + toUnits(amount, 8) : sum),
            0n,
          );
        expect(booked).toBe(fees);
        expect(new Set(journals.map(({ id }) => id)).size).toBe(journals.length);
        expect(after).toBe(caution + balance - fees);
      },
    ),
  );
});
