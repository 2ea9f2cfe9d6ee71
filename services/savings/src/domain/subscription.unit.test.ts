import { describe, expect, test } from '@jest/globals';
import { percent, savingsProfit, SAVINGS_DAY_MS as DAY } from '@bourse/formulas';
import { formatUnits, toUnits } from '@bourse/money';
import fc from 'fast-check';
import {
  accepted,
  accruedAt,
  cancelFee,
  cancelled,
  isWithinShare,
  matured,
  termFrom,
  type Accepted,
  type Subscription,
} from './subscription.js';

const SCALE = 8;
const NOON = Date.UTC(2026, 0, 1, 12);

function waiting(fields: Partial<Subscription> = {}): Subscription {
  const amount = toUnits('1000', SCALE);
  return {
    id: '42',
    userId: 100001,
    currencyId: 3,
    currencyName: 'USDT',
    scale: SCALE,
    amount,
    day: 30,
    rate: percent('0.7'),
    cancelRate: percent('0.3'),
    profit: savingsProfit(amount, percent('0.7')),
    state: 'waiting',
    createdAt: null,
    startAt: null,
    endAt: null,
    endedAt: null,
    ...fields,
  };
}
const accruing = (at = NOON, day = 30): Accepted => accepted(waiting({ day }), at, DAY);
const shown = (subscription: Accepted, at: number): string => formatUnits(accruedAt(subscription, at, DAY), SCALE);

describe('a term', () => {
  test('starts with the next midnight, also for a subscription at midnight [SAVE-001]', () => {
    const midnight = Date.UTC(2026, 0, 2);
    expect(termFrom(NOON, 30, DAY)).toEqual({ startAt: midnight, endAt: midnight + 30 * DAY });
    expect(termFrom(midnight - 1, 1, DAY)).toEqual({ startAt: midnight, endAt: midnight + DAY });
    expect(termFrom(midnight, 1, DAY)).toEqual({ startAt: midnight + DAY, endAt: midnight + 2 * DAY });
  });

  test('accrues by full days, from nothing to its profit [SAVE-001]', () => {
    const one = accruing();
    const after = (ms: number): string => shown(one, one.startAt + ms);
    expect([after(-1), after(DAY - 1), after(DAY), after(29 * DAY), after(30 * DAY), after(99 * DAY)]).toEqual([
      '0.00000000',
      '0.00000000',
      '0.23333333',
      '6.76666666',
      '7.00000000',
      '7.00000000',
    ]);
  });

  test('is accepted once [SAVE-002]', () => {
    expect(() => accepted(accruing(), NOON, DAY)).toThrow('does not wait');
  });

  test('is cancelled until its end and not at it, loses its interest and costs the fee, up [SAVE-002]', () => {
    const one = accruing();
    const ended = cancelled(one, one.endAt - 1);
    expect(ended).toMatchObject({ state: 'cancelled', endedAt: one.endAt - 1 });
    expect(shown(ended!, one.endAt)).toBe('0.00000000');
    expect(cancelled(one, one.endAt)).toBeNull();
    expect(cancelled(ended!, NOON)).toBeNull();
    expect(formatUnits(cancelFee(one), SCALE)).toBe('3.00000000');
    expect(cancelFee({ amount: 1n, cancelRate: percent('0.1') })).toBe(1n);
  });

  test('matures at its end and not before, once, as of that midnight [SAVE-002]', () => {
    const one = accruing();
    expect(() => matured(one, one.endAt - 1)).toThrow('matures as accruing');
    const ended = matured(one, one.endAt + 5 * DAY);
    expect(ended).toMatchObject({ state: 'matured', endedAt: one.endAt });
    expect(shown(ended, one.startAt)).toBe('7.00000000');
    expect(() => matured(ended, one.endAt)).toThrow('matures as matured');
    expect(() => matured(cancelled(one, NOON)!, one.endAt)).toThrow('matures as cancelled');
    expect(cancelled(ended, NOON)).toBeNull();
  });

  test('over all days the accrued interest only rises and never exceeds the reserve [SAVE-001]', () => {
    const times = fc.array(fc.integer({ min: 0, max: 400 * DAY }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 17n), fc.integer({ min: 1, max: 365 }), times, (amount, day, offsets) => {
        const profit = savingsProfit(amount, percent('1.2'));
        const one = accepted(waiting({ amount, day, profit }), NOON, DAY);
        let before = 0n;
        for (const offset of offsets.sort((a, b) => a - b)) {
          const accrued = accruedAt(one, NOON + offset, DAY);
          expect(accrued >= before && accrued <= profit).toBe(true);
          before = accrued;
        }
        expect(accruedAt(one, one.endAt, DAY)).toBe(profit);
      }),
    );
  });
});

describe('the interest that one person may reserve [HARD-419]', () => {
  test('is a share of the free and reserved balance of the house, to the unit', () => {
    expect(isWithinShare(1_003n, 0n, 250n, 25)).toBe(true);
    expect(isWithinShare(1_003n, 0n, 251n, 25)).toBe(false);
    expect(isWithinShare(1_003n, 250n, 1n, 25)).toBe(false);
    expect(isWithinShare(1_003n, 250n, 0n, 25)).toBe(true);
    expect(isWithinShare(0n, 0n, 1n, 25)).toBe(false);
    expect(isWithinShare(1_000n, 0n, 1_000n, 100)).toBe(true);
  });

  test('leaves the rest to others, however often a person subscribes and cancels', () => {
    const step = fc.record({ subscribes: fc.boolean(), profit: fc.bigInt({ min: 0n, max: 400n }), place: fc.nat(20) });
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 2_000n }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(step, { maxLength: 40 }),
        (house, share, steps) => {
          const running: bigint[] = [];
          const reserved = (): bigint => running.reduce((sum, profit) => sum + profit, 0n);
          for (const { subscribes, profit, place } of steps) {
            if (!subscribes) running.splice(place, 1);
            else if (isWithinShare(house, reserved(), profit, share)) running.push(profit);
            expect(reserved() * 100n).toBeLessThanOrEqual(house * BigInt(share));
          }
          // A term that was refused fits once the person has cancelled the others.
          expect(isWithinShare(house, 0n, (house * BigInt(share)) / 100n, share)).toBe(true);
        },
      ),
    );
  });
});
