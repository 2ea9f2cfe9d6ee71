import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Units } from '@bourse/money';
import { confirmationsOf, creditOf, decideDeposit } from './deposit.js';

const units = (max = 10n ** 14n): fc.Arbitrary<Units> => fc.bigInt({ min: 1n, max }) as fc.Arbitrary<Units>;

describe('deposits', () => {
  test('credits and suspended deposits sum to the total in any order; suspended ones stay small [DEPOSIT-003]', () => {
    fc.assert(
      fc.property(fc.array(units(300n), { minLength: 1, maxLength: 30 }), (amounts) => {
        const minDeposit = 100n as Units;
        let [held, credited] = [0n, 0n];
        for (const amount of amounts) {
          const verdict = decideDeposit({ amount, minDeposit, heldBefore: held as Units, owned: true });
          if (verdict === 'hold') held += amount;
          else if (verdict === 'credit') credited += amount;
          else [held, credited] = [0n, credited + held + amount];
          expect(held).toBeLessThan(minDeposit);
          expect(verdict === 'credit').toBe(amount >= minDeposit);
        }
        expect(held + credited).toBe(amounts.reduce((sum, amount) => sum + amount, 0n));
      }),
    );
  });

  test('a deposit without an owner is never credited, and a minimum of zero holds nothing [DEPOSIT-004]', () => {
    fc.assert(
      fc.property(units(), units(), units(), (amount, minDeposit, heldBefore) => {
        expect(decideDeposit({ amount, minDeposit, heldBefore, owned: false })).toBe('hold');
        expect(decideDeposit({ amount, minDeposit: 0n as Units, heldBefore, owned: true })).toBe('credit');
      }),
    );
  });

  test('the ledger never counts more than came, and less than one of its units less [DEPOSIT-001]', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), fc.integer({ min: 0, max: 30 }), (onChain, chainScale) => {
        const scaled = creditOf(onChain, chainScale, 8) * 10n ** BigInt(chainScale);
        const exact = onChain * 10n ** 8n;
        expect(scaled).toBeLessThanOrEqual(exact);
        expect(exact - scaled).toBeLessThan(10n ** BigInt(chainScale));
      }),
    );
  });

  test('the block of a payment is its first confirmation [DEPOSIT-002]', () => {
    expect([
      confirmationsOf(10, 9),
      confirmationsOf(10, 10),
      confirmationsOf(10, 15),
      confirmationsOf(null, 15),
    ]).toEqual([0, 1, 6, 0]);
  });
});
