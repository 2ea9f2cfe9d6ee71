import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percent, rateOfLevel } from './percent.js';

test('the rate of a level is the least one that is no less than its part of the rate [SPOT-281]', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 5_000_000n), fc.bigInt(0n, 100n), (rate, part) => {
      const over = rateOfLevel(rate, part) * 100n - rate * part;
      expect(over >= 0n && over < 100n).toBe(true);
    }),
  );
  expect(rateOfLevel(percent('0.1'), 95n)).toBe(percent('0.095'));
  expect(rateOfLevel(percent('0.000001'), 1n)).toBe(percent('0.000001'));
  expect([rateOfLevel(percent('0.15'), 0n), rateOfLevel(percent('0.15'), 100n)]).toEqual([0n, percent('0.15')]);
});
