import { describe, expect, test } from '@jest/globals';
import { adProblems, adTypeFor, coinsFor, dealFigures, EMPTY_AD, limitsOf, sideOf, takeProblems } from './ad.js';

const AD = {
  type: 'sell',
  price: '6.50',
  coin_code: 'CNY',
  fee_rate: '0.1',
  surplus_number: '60',
  min_number: '10',
  max_number: '100',
} as const;

describe('figures of a deal before it is made', () => {
  test('the worked example comes out: money, fee and hold [TERM-C2C-010]', () => {
    expect(dealFigures('40', '6.50', 'CNY', '0.1')).toEqual({ money: '260.00', fee: '0.04', hold: '40.04' });
    expect(dealFigures('100.', '6.50', 'CNY', '0.1')?.hold).toBe('100.1');
    expect(dealFigures('1.5', '151', 'JPY', '0')?.money).toBe('227');
  });

  test('there are none while a number or a price is missing [TERM-C2C-010]', () => {
    for (const [number, price] of [
      ['', '6.5'],
      ['0', '6.5'],
      ['.', '6.5'],
      ['1', ''],
    ] as const)
      expect(dealFigures(number, price, 'CNY', '0.1')).toBeUndefined();
  });

  test('coins for an amount of money are cut, and cost that amount again [TERM-C2C-010]', () => {
    expect(coinsFor('260', '6.50', 'CNY')).toBe('40');
    expect(coinsFor('100', '6.50', 'CNY')).toBe('15.38461538');
    expect(dealFigures('15.38461538', '6.50', 'CNY', '0')?.money).toBe('100.00');
    expect(coinsFor('', '6.50', 'CNY')).toBe('');
  });
});

describe('an ad of the market', () => {
  test('a buyer reads sell ads [TERM-C2C-011]', () => {
    expect([adTypeFor('buy'), adTypeFor('sell')]).toEqual(['sell', 'buy']);
    expect([sideOf({ type: 'sell' }), sideOf({ type: 'buy' })]).toEqual(['buy', 'sell']);
  });

  test('is taken within its limits and its surplus; a rest below the minimum as a whole [TERM-C2C-011]', () => {
    expect(limitsOf(AD)).toEqual({ min: '10', max: '60' });
    expect(limitsOf({ ...AD, surplus_number: '4' })).toEqual({ min: '4', max: '4' });
    expect(limitsOf({ ...AD, min_number: '0', max_number: '20' })).toEqual({ min: '0', max: '20' });
  });

  test('faults of taking: number, limits, balance of a seller with the fee, password [TERM-C2C-012]', () => {
    const password = 'fund66';
    expect(takeProblems({ number: '40', password }, AD, undefined)).toEqual({});
    expect(takeProblems({ number: '', password: '' }, AD, undefined)).toEqual({
      number: 'deals.problem.number',
      password: 'fund.format',
    });
    expect(takeProblems({ number: '9.99999999', password }, AD, undefined).number).toBe('deals.problem.limits');
    expect(takeProblems({ number: '60.00000001', password }, AD, undefined).number).toBe('deals.problem.limits');
    const buys = { ...AD, type: 'buy' } as const;
    expect(takeProblems({ number: '40', password }, buys, '40.03999999').number).toBe('deals.problem.balance');
    expect(takeProblems({ number: '40', password }, buys, '40.04')).toEqual({});
    // A buyer needs no coins.
    expect(takeProblems({ number: '40', password }, AD, '0')).toEqual({});
  });
});

describe('an ad that is published', () => {
  const draft = { ...EMPTY_AD, number: '100', price: '6.50', password: 'fund66' };

  test('names a quantity, a price and a password, each with its own words [TERM-C2C-013]', () => {
    expect(adProblems(EMPTY_AD, { hold: undefined, available: undefined })).toEqual({
      number: 'deals.problem.number',
      price: 'deals.problem.price',
      password: 'fund.format',
    });
    expect(adProblems(draft, { hold: '100.1', available: '100.1' })).toEqual({});
    expect(adProblems(draft, { hold: '100.1', available: '100' })).toEqual({ number: 'deals.problem.balance' });
  });

  test('has limits in order and within its quantity; a shop must name them [TERM-C2C-013]', () => {
    const none = { hold: undefined, available: undefined };
    expect(adProblems({ ...draft, min: '20', max: '10' }, none)).toEqual({ max: 'deals.problem.maxBelowMin' });
    expect(adProblems({ ...draft, min: '101' }, none)).toEqual({ min: 'deals.problem.aboveNumber' });
    expect(adProblems({ ...draft, min: '10', max: '101' }, none)).toEqual({ max: 'deals.problem.aboveNumber' });
    expect(adProblems({ ...draft, min: '10', max: '100' }, none)).toEqual({});
    expect(adProblems(draft, { ...none, needsLimits: true })).toEqual({
      min: 'deals.problem.min',
      max: 'deals.problem.max',
    });
  });
});
