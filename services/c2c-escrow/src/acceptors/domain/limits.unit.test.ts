import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blockedUntil, reservableBy, personShare } from './limits.js';

const DAY = 86_400_000;

test('one person reserves at most a quarter of an acceptor’s free and reserved coins [HARD-437]', () => {
  expect(personShare(50_000n, 0n, 25)).toBe(12_500n);
  expect(reservableBy(50_000n, 0n, 0n, 25)).toBe(12_500n);
  expect(reservableBy(37_500n, 12_500n, 12_500n, 25)).toBe(0n);
  // Reserved coins of others count for the share and cannot be taken.
  expect(reservableBy(1_000n, 49_000n, 0n, 25)).toBe(1_000n);
  const coins = fc.bigInt(0n, 10n ** 16n);
  fc.assert(
    fc.property(coins, fc.array(coins, { maxLength: 20 }), fc.integer({ min: 1, max: 100 }), (all, wishes, percent) => {
      let [free, own] = [all, 0n];
      for (const wish of wishes) {
        const left = reservableBy(free, own, own, percent);
        const taken = wish < left ? wish : left;
        [free, own] = [free - taken, own + taken];
      }
      expect(own <= personShare(all, 0n, percent)).toBe(true);
      expect(free >= 0n && free + own === all).toBe(true);
    }),
  );
});

test('three rejected objections within 30 days close deposits to a person for 30 days [HARD-438]', () => {
  const at = (...days: number[]): number[] => days.map((day) => day * DAY);
  expect(blockedUntil(at(1, 2), 3, 3 * DAY)).toBeNull();
  expect(blockedUntil(at(31, 1, 2), 3, 31 * DAY)).toBe(61 * DAY);
  expect(blockedUntil(at(1, 2, 31.5), 3, 32 * DAY)).toBeNull();
  expect(blockedUntil(at(1, 2, 3), 3, 33 * DAY - 1)).toBe(33 * DAY);
  expect(blockedUntil(at(1, 2, 3), 3, 33 * DAY)).toBeNull();
  // One later objection changes nothing.
  expect(blockedUntil(at(1, 2, 3, 32.5), 3, 32.6 * DAY)).toBe(33 * DAY);
  expect(blockedUntil(at(1), 1, 2 * DAY)).toBe(31 * DAY);
});
