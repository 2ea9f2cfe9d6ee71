import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUnits } from '@bourse/money';
import {
  factProfits,
  judges,
  judgingTicks,
  largestStake,
  medianPrice,
  microResult,
  payoutOf,
  percent,
  policyStage,
  premiumOf,
  winOf,
  wouldBe,
  type DecisiveTick,
  type PolicyTerms,
} from './index.js';

const at = (...prices: readonly number[]): DecisiveTick[] =>
  prices.map((price, index) => ({ id: BigInt(index + 1), price: BigInt(price) }));
const units = (text: string): bigint => toUnits(text, 8);

describe('the worked examples of rules §4, to the last digit [FORMULA-020]', () => {
  const stake = units('100');
  test('five ticks: the median', () => {
    expect(medianPrice(at(60010, 60012, 60011, 60009, 60013))).toBe(60011n);
  });
  test('four ticks: the later of the two middle ones', () => {
    expect(medianPrice(at(10, 12, 11, 13))).toBe(11n);
  });
  test('two ticks decide nothing', () => {
    expect(medianPrice(at(1, 2))).toBeNull();
    expect(microResult('up', 1n, null)).toBe('void');
  });
  test('up gains 50, down loses 100, the same price is a tie', () => {
    expect(factProfits(microResult('up', 60_000n, 60_011n), stake, percent('50'))).toBe(units('50'));
    expect(factProfits(microResult('down', 60_000n, 60_011n), stake, percent('50'))).toBe(units('-100'));
    expect(microResult('up', 60_000n, 60_000n)).toBe('tie');
    expect(factProfits('tie', stake, percent('50'))).toBe(0n);
    expect(factProfits('void', stake, percent('50'))).toBe(0n);
  });
  test('a running contract: would win, would lose, nothing moved', () => {
    expect(wouldBe('down', 10n, 9n, stake, percent('50'))).toBe(units('50'));
    expect(wouldBe('down', 10n, 11n, stake, percent('50'))).toBe(units('-100'));
    expect(wouldBe('down', 10n, 10n, stake, percent('50'))).toBe(0n);
  });
});

test('a price given from after expiry − 5 s up to expiry itself judges [FORMULA-021]', () => {
  const judged = [4_999, 5_000, 5_001, 10_000, 10_001];
  const said = [false, false, true, true, false];
  expect(judged.map((at) => judges({ time: 10_000, at }, 10_000))).toEqual(said);
  // A tick of version 1 counts by the second in which it was recorded.
  expect(judged.map((time) => judges({ time, at: null }, 10_000))).toEqual(said);
});

test('a price that was given in time and recorded after the expiry judges nothing [FORMULA-021, HARD-480]', () => {
  expect(judges({ time: 11_000, at: 9_900 }, 10_000)).toBe(false);
  expect(judges({ time: 10_000, at: 9_900 }, 10_000)).toBe(true);
});

test('of ticks with the same `at` the first recorded judges [FORMULA-021, HARD-480]', () => {
  const tick = (id: number, at: number) => ({ id, time: id * 1_000, at });
  const repeated = [tick(6, 5_900), tick(8, 5_900), tick(7, 5_900), tick(9, 8_800), tick(10, 8_800)];
  expect(judgingTicks(repeated, 10_000).map(({ id }) => id)).toEqual([6, 9]);
});

test('the median does not depend on the order of the ticks, and is one of their prices [FORMULA-022]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 5 }),
      fc.infiniteStream(fc.nat()),
      (prices, random) => {
        const ticks = at(...prices);
        const keys = new Map(ticks.map((tick) => [tick, random.next().value]));
        const shuffled = ticks.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
        const median = medianPrice(ticks)!;
        expect(medianPrice(shuffled)).toBe(median);
        const below = prices.filter((price) => BigInt(price) < median).length;
        const above = prices.filter((price) => BigInt(price) > median).length;
        expect(below).toBeLessThanOrEqual(prices.length / 2);
        expect(above).toBeLessThanOrEqual(prices.length / 2);
        expect(prices).toContain(Number(median));
      },
    ),
  );
});

test('a win is never more than its share of the stake [FORMULA-023]', () => {
  expect(winOf(3n, percent('50'))).toBe(1n);
});

describe('the worked examples of rules §5 [FORMULA-024]', () => {
  const terms: PolicyTerms = {
    premiumRate: percent('15'),
    stakeRate: percent('2'),
    claimLossRate: percent('50'),
    claimRate: percent('50'),
    endProfitRate: percent('100'),
  };
  const amount = units('1000');
  test('1,000 HAP: pays 1,150, largest stake 20, payout 500', () => {
    expect(amount + premiumOf(amount, terms)).toBe(units('1150'));
    expect(largestStake(amount, terms)).toBe(units('20'));
    expect(payoutOf(amount, terms)).toBe(units('500'));
  });
  test('a claim at half and below, an end at double and above', () => {
    expect(policyStage(amount, units('500'), terms)).toBe('claim');
    expect(policyStage(amount, units('480'), terms)).toBe('claim');
    expect(policyStage(amount, units('500.00000001'), terms)).toBe('trade');
    expect(policyStage(amount, units('1999.99999999'), terms)).toBe('trade');
    expect(policyStage(amount, units('2000'), terms)).toBe('end');
  });
});
