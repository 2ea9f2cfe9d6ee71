import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatUnits, toUnits } from '@bourse/money';
import { baseOf, costOfWalking, feeOf, limitHold, lotsOf, percent, quoteOf, ticksOf, type Market } from './market.js';
import { MAX_LOTS, MAX_TICK } from './book.js';

type Scales = Pick<Market, 'priceScale' | 'numberScale' | 'baseScale' | 'quoteScale'>;
interface Vectors {
  readonly spot: readonly (Scales & Record<'price' | 'amount' | 'rate' | (typeof FIGURES)[number], string>)[];
  readonly walks: readonly (Scales & { levels: [string, string][]; amount: string; cost: string })[];
}
const FIGURES = ['holdOfBuy', 'holdOfSell', 'proceeds', 'feeOfBuy', 'feeOfSell'] as const;
/** The figures that the screen is tested on too. */
const VECTORS = JSON.parse(readFileSync(new URL('../../formulas/vectors.json', import.meta.url), 'utf8')) as Vectors;

const marketOf = (scales: Scales): Market => ({
  ...scales,
  symbol: 'BASE/QUOTE',
  pairId: 1,
  baseId: 1,
  baseName: 'BASE',
  quoteId: 2,
  quoteName: 'QUOTE',
  minTotal: 1n,
  makerFee: 0n,
  takerFee: 0n,
  band: 0n,
});
const fits = ({ price, amount, priceScale, numberScale }: Vectors['spot'][number]): boolean =>
  toUnits(price, priceScale) <= BigInt(MAX_TICK) && toUnits(amount, numberScale) <= BigInt(MAX_LOTS);

describe('the figures of a market in ticks and lots', () => {
  test('are those of the vectors: hold, proceeds, fee [FORMULA-001]', () => {
    const tested = VECTORS.spot.filter(fits);
    expect(tested.length).toBeGreaterThan(5);
    for (const vector of tested) {
      const market = marketOf(vector);
      const [ticks, lots] = [ticksOf(market, vector.price), lotsOf(market, vector.amount)];
      const proceeds = quoteOf(market, ticks, lots, 'down');
      const rate = percent(vector.rate);
      expect({
        holdOfBuy: formatUnits(limitHold(market, 'buy', ticks, lots), market.quoteScale),
        holdOfSell: formatUnits(limitHold(market, 'sell', ticks, lots), market.baseScale),
        proceeds: formatUnits(proceeds, market.quoteScale),
        feeOfBuy: formatUnits(feeOf(baseOf(market, lots), rate), market.baseScale),
        feeOfSell: formatUnits(feeOf(proceeds, rate), market.quoteScale),
      }).toEqual(Object.fromEntries(FIGURES.map((name) => [name, vector[name]])));
    }
  });

  test('walking the asks costs as much as in the vectors [FORMULA-002]', () => {
    for (const vector of VECTORS.walks) {
      const market = marketOf(vector);
      const levels = vector.levels.map(([price, number]) => [ticksOf(market, price), lotsOf(market, number)] as const);
      const cost = costOfWalking(market, levels, lotsOf(market, vector.amount), MAX_TICK);
      expect(formatUnits(cost, market.quoteScale)).toBe(vector.cost);
    }
  });
});
