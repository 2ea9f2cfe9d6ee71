import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import { chargeOf, COIN_SCALE, feeOf, holdOf, percent, quoteOf, baseOf, walk, type PairScales } from './index.js';

interface Vectors {
  readonly spot: readonly (PairScales &
    Record<'price' | 'amount' | 'rate' | 'holdOfBuy' | 'holdOfSell' | 'proceeds' | 'feeOfBuy' | 'feeOfSell', string>)[];
  readonly walks: readonly (PairScales &
    Record<'amount' | 'cost' | 'taken' | 'worst', string> & { readonly levels: readonly [string, string][] })[];
  readonly withdrawals: readonly Record<'number' | 'rate' | 'fee' | 'received', string>[];
}
/**
 * Expected figures were counted with fractions by another program; services and the terminal are tested on the same.
 */
const VECTORS = JSON.parse(readFileSync(new URL('../vectors.json', import.meta.url), 'utf8')) as Vectors;

describe('what server and screen both compute', () => {
  test.each(VECTORS.spot)('$amount at $price: hold, proceeds and fee [FORMULA-001]', (vector) => {
    const ticks = toUnits(vector.price, vector.priceScale);
    const lots = toUnits(vector.amount, vector.numberScale);
    const proceeds = quoteOf(vector, ticks, lots, 'down');
    const rate = percent(vector.rate);
    expect({
      holdOfBuy: formatUnits(holdOf(vector, 'buy', ticks, lots), vector.quoteScale),
      holdOfSell: formatUnits(holdOf(vector, 'sell', ticks, lots), vector.baseScale),
      proceeds: formatUnits(proceeds, vector.quoteScale),
      feeOfBuy: formatUnits(feeOf(baseOf(vector, lots), rate), vector.baseScale),
      feeOfSell: formatUnits(feeOf(proceeds, rate), vector.quoteScale),
    }).toEqual({
      holdOfBuy: vector.holdOfBuy,
      holdOfSell: vector.holdOfSell,
      proceeds: vector.proceeds,
      feeOfBuy: vector.feeOfBuy,
      feeOfSell: vector.feeOfSell,
    });
  });

  test.each(VECTORS.walks)(
    '$amount over levels: cost rounded once, what is there, the last price [FORMULA-002]',
    (vector) => {
      const levels = vector.levels.map(
        ([price, number]) => [toUnits(price, vector.priceScale), toUnits(number, vector.numberScale)] as const,
      );
      const { cost, taken, worst } = walk(vector, levels, toUnits(vector.amount, vector.numberScale));
      expect([
        formatUnits(cost, vector.quoteScale),
        formatUnits(taken, vector.numberScale),
        worst === 0n ? '' : formatUnits(worst, vector.priceScale),
      ]).toEqual([vector.cost, vector.taken, vector.worst]);
    },
  );

  test('a walk ends at the first price that may not be taken [FORMULA-002]', () => {
    const pair = { priceScale: 0, numberScale: 0, baseScale: 0, quoteScale: 0 };
    const levels = [
      [10n, 1n],
      [12n, 1n],
      [11n, 5n],
    ] as const;
    expect(walk(pair, levels, 3n, (ticks) => ticks <= 11n)).toEqual({ cost: 10n, taken: 1n, worst: 10n });
  });

  test.each(VECTORS.withdrawals)(
    'a withdrawal of $number at $rate %: fee up, the rest goes out [FORMULA-003]',
    (vector) => {
      const { fee, received } = chargeOf(toUnits(vector.number, COIN_SCALE), toUnits(vector.rate, 4), 4);
      expect([formatUnits(fee, COIN_SCALE), formatUnits(received, COIN_SCALE)]).toEqual([vector.fee, vector.received]);
    },
  );
});
