import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { planMove } from './house-plan.js';

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
        for (const { partition, units } of plan) expect(units > 0n && units <= (balances[partition] ?? 0n)).toBe(true);
      },
    ),
  );
});
