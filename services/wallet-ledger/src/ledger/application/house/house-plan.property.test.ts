import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { planBring, planBringAll, planEven, planMove, planSpread, type PurseMove } from './house-plan.js';

/**
 * Whatever the purses have: the parts are the amount, none takes more than its purse has, and only what is not there is
 * refused.
 */
test('a movement out of a house account is shared among its purses, all of it or none [ADJUST-001]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 16n }), { maxLength: 8 }),
      fc.bigInt({ min: 1n, max: 5n * 10n ** 16n }),
      (balances, amount) => {
        const purses = balances.map((units, partition) => ({ partition, units }));
        const whole = balances.reduce((sum, units) => sum + units, 0n);
        const plan = planMove(purses, amount);
        expect(plan === null).toBe(whole < amount);
        if (plan === null) return;
        expect(plan.reduce((sum, { units }) => sum + units, 0n)).toBe(amount);
        expect(new Set(plan.map(({ partition }) => partition)).size).toBe(plan.length);
        for (const { partition, units } of plan) {
          expect(units).toBeGreaterThan(0n);
          expect(units).toBeLessThanOrEqual(balances[partition] ?? 0n);
        }
      },
    ),
  );
});

const units = fc.bigInt({ min: 0n, max: 10n ** 16n });
/** What each purse has after some moves. */
function after(balances: readonly bigint[], moves: readonly PurseMove[]): bigint[] {
  const then = [...balances];
  for (const { from, to, units: moved } of moves) {
    expect(moved).toBeGreaterThan(0n);
    expect(from).not.toBe(to);
    then[from] = (then[from] ?? 0n) - moved;
    then[to] = (then[to] ?? 0n) + moved;
  }
  return then;
}
const sumOf = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);

test('evened out, each purse has half of an equal share at least, and nobody gives below the share [HOUSE-001]', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), (balances) => {
      const moves = planEven(balances.map((has, partition) => ({ partition, units: has })));
      const then = after(balances, moves);
      const share = sumOf(balances) / BigInt(balances.length);
      expect(sumOf(then)).toBe(sumOf(balances));
      for (const has of then) expect(has * 2n >= share).toBe(true);
      for (const { from } of moves) expect((then[from] ?? 0n) >= share).toBe(true);
      // Where each has half of its share already, nothing moves; nor does it a second time.
      if (balances.every((has) => has * 2n >= share)) expect(moves).toEqual([]);
      expect(planEven(then.map((has, partition) => ({ partition, units: has })))).toEqual([]);
    }),
  );
});

test('a purse gets from the others what it lacks, or nothing when they have less [HOUSE-002]', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), fc.nat(), units, (balances, place, amount) => {
      const to = place % balances.length;
      const moves = planBring(
        balances.map((has, partition) => ({ partition, units: has })),
        to,
        amount,
      );
      expect(moves === null).toBe(sumOf(balances) < amount);
      if (moves === null) return;
      const then = after(balances, moves);
      for (const has of then) expect(has >= 0n).toBe(true);
      expect(then[to]).toBe((balances[to] ?? 0n) >= amount ? balances[to] : amount);
    }),
  );
});

test('what comes from outside is spread over all partitions, to the last unit [HOUSE-003]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.bigInt({ min: 1n, max: 10n ** 20n }), (partitions, amount) => {
      const shares = planSpread(partitions, amount).map((share) => share.units);
      expect(sumOf(shares)).toBe(amount);
      const [least, most] = [amount / BigInt(partitions), amount / BigInt(partitions) + BigInt(partitions)];
      for (const share of shares) {
        expect(share).toBeGreaterThanOrEqual(least);
        expect(share).toBeLessThanOrEqual(most);
      }
    }),
  );
});

test('purses that were short are given what is there, and none gives what it keeps for itself [HOUSE-004]', () => {
  const wants = fc.array(fc.option(units, { nil: null }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), wants, (balances, amounts) => {
      const purses = balances.map((has, partition) => ({ partition, units: has }));
      const wanted = balances.flatMap((_, partition) => {
        const amount = amounts[partition] ?? null;
        return amount === null ? [] : [{ partition, units: amount }];
      });
      const then = after(balances, planBringAll(purses, wanted));
      expect(sumOf(then)).toBe(sumOf(balances));
      for (const has of then) expect(has >= 0n).toBe(true);
      // Where the house has what all of them want, all of them can pay.
      if (sumOf(wanted.map(({ units: amount }) => amount)) <= sumOf(balances))
        for (const { partition, units: amount } of wanted) expect((then[partition] ?? 0n) >= amount).toBe(true);
      for (const { partition, units: amount } of wanted)
        if ((balances[partition] ?? 0n) >= amount) expect((then[partition] ?? 0n) >= amount).toBe(true);
    }),
  );
});
