import { expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { formatTrimmed, toUnits } from '@bourse/money';
import fc from 'fast-check';
import { countedDay, dayOf, dayText, paymentOf, settled, SHARE_SCALE, shareOf } from './rebate.js';

const SCALE = 8;
const share = (fee: string, rate: string): string =>
  formatTrimmed(shareOf(toUnits(fee, SCALE), SCALE, percent(rate)), SHARE_SCALE);

test('a fee of 10 yields 2, 1 and 0.50, and a returned fee takes them back [TEAM-020]', () => {
  expect(['20', '10', '5'].map((rate) => share('10', rate))).toEqual(['2', '1', '0.5']);
  expect(formatTrimmed(shareOf(-toUnits('10', SCALE), SCALE, percent('20')), SHARE_SCALE)).toBe('-2');
  expect(share('0.00000001', '0.000001')).toBe('0.0000000000000001');
});

test('a day is paid at 00:05 of the next, and a late fee counts to the first day that is not paid [TEAM-022]', () => {
  const noon = Date.UTC(2026, 0, 31, 12);
  expect(dayText(dayOf(noon))).toBe('2026-01-31');
  expect(new Date(paymentOf(dayOf(noon))).toISOString()).toBe('2026-02-01T00:05:00.000Z');
  expect(countedDay(noon, null)).toBe(dayOf(noon));
  expect(countedDay(noon, dayOf(noon) - 1)).toBe(dayOf(noon));
  expect(countedDay(noon, dayOf(noon) + 3)).toBe(dayOf(noon) + 4);
});

test('paid and carried amounts equal the owed amount, and no payment is negative [TEAM-021]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), { maxLength: 20 }),
      fc.constantFrom(0, 2, 8, 18),
      (sums, scale) => {
        const unit = 10n ** BigInt(SHARE_SCALE - scale);
        let carry = 0n;
        let paid = 0n;
        for (const sum of sums) {
          const day = settled({ sum, carry }, scale);
          expect(day.amount >= 0n && day.carry < unit).toBe(true);
          // Less than a unit is left, unless more was returned than was owed.
          expect(day.amount === 0n || day.carry >= 0n).toBe(true);
          carry = day.carry;
          paid += day.amount * unit;
        }
        expect(paid + carry).toBe(sums.reduce((all, sum) => all + sum, 0n));
      },
    ),
  );
});
