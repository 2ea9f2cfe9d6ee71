import { expect, test } from '@jest/globals';
import { applyProblems, firstShown, freeCoins, moveProblems } from './shops.js';

test('an application needs a name of 2 to 30 characters and the fund password [SHOPUI-001]', () => {
  expect(applyProblems({ name: ' a ', password: '' })).toEqual({ name: 'shops.nameRule', password: 'fund.format' });
  expect(applyProblems({ name: '港口', password: 'fund66' })).toEqual({});
  expect(applyProblems({ name: 'x'.repeat(31), password: 'fund66' })).toEqual({ name: 'shops.nameRule' });
});

test('a transfer is positive and at most the balance [SHOPUI-002]', () => {
  expect(moveProblems({ number: '0.0', password: 'fund66' }, '10')).toEqual({ number: 'shops.amountRequired' });
  expect(moveProblems({ number: '10.00000001', password: 'fund66' }, '10')).toEqual({ number: 'shops.balance' });
  expect(moveProblems({ number: '10', password: 'fund66' }, '10.0')).toEqual({});
  expect(moveProblems({ number: '99', password: 'fund66' }, undefined)).toEqual({});
});

test('a second shop is offered for coins without one, and again after a refusal [SHOPUI-003]', () => {
  const coins = [{ id: 1 }, { id: 2 }, { id: 3 }];
  expect(
    freeCoins(coins, [
      { currency_id: 3, status: 1 },
      { currency_id: 1, status: 0 },
      { currency_id: 2, status: 2 },
    ]),
  ).toEqual([{ id: 2 }]);
});

test('an open shop is shown before one that was refused or waits [SHOPUI-004]', () => {
  const [refused, open, waiting] = [{ status: 2 }, { status: 1 }, { status: 0 }] as const;
  expect([firstShown([refused, open]), firstShown([waiting, refused]), firstShown([])]).toEqual([
    open,
    waiting,
    undefined,
  ]);
});
