import { describe, expect, test } from '@jest/globals';
import type { Level, QuotationItem } from '@bourse/contract';
import { atOwnRates, coinsOf, convert, convertProblem, jointOf, outcomeOf, type Joint } from './convert.js';

const pair = (legal: [number, string], currency: [number, string], scales: [number, number]): QuotationItem =>
  ({
    symbol: `${currency[1]}/${legal[1]}`,
    legal_id: legal[0],
    legal_name: legal[1],
    currency_id: currency[0],
    currency_name: currency[1],
    price_scale: scales[0],
    number_scale: scales[1],
    taker_fee: '0.1',
    min_total: '1',
    market_band: '5',
  }) as QuotationItem;
const BTC_USDT = pair([3, 'USDT'], [1, 'BTC'], [2, 6]);
const ETH_BTC = pair([1, 'BTC'], [2, 'ETH'], [6, 4]);
const PAIRS = [BTC_USDT, ETH_BTC];
const ASKS: readonly Level[] = [
  { price: '56637.56', number: '0.2' },
  { price: '56690', number: '0.3' },
  { price: '59470', number: '5' },
];
const BIDS: readonly Level[] = [
  { price: '56600', number: '0.1' },
  { price: '56000', number: '1' },
  { price: '53000', number: '9' },
];
const BUY: Joint = { pair: BTC_USDT, side: 'buy' };
const SELL: Joint = { pair: BTC_USDT, side: 'sell' };

describe('a conversion', () => {
  test('finds the pair that joins two coins in either direction, or none [TERM-CONV-001]', () => {
    expect(coinsOf(PAIRS).map(({ name }) => name)).toEqual(['BTC', 'ETH', 'USDT']);
    expect(jointOf(PAIRS, 1, 3)).toEqual(SELL);
    expect(jointOf(PAIRS, 3, 1)).toEqual(BUY);
    expect(jointOf(PAIRS, 2, 1)).toEqual({ pair: ETH_BTC, side: 'sell' });
    expect(jointOf(PAIRS, 2, 3)).toBeUndefined();
  });

  test('a sum buys through the asks, the worked example of spot to the last digit [TERM-CONV-002]', () => {
    expect(convert(BUY, ASKS, '28334.512')).toEqual({
      amount: '0.5',
      given: '28334.512',
      fee: '0.0005',
      received: '0.4995',
      best: '56637.56',
      mean: '56669.02',
      worst: '56690.00',
      whole: true,
      total: '28334.51',
    });
    // A unit less does not buy the last lot, and never costs more than it.
    expect(convert(BUY, ASKS, '28334.51199999')).toMatchObject({ amount: '0.499999', whole: true });
  });

  test('the fee is the taker’s of the fee level [TERM-CONV-014]', () => {
    const own = atOwnRates(BUY, '60');
    expect(convert(own, ASKS, '28334.512')).toMatchObject({ fee: '0.0003', received: '0.4997' });
    expect(atOwnRates(BUY, undefined)).toEqual(BUY);
  });

  test('a sale goes down the bids, rounded down, with the fee in the received coin [TERM-CONV-002]', () => {
    expect(convert(SELL, BIDS, '0.5')).toMatchObject({
      given: '0.5',
      fee: '28.06',
      received: '28031.94',
      best: '56600.00',
      worst: '56000.00',
      mean: '56120.00',
      whole: true,
    });
    expect(convert(SELL, BIDS, '0.0000019')).toMatchObject({ amount: '0.000001' });
  });

  test('it stops at the band of the pair, and warns that the book does not take all of it [TERM-CONV-003]', () => {
    expect(convert(SELL, BIDS, '3')).toMatchObject({ given: '1.1', whole: false });
    expect(convert(BUY, ASKS, '100000')).toMatchObject({ amount: '0.5', whole: false });
    // The band is the server's: a wider one reaches the last level, a narrower one the first alone.
    const banded = (band: string): Joint => ({ ...SELL, pair: { ...BTC_USDT, market_band: band } });
    expect(convert(banded('6.4'), BIDS, '3')).toMatchObject({ given: '3', whole: true });
    expect(convert(banded('1.0601'), BIDS, '3')).toMatchObject({ given: '1.1', whole: false });
    expect(convert(banded('1.06'), BIDS, '3')).toMatchObject({ given: '0.1', whole: false });
    expect(convert(SELL, [], '1')).toBeUndefined();
    expect(convert(SELL, BIDS, '')).toBeUndefined();
    expect(convert(SELL, BIDS, '0.0000001')).toBeUndefined();
  });

  test('faults come in the order of the rules [TERM-CONV-004]', () => {
    const problem = (typed: string, available: string | undefined, levels = BIDS) =>
      convertProblem(typed, available, SELL, convert(SELL, levels, typed), levels.length === 0);
    expect(problem('', '1')).toBe('convert.amountRequired');
    expect(problem('1', '1', [])).toBe('convert.noBook');
    expect(problem('0.00001', '1')).toBe('convert.tooSmall');
    expect(problem('0.5', '0.4')).toBe('balance.insufficient');
    expect(problem('0.5', undefined)).toBeUndefined();
  });

  test('the result is the sum of the fills [TERM-CONV-005]', () => {
    const fills = [
      { number: '0.2', total: '11327.512', fee: '0.0002' },
      { number: '0.3', total: '17007', fee: '0.0003' },
    ];
    expect(outcomeOf('buy', fills)).toEqual({ given: '28334.512', received: '0.4995', fee: '0.0005' });
    expect(outcomeOf('sell', [{ number: '1', total: '100', fee: '0.1' }])).toEqual({
      given: '1',
      received: '99.9',
      fee: '0.1',
    });
  });
});
