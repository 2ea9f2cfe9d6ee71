import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUnits } from '@bourse/money';
import { positionWith } from './positions.js';
import { closeOrder } from '../src/domain/journals.js';
import { chargeOverdueFees, nextMidnight, payableOvernightFees } from '../src/domain/overnight-fees.js';
import { closing, mayFollow, STATUS, type Status } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';

const total = (parts: readonly bigint[]): bigint => parts.reduce((sum, part) => sum + part, 0n);
const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const units = (max: bigint): fc.Arbitrary<bigint> => fc.bigInt({ min: 0n, max });

test('a settlement loses no unit and leaves no balance below 0; the fund pays the deficit [LEVER-004]', () => {
  fc.assert(
    fc.property(
      units(10n ** 13n),
      fc.array(
        fc.record({
          direction: fc.constantFrom('long' as const, 'short' as const),
          price: fc.bigInt({ min: 5_000_000n, max: 7_000_000n }),
          lots: fc.bigInt({ min: 1n, max: 500_000n }),
          margin: units(10n ** 12n),
          unpaidOvernightFee: fc.oneof(fc.constant(0n), units(10n ** 12n)),
          isClosing: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      fc.bigInt({ min: 1n, max: 12_000_000n }),
      (balanceBefore, given, mark) => {
        const accountPositions = given.map((one, index) => positionWith({ ...one, id: String(index) }));
        const closes = accountPositions.filter((_, index) => given[index]!.isClosing);
        const { settled, balance: after } = settle(closes, new Map([[1, mark]]), balanceBefore, accountPositions);
        // Unpaid fees of closing positions are paid now; those of the others stay reserved in the balance.
        const payable = payableOvernightFees(balanceBefore, accountPositions);
        const owed = [...payable.values()].reduce((total, rest) => total + rest, 0n);
        const balance = balanceBefore - owed;
        expect(owed).toBe(
          smaller(balanceBefore, total(accountPositions.map(({ unpaidOvernightFee }) => unpaidOvernightFee))),
        );
        const sum = (of: (one: (typeof settled)[number]) => bigint): bigint =>
          settled.reduce((total, one) => total + of(one), 0n);
        const equity = balance + sum(({ position, profits }) => position.margin + profits);
        expect(after).toBe(equity > 0n ? equity : 0n);
        expect(sum(({ shortfall }) => shortfall)).toBe(equity < 0n ? -equity : 0n);
        // No journal takes more than the balance has: margin back, gain in, loss out.
        let freeBalance = balanceBefore;
        for (const { position, overnightFee } of settled) {
          expect(overnightFee).toBe(payable.get(position.id) ?? 0n);
          freeBalance -= overnightFee;
        }
        const reserved = owed - sum(({ overnightFee }) => overnightFee);
        for (const { position, gain, loss } of settled) {
          freeBalance += position.margin + gain - loss;
          expect(freeBalance >= reserved).toBe(true);
        }
        expect(freeBalance).toBe(after + reserved);
      },
    ),
  );
});

test('a position follows the legal transitions only [LEVER-005]', () => {
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

test('over any number of midnights each fee is charged once and never exceeds the funds [LEVER-052]', () => {
  const DAY = 86_400_000;
  const [price, lots] = [6_006_000n, 100_000n];
  fc.assert(
    fc.property(
      units(10n ** 11n),
      units(10n ** 11n),
      fc.integer({ min: 0, max: 10 * DAY }),
      fc.integer({ min: 0, max: 10 * DAY }),
      units(1_000_000n),
      (margin, balance, openedAt, lasting, overnight) => {
        const closedAt = openedAt + lasting;
        const position = positionWith({ price, lots, margin, openedAt, overnight });
        const charged = chargeOverdueFees(position, nextMidnight(openedAt), closedAt);
        // At the opening price only the overnight fees change the equity.
        const { settled, balance: after } = settle([charged.position], new Map([[1, price]]), balance);
        const [one] = settled;
        const midnights = Math.floor(closedAt / DAY) - Math.floor(openedAt / DAY);
        const fee = (price * lots * overnight + 99_999_999n) / 100_000_000n;
        const owed = BigInt(midnights) * fee;
        const fees = smaller(owed, margin + balance);
        const { paidOvernightFees, unpaidOvernightFee } = closing(one!.position, closedAt, {
          ...one!,
          by: 1,
          settlement: 's',
          overnightFromMargin: 0n,
        });
        expect([paidOvernightFees, unpaidOvernightFee]).toEqual([fees, 0n]);
        const { journals } = closeOrder(settled, 's', new Map([[position.id, charged.overnightCharges]]));
        const booked = journals
          .flatMap(({ legs }) => legs)
          .reduce(
            (sum, { to, amount }) => (to === 'h.fees' && typeof amount === 'string' ? sum + toUnits(amount, 8) : sum),
            0n,
          );
        expect(booked).toBe(fees);
        expect(new Set(journals.map(({ id }) => id)).size).toBe(journals.length);
        expect(after).toBe(margin + balance - fees);
      },
    ),
  );
});
