import { describe, expect, test } from '@jest/globals';

/*
 * The expected value of a policy under the best strategy: a fair coin decides each contract, the person stops when
 * stopping is worth more, and claims when half is lost. An expected value is no amount of money, so this computes in
 * floating point.
 */

/** Percentages of the type of insurance of a fresh install (rules §15). */
const SEED_INSURANCE = { premiumRate: 15, stakeRate: 2, claimLossRate: 50, claimRate: 50, endProfitRate: 100 };

/** A policy of 1,000, and its vault in steps of 1. */
const AMOUNT = 1_000;
const MAX_OPEN = 5;
const STAKE = (AMOUNT * SEED_INSURANCE.stakeRate) / 100;
const END = AMOUNT * (1 + SEED_INSURANCE.endProfitRate / 100);
const CLAIM = AMOUNT * (1 - SEED_INSURANCE.claimLossRate / 100);
/** Contracts on one side of one market are won or lost together: five of them are one of five times the stake. */
const STAKES = [0.25, 0.5, ...Array.from({ length: MAX_OPEN }, (_, at) => at + 1)].map((part) => part * STAKE);
/** Percent of the stake. */
const FEE = 0.2;
/** Percent of the stake that a win pays, by seconds: rules §15. */
const PROFITS = { 30: 40, 60: 50, 120: 60, 180: 70, 300: 80 } as const;

/** The expected end of a vault under the best strategy, claims included. */
function worthOf(profit: number, claimRate = SEED_INSURANCE.claimRate): number {
  const lowest = CLAIM - 2 * STAKE * MAX_OPEN;
  const count = END - lowest;
  const vaultOf = (at: number): number => lowest + at;
  const claimed = (vault: number): number => vault + (AMOUNT * claimRate) / 100;
  const worth = Float64Array.from({ length: count + 1 }, (_, at) => {
    const vault = vaultOf(at);
    return vault <= CLAIM ? claimed(vault) : vault;
  });
  /** Interpolated linearly between two steps; a vault that has reached END is paid out. */
  const valueAt = (vault: number): number => {
    if (vault >= END) return vault;
    if (vault <= CLAIM) return claimed(vault);
    const place = vault - lowest;
    const below = Math.floor(place);
    return worth[below]! + (worth[below + 1]! - worth[below]!) * (place - below);
  };
  for (let moved = 1; moved > 1e-4;) {
    moved = 0;
    for (let at = 0; at <= count; at += 1) {
      const vault = vaultOf(at);
      if (vault <= CLAIM || vault >= END) continue;
      let best = worth[at]!;
      for (const stake of STAKES) {
        const fee = (stake * FEE) / 100;
        const played = (valueAt(vault + (stake * profit) / 100 - fee) + valueAt(vault - stake - fee)) / 2;
        if (played > best) best = played;
      }
      moved = Math.max(moved, best - worth[at]!);
      worth[at] = best;
    }
  }
  return valueAt(AMOUNT);
}

describe('a policy at the seeds [HARD-470]', () => {
  test.each(Object.entries(PROFITS))('contracts of %s s: worth no more than it costs', (_, profit) => {
    const price = AMOUNT * (1 + SEED_INSURANCE.premiumRate / 100);
    expect(worthOf(profit)).toBeLessThanOrEqual(price);
  });

  test('contracts of 300 s: worth more than it cost at the premium of before, 5 %', () => {
    const worth = worthOf(PROFITS[300]);
    expect(worth).toBeGreaterThan(AMOUNT * 1.1);
    expect(worth).toBeLessThan(AMOUNT * 1.15);
  });

  test('a claim that pays nothing makes a policy worth its vault', () => {
    expect(worthOf(PROFITS[300], 0)).toBe(AMOUNT);
  });
});
