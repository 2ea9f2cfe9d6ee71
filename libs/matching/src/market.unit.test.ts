import { describe, expect, test } from '@jest/globals';
import { stopMarketHold, type Market } from './market.js';
import { BTC_USDT } from './samples.js';

const MARKET: Market = { ...BTC_USDT, numberScale: 5 };

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
