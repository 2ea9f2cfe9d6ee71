import { describe, expect, test } from '@jest/globals';
import { leastCovered, median } from './figures.js';

test('latency is the middle of the round trips [HOME-004]', () => {
  expect(median([])).toBeUndefined();
  expect(median([9])).toBe(9);
  expect(median([30, 8, 9, 400, 10])).toBe(10);
  expect(median([8, 10])).toBe(8);
});

describe('solvency', () => {
  test('the coin that is covered least speaks for the house, exactly [HOME-005]', () => {
    expect(
      leastCovered([
        { currency: 'USDT', assets: '33590312.5', liabilities: '20480000' },
        { currency: 'BTC', assets: '10.00000001', liabilities: '10' },
        { currency: 'ADA', assets: '0', liabilities: '0' },
      ]),
    ).toEqual({ currency: 'BTC', percent: '100.00', covered: true });
  });

  test('a hair too little is not covered, although it rounds to a hundred [HOME-005]', () => {
    expect(leastCovered([{ currency: 'BTC', assets: '9.99999999', liabilities: '10' }])).toEqual({
      currency: 'BTC',
      percent: '99.99',
      covered: false,
    });
  });

  test('without liabilities no figure is shown [HOME-005]', () => {
    expect(leastCovered([{ currency: 'BTC', assets: '1', liabilities: '0' }])).toBeUndefined();
  });
});
