import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexOf, type SourcePrice } from './index-price.js';

const NOW = 1_000_000;
const LIMITS = { now: NOW, maxAgeMs: 5_000, fence: 300n };
const quote = (source: string, price: number | bigint, ageMs = 0): SourcePrice => ({
  source,
  price: BigInt(price),
  at: NOW - ageMs,
});
/** Sources that agree within one percent, with ages that are fresh. */
const honest = (most: number, least = 1) =>
  fc
    .array(fc.record({ off: fc.integer({ min: -50, max: 50 }), ageMs: fc.integer({ min: 0, max: 5_000 }) }), {
      minLength: least,
      maxLength: most,
    })
    .map((sources) => sources.map(({ off, ageMs }, place) => quote(`honest ${place}`, 1_000_000 + off * 100, ageMs)));
const pricesOf = (quotes: readonly SourcePrice[]): bigint[] =>
  quotes.map(({ price }) => price).toSorted((a, b) => (a < b ? -1 : 1));

describe('the index of several sources [HARD-482]', () => {
  test('an odd number: the one in the middle and its time; an even number: the mean of two, the earlier time', () => {
    const three = [quote('a', 60_010, 100), quote('b', 60_000, 300), quote('c', 60_020)];
    expect(indexOf(three, LIMITS)).toEqual({ index: { price: 60_010n, at: NOW - 100, fresh: 3 }, outliers: [] });
    expect(indexOf(three.slice(0, 2), LIMITS).index).toEqual({ price: 60_005n, at: NOW - 300, fresh: 2 });
    expect(indexOf([quote('a', 3), quote('b', 4)], { ...LIMITS, fence: 5_000n }).index?.price).toBe(4n);
    expect(indexOf([], LIMITS)).toEqual({ index: null, outliers: [] });
  });

  test('exactly the fence is within it, one unit more is left out', () => {
    const around = (price: number) => [quote('a', 100_000), quote('b', 100_000), quote('c', price)];
    expect(indexOf(around(103_000), LIMITS)).toMatchObject({ index: { fresh: 3 }, outliers: [] });
    expect(indexOf(around(103_001), LIMITS)).toMatchObject({ index: { fresh: 2 }, outliers: ['c'] });
    expect(indexOf(around(97_000), LIMITS).outliers).toEqual([]);
    expect(indexOf(around(96_999), LIMITS).outliers).toEqual(['c']);
  });

  test('two sources that contradict each other yield no price', () => {
    expect(indexOf([quote('a', 100_000), quote('b', 110_000)], LIMITS)).toEqual({ index: null, outliers: ['a', 'b'] });
  });

  test('a source that is older than 5 s has no part in it', () => {
    const old = quote('old', 100_000, 5_001);
    expect(indexOf([old], LIMITS)).toEqual({ index: null, outliers: [] });
    expect(indexOf([quote('edge', 100_000, 5_000)], LIMITS).index?.fresh).toBe(1);
    fc.assert(
      fc.property(honest(7), fc.bigInt({ min: 1n, max: 10n ** 12n }), (quotes, price) => {
        expect(indexOf([...quotes, { ...old, price }], LIMITS)).toEqual(indexOf(quotes, LIMITS));
      }),
    );
  });

  test('the order of the sources changes nothing, and the index is within the range of its sources', () => {
    fc.assert(
      fc.property(honest(9), (quotes) => {
        const found = indexOf(quotes, LIMITS);
        expect(indexOf(quotes.toReversed(), LIMITS)).toEqual(found);
        const prices = pricesOf(quotes);
        expect(found.outliers).toEqual([]);
        expect(found.index!.fresh).toBe(quotes.length);
        expect(found.index!.price).toBeGreaterThanOrEqual(prices[0]!);
        expect(found.index!.price).toBeLessThanOrEqual(prices.at(-1)!);
        expect(quotes.map(({ at }) => at)).toContain(found.index!.at);
      }),
    );
  });

  test('fewer than half of the sources never move it out of the range of the others', () => {
    fc.assert(
      fc.property(honest(9, 2), fc.array(fc.bigInt({ min: 1n, max: 10n ** 9n }), { maxLength: 8 }), (quotes, wrong) => {
        const lies = wrong.slice(0, quotes.length - 1).map((price, place) => quote(`wrong ${place}`, price));
        const { index, outliers } = indexOf([...lies, ...quotes], LIMITS);
        const prices = pricesOf(quotes);
        expect(index!.price).toBeGreaterThanOrEqual(prices[0]!);
        expect(index!.price).toBeLessThanOrEqual(prices.at(-1)!);
        // Sources far from all right ones are named, and do not count.
        const far = lies.filter(({ price }) => price > 1_045_000n || price < 955_000n).map(({ source }) => source);
        expect(outliers.toSorted()).toEqual(expect.arrayContaining(far));
        expect(index!.fresh).toBe(quotes.length + lies.length - outliers.length);
      }),
    );
  });
});
