import { describe, expect, test } from '@jest/globals';
import { percent, stopMarketHold, type Market } from './market.js';

const MARKET: Market = {
  symbol: 'BTC/USDT',
  pairId: 1,
  baseId: 2,
  baseName: 'BTC',
  baseScale: 8,
  quoteId: 1,
  quoteName: 'USDT',
  quoteScale: 8,
  priceScale: 2,
  numberScale: 5,
  minTotal: 0n,
  makerFee: 0n,
  takerFee: 0n,
  band: percent('5'),
};

describe('the hold of a stop-market order [SPOT-115]', () => {
  test('a buy holds its cost at the stop price plus the band', () => {
    // 56,000.00 × 0.01 × 1.05 = 588 USDT
    expect(stopMarketHold(MARKET, 'buy', 5_600_000, 1_000)).toBe(588_00000000n);
  });
  test('a cost between two units of the quote is rounded up', () => {
    // 0.01 × 0.00001 × 1.05 = 0.000000105 USDT, held as 0.00000011
    expect(stopMarketHold(MARKET, 'buy', 1, 1)).toBe(11n);
  });
  test('a sell holds its amount', () => {
    expect(stopMarketHold(MARKET, 'sell', 5_600_000, 1_000)).toBe(1_000_000n);
  });
});
