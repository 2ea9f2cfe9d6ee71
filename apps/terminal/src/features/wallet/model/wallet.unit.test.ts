import { describe, expect, test } from '@jest/globals';
import type { CoinBalance } from '@bourse/contract';
import { accountOfPath, accountsOf, amountToSend, coinRow, transferProblem } from './wallet.js';

const coin = {
  currency: 3,
  currency_name: 'USDT',
  change_balance: '0.1',
  lock_change_balance: '0.2',
  legal_balance: '0',
  lock_legal_balance: '0',
  usdt_price: '3',
  is_legal: 1,
  is_lever: 0,
  is_micro: 1,
} as CoinBalance;

test('converted value is exact, on available and frozen together', () => {
  expect(coinRow(coin, 'change')).toEqual({
    currency: 3,
    name: 'USDT',
    available: '0.1',
    frozen: '0.2',
    converted: '0.90000000',
    zero: false,
  });
  expect(coinRow(coin, 'legal').zero).toBe(true);
});

test('a coin moves only between accounts that may hold it', () => {
  expect(accountsOf(coin)).toEqual(['change', 'legal', 'micro']);
});

describe('amounts', () => {
  test('go out in the grammar of the contract', () => {
    expect([
      amountToSend('.5'),
      amountToSend('5.'),
      amountToSend('007'),
      amountToSend('0.00'),
      amountToSend(''),
    ]).toEqual(['0.5', '5', '7', '', '']);
  });
});

test('each asset address is about one account, nested or alone, in any spelling [WALLETVIEW-003]', () => {
  expect(
    [
      '/finance',
      '/new_account/dealFinance',
      '/legal',
      '/new_account/lever',
      '/micro',
      '/dealAccount',
      '/new_account/legalAccount',
      '/microAccount',
      '/transferLegal',
      '/transferLever',
      '/transfermicro',
      '/new_account/transferMicro',
      '/transfer',
    ].map(accountOfPath),
  ).toEqual([
    'change',
    'change',
    'legal',
    'lever',
    'micro',
    'change',
    'legal',
    'micro',
    'legal',
    'lever',
    'micro',
    'micro',
    'change',
  ]);
});

test('a transfer of more than there is is refused before it is asked [WALLETVIEW-004]', () => {
  expect([
    transferProblem('', '1'),
    transferProblem('99999999', '15578.37'),
    transferProblem('15578.370000001', '15578.37'),
    transferProblem('15578.37', '15578.37000000'),
    transferProblem('1', undefined),
  ]).toEqual(['transfer.amountRequired', 'balance.insufficient', 'balance.insufficient', undefined, undefined]);
});
