import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import {
  planTopUp,
  planTopUps,
  planRebalance,
  planWithdrawal,
  planDistribution,
  type PartitionTransfer,
} from './house-plan.js';

/**
 * For any balances: the shares add up to the amount, none exceeds the balance of its partition, and only an amount that
 * exceeds all of them is refused.
 */
test('a withdrawal from a house account is shared among the partitions, all of it or none [ADJUST-001]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 10n ** 16n }), { maxLength: 8 }),
      fc.bigInt({ min: 1n, max: 5n * 10n ** 16n }),
      (balances, amount) => {
        const rows = balances.map((units, partition) => ({ partition, units }));
        const whole = balances.reduce((sum, units) => sum + units, 0n);
        const plan = planWithdrawal(rows, amount);
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
/** The balance of each partition after some transfers. */
function after(balances: readonly bigint[], transfers: readonly PartitionTransfer[]): bigint[] {
  const then = [...balances];
  for (const { from, to, units: moved } of transfers) {
    expect(moved).toBeGreaterThan(0n);
    expect(from).not.toBe(to);
    then[from] = (then[from] ?? 0n) - moved;
    then[to] = (then[to] ?? 0n) + moved;
  }
  return then;
}
const sumOf = (list: readonly bigint[]): bigint => list.reduce((sum, one) => sum + one, 0n);

test('after a rebalance each partition has half of an equal share, and no giver less than it [HOUSE-001]', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), (balances) => {
      const transfers = planRebalance(balances.map((has, partition) => ({ partition, units: has })));
      const then = after(balances, transfers);
      const share = sumOf(balances) / BigInt(balances.length);
      expect(sumOf(then)).toBe(sumOf(balances));
      for (const has of then) expect(has * 2n >= share).toBe(true);
      for (const { from } of transfers) expect((then[from] ?? 0n) >= share).toBe(true);
      // Where each has half of its share already, nothing is transferred, nor does it a second time.
      if (balances.every((has) => has * 2n >= share)) expect(transfers).toEqual([]);
      expect(planRebalance(then.map((has, partition) => ({ partition, units: has })))).toEqual([]);
    }),
  );
});

test('a partition gets from the others the units that it lacks, or nothing when they have less [HOUSE-002]', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), fc.nat(), units, (balances, place, amount) => {
      const to = place % balances.length;
      const transfers = planTopUp(
        balances.map((has, partition) => ({ partition, units: has })),
        to,
        amount,
      );
      expect(transfers === null).toBe(sumOf(balances) < amount);
      if (transfers === null) return;
      const then = after(balances, transfers);
      for (const has of then) expect(has >= 0n).toBe(true);
      expect(then[to]).toBe((balances[to] ?? 0n) >= amount ? balances[to] : amount);
    }),
  );
});

test('money from outside is spread over all partitions, to the last unit [HOUSE-003]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 64 }), fc.bigInt({ min: 1n, max: 10n ** 20n }), (partitions, amount) => {
      const shares = planDistribution(partitions, amount).map((share) => share.units);
      expect(sumOf(shares)).toBe(amount);
      const [least, most] = [amount / BigInt(partitions), amount / BigInt(partitions) + BigInt(partitions)];
      for (const share of shares) {
        expect(share).toBeGreaterThanOrEqual(least);
        expect(share).toBeLessThanOrEqual(most);
      }
    }),
  );
});

test('top-ups use all available money, and no partition gives more than it can spare [HOUSE-004]', () => {
  const needs = fc.array(fc.option(units, { nil: null }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(fc.array(units, { minLength: 1, maxLength: 8 }), needs, (balances, amounts) => {
      const rows = balances.map((has, partition) => ({ partition, units: has }));
      const topUps = balances.flatMap((_, partition) => {
        const amount = amounts[partition] ?? null;
        return amount === null ? [] : [{ partition, units: amount }];
      });
      const then = after(balances, planTopUps(rows, topUps));
      expect(sumOf(then)).toBe(sumOf(balances));
      for (const has of then) expect(has >= 0n).toBe(true);
      // Where the house has the sum of the top-ups, every partition can pay its own.
      if (sumOf(topUps.map(({ units: amount }) => amount)) <= sumOf(balances))
        for (const { partition, units: amount } of topUps) expect((then[partition] ?? 0n) >= amount).toBe(true);
      for (const { partition, units: amount } of topUps)
        if ((balances[partition] ?? 0n) >= amount) expect((then[partition] ?? 0n) >= amount).toBe(true);
    }),
  );
});

test('a filled partition keeps an equal share of what no payment needs beside its payment [HOUSE-015]', () => {
  fc.assert(
    fc.property(fc.array(units, { minLength: 2, maxLength: 8 }), fc.nat(), units, (balances, place, amount) => {
      const partition = place % balances.length;
      const rows = balances.map((has, at) => ({ partition: at, units: has }));
      const transfers = planTopUps(rows, [{ partition, units: amount }]);
      if (transfers.length === 0) return;
      const share = (sumOf(balances) - amount) / BigInt(balances.length);
      const then = after(balances, transfers);
      expect(then[partition]).toBe(amount + share);
      for (const has of then) expect(has >= 0n).toBe(true);
      // The payment does not depend on the reserve: what it needs comes first, in commands of its own.
      const needed = after(
        balances,
        transfers.filter(({ isReserve }) => !isReserve),
      );
      expect(needed[partition]).toBe(amount);
      expect(transfers.map(({ isReserve }) => isReserve === true)).toEqual(
        transfers.map(({ isReserve }) => isReserve === true).toSorted((a, b) => Number(a) - Number(b)),
      );
      // The id of a transfer names its two partitions and whether it is a reserve.
      const names = transfers.map(({ from, to, isReserve }) => `${from}-${to} ${isReserve === true}`);
      expect(new Set(names).size).toBe(transfers.length);
    }),
  );
});
