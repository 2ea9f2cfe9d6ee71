import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chargeOvernightFee } from '../src/domain/overnight-fees.js';
import { splitPosition } from '../src/domain/part-close.js';
import type { Position } from '../src/domain/position.js';
import { settle } from '../src/domain/settlement.js';
import { positionWith } from './positions.js';

const AMOUNTS = ['lots', 'notional', 'margin', 'initialMargin', 'unpaidOvernightFee', 'fee'] as const;
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** Parts of a position; the last one is the remainder. */
function partsOf(whole: Position, sizes: readonly number[]): Position[] {
  const parts: Position[] = [];
  let rest = whole;
  for (const [index, size] of sizes.entries()) {
    if (size >= rest.contracts) break;
    const split = splitPosition(rest, size, `part ${index}`);
    parts.push(split.part);
    rest = split.rest;
  }
  return [...parts, rest];
}

const units = (max: bigint) => fc.bigInt({ min: 0n, max });
const POSITION = fc.record({
  direction: fc.constantFrom('long' as const, 'short' as const),
  contracts: fc.integer({ min: 1, max: 60 }),
  contractLots: fc.bigInt({ min: 1n, max: 20_000n }),
  notional: units(10n ** 14n),
  initialMargin: units(10n ** 12n),
  spent: units(10n ** 12n),
  unpaidOvernightFee: units(10n ** 9n),
});
const opened = ({
  contractLots,
  spent,
  ...given
}: typeof POSITION extends fc.Arbitrary<infer A> ? A : never): Position =>
  positionWith({
    ...given,
    fee: 7n,
    lots: contractLots * BigInt(given.contracts),
    margin: given.initialMargin - (spent < given.initialMargin ? spent : given.initialMargin),
  });

test('the parts of any sequence of part closes sum to the whole to the unit [LEVER-101]', () => {
  fc.assert(
    fc.property(POSITION, fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 }), (given, sizes) => {
      const whole = opened(given);
      const parts = partsOf(whole, sizes);
      for (const name of AMOUNTS) expect(sum(parts.map((one) => one[name]))).toBe(whole[name]);
      expect(parts.reduce((total, { contracts }) => total + contracts, 0)).toBe(whole.contracts);
      for (const { lots, contracts, margin, initialMargin } of parts) {
        expect(lots).toBe(given.contractLots * BigInt(contracts));
        expect(margin >= 0n && margin <= initialMargin).toBe(true);
      }
    }),
  );
});

test('part closes pay at most what one close pays, and less by under a unit a part [LEVER-102]', () => {
  fc.assert(
    fc.property(
      POSITION,
      fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 12 }),
      fc.bigInt({ min: 1n, max: 12_000_000n }),
      units(10n ** 13n),
      (given, sizes, mark, balance) => {
        const whole = opened(given);
        const marks = new Map([[1, mark]]);
        const one = settle([whole], marks, balance);
        // A loss beyond the balance does not close in parts: it needs cover, and closes whole.
        fc.pre(one.settled[0]!.shortfall === 0n);
        const parts = partsOf(whole, sizes);
        let [left, fees] = [balance, 0n];
        for (const [index, part] of parts.entries()) {
          const { settled } = settle([part], marks, left, parts.slice(index));
          const { gain, loss, shortfall, overnightFee } = settled[0]!;
          // Rounding may leave the last part that much short.
          expect(shortfall <= BigInt(parts.length)).toBe(true);
          left += part.margin + gain - loss - overnightFee;
          fees += overnightFee;
        }
        const owed = one.settled[0]!.overnightFee;
        expect(left <= one.balance).toBe(true);
        // What an earlier part brings pays unpaid fees that one close would have waived.
        expect(fees >= owed).toBe(true);
        const rounded = one.balance + owed - (left + fees);
        expect(rounded >= 0n && rounded < BigInt(parts.length)).toBe(true);
      },
    ),
  );
});

test('an overnight fee after a part close is that of the rest [LEVER-101]', () => {
  const whole = positionWith({ contracts: 4, lots: 40_000n, overnight: 1_000n, margin: 10n ** 10n });
  const { rest } = splitPosition(whole, 1, 'part');
  const paid = (one: Position): bigint => chargeOvernightFee(one, 86_400_000).charge.fromMargin;
  expect(paid(rest) * 4n).toBe(paid(whole) * 3n);
});

test('only some of the contracts of an open position are a part [LEVER-101]', () => {
  const whole = positionWith({ contracts: 2, lots: 2n });
  for (const contracts of [0, 2, 3, -1]) expect(() => splitPosition(whole, contracts, 'part')).toThrow('are no part');
  expect(() => splitPosition({ ...whole, status: 2 }, 1, 'part')).toThrow('are no part');
});
