import { describe, expect, test } from '@jest/globals';
import type { Points } from '@bourse/contract';
import { bindProblems, coinsFor, exchangeProblems, pointsLoginProblems, shownPrice } from './points.js';

const POINTS: Points = {
  jc_integral: '1000.00000000',
  free_jc_integral: '500.00000000',
  jc_exchange_fee: '5',
  jc_price: '0.10',
  market_price: '1.00',
  jc_price_difference: '0.05',
  currency_name: 'HAP',
};

describe('an exchange of points', () => {
  test('shows the price and the value of the typed points, as in the worked example [TERM-JC-001]', () => {
    expect(shownPrice(POINTS)).toBe('1.05');
    expect(coinsFor('200', POINTS)).toBe('18.09');
    expect(coinsFor('200.', POINTS)).toBe('18.09');
    expect(coinsFor('', POINTS)).toBeUndefined();
    expect(coinsFor('0', POINTS)).toBeUndefined();
    expect(coinsFor('1', { ...POINTS, market_price: '0', jc_price_difference: '0' })).toBeUndefined();
  });

  test('asks for an amount above zero, and for no more than can be exchanged [TERM-JC-002]', () => {
    expect(exchangeProblems('', POINTS)).toEqual({ amount: 'points.amountRequired' });
    expect(exchangeProblems('0.0', POINTS)).toEqual({ amount: 'points.amountRequired' });
    expect(exchangeProblems('500.00000001', POINTS)).toEqual({ amount: 'points.notEnough' });
    expect(exchangeProblems('500', POINTS)).toEqual({});
    expect(exchangeProblems('500', undefined)).toEqual({});
  });
});

test('binding and the points login name missing fields [TERM-JC-003]', () => {
  expect(bindProblems({ account: ' ', password: '' })).toEqual({
    account: 'points.accountRequired',
    password: 'points.passwordRequired',
  });
  expect(bindProblems({ account: 'jcdemo', password: 'jcdemo1' })).toEqual({});
  expect(pointsLoginProblems({ account: '', password: '12345' })).toEqual({
    account: 'set.enterAccount',
    password: 'login.psw6',
  });
  expect(pointsLoginProblems({ account: 'trader1@demo.bourse', password: '123456' })).toEqual({});
});
