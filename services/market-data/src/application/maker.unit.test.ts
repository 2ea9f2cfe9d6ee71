import { expect, test } from '@jest/globals';
import { SEED_PAIRS } from '@bourse/contract';
import { TOTAL_SCALE } from './catalog-rows.js';
import { ladderOf, smallestTotal } from './maker.js';

const LEAST = `0.${'1'.padStart(TOTAL_SCALE, '0')}`;

test.each(SEED_PAIRS)(
  'a ladder of $symbol takes each total that operators may set, rounded up [MARKET-045]',
  (pair) => {
    const unit = 10n ** BigInt(pair.priceScale + pair.numberScale);
    const totals = ['0', LEAST, '1.00000001', '1000'].map((minTotal) => {
      const ladder = ladderOf({ ...pair, minTotal });
      expect(ladder.minTotal).toBe(smallestTotal({ ...pair, minTotal }));
      return ladder.minTotal;
    });
    const above = unit > 10n ** BigInt(TOTAL_SCALE) ? unit / 10n ** BigInt(TOTAL_SCALE) : 1n;
    expect(totals).toEqual([0n, above, unit + above, 1_000n * unit]);
  },
);

test('a ladder of a quote without a usual value counts in smallest totals [MARKET-045]', () => {
  const pair = { ...SEED_PAIRS[0]!, legalName: 'EUR', minTotal: LEAST, priceScale: 2, numberScale: 4 };
  expect(ladderOf(pair)).toMatchObject({ minTotal: 1n, levelValue: 1_000n });
});
