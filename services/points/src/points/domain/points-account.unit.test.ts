import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { credited, emptyAccount, freePoints, givenBack, taken, type PointsAccount } from './points-account.js';

test('credited points are free from the next day on, free points of the third party at once [POINTS-003]', () => {
  const bound = credited(emptyAccount(1), 1_000n, 500n, 10);
  expect([freePoints(bound, 10), freePoints(bound, 11)]).toEqual([500n, 1_000n]);
  const more = credited(bound, 7n, 0n, 11);
  expect([freePoints(more, 11), freePoints(more, 12)]).toEqual([1_000n, 1_007n]);
  expect(() => credited(bound, 1n, 2n, 10)).toThrow(RangeError);
});

test('no more is taken than is free, and taken points can be returned [POINTS-003]', () => {
  const bound = credited(emptyAccount(1), 1_000n, 500n, 10);
  expect(taken(bound, 501n, 10)).toBeNull();
  const rest = taken(bound, 500n, 10)!;
  expect([rest.total, freePoints(rest, 10), freePoints(rest, 11)]).toEqual([500n, 0n, 500n]);
  expect(freePoints(givenBack(rest, 500n), 10)).toBe(500n);
  expect(() => taken(bound, 0n, 10)).toThrow(RangeError);
});

/** A plain account: every credit with its day, every exchange with its points. */
class Plain {
  private readonly credits: { points: bigint; free: bigint; day: number }[] = [];
  private used = 0n;
  credit(points: bigint, free: bigint, day: number): void {
    this.credits.push({ points, free, day });
  }
  free(day: number): bigint {
    return this.credits.reduce((sum, one) => sum + (one.day < day ? one.points : one.free), 0n) - this.used;
  }
  take(points: bigint, day: number): boolean {
    if (points > this.free(day)) return false;
    this.used += points;
    return true;
  }
  get total(): bigint {
    return this.credits.reduce((sum, { points }) => sum + points, 0n) - this.used;
  }
}

test('over days and their jumps an account equals the sum of its single credits [POINTS-004]', () => {
  const step = fc.record({
    days: fc.constantFrom(0, 0, 0, 1, 3, 400),
    points: fc.bigInt({ min: 0n, max: 10_000n }),
    free: fc.bigInt({ min: 0n, max: 10_000n }),
    take: fc.bigInt({ min: 1n, max: 15_000n }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const plain = new Plain();
      let account: PointsAccount = emptyAccount(1);
      let day = 20_000;
      for (const { days, points, free, take } of steps) {
        day += days;
        const atOnce = free < points ? free : points;
        account = credited(account, points, atOnce, day);
        plain.credit(points, atOnce, day);
        const rest = taken(account, take, day);
        expect(rest !== null).toBe(plain.take(take, day));
        account = rest ?? account;
        expect(freePoints(account, day)).toBe(plain.free(day));
        expect(account.total).toBe(plain.total);
        expect(account.fresh >= 0n && account.fresh <= account.total).toBe(true);
        expect(freePoints(account, day + 1)).toBe(plain.total);
      }
    }),
  );
});
