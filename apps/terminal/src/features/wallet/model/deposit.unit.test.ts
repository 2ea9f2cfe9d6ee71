import { expect, test } from '@jest/globals';
import type { CoinBalance, Deposit } from '@bourse/contract';
import { arriving, coinOfQuery, hasNetwork, missingToMinimum, namedAddresses, progressOf } from './deposit.js';

const coins = [
  { currency: 1, currency_name: 'BTC' },
  { currency: 3, currency_name: 'USDT' },
  { currency: 4, currency_name: 'XRP' },
] as CoinBalance[];

test('the page’s address names the coin by id, or by name; USDT when it names none [WALLETVIEW-020]', () => {
  expect(
    [
      coinOfQuery(coins, '4', 'BTC'),
      coinOfQuery(coins, null, 'BTC'),
      coinOfQuery(coins, null, '4'),
      coinOfQuery(coins, '99', null),
      coinOfQuery([], null, null),
    ].map((coin) => coin?.currency_name),
  ).toEqual(['XRP', 'BTC', 'XRP', 'USDT', undefined]);
});

test('confirmations fill blocks up to the required number; a later state is full [WALLETVIEW-021]', () => {
  expect([
    progressOf({ confirmations: 2, needed: 6, state: 'seen' }),
    progressOf({ confirmations: 9, needed: 6, state: 'seen' }),
    progressOf({ confirmations: 0, needed: 6, state: 'credited' }),
    progressOf({ confirmations: 0, needed: 0, state: 'seen' }),
  ]).toEqual([
    { filled: 2, of: 6 },
    { filled: 6, of: 6 },
    { filled: 6, of: 6 },
    { filled: 0, of: 1 },
  ]);
});

test('held deposits of a coin add up to its minimum, exactly [WALLETVIEW-022]', () => {
  const rows = [
    { currency: 3, state: 'held', amount: '40.10000000' },
    { currency: 3, state: 'held', amount: '0.2' },
    { currency: 3, state: 'credited', amount: '500' },
    { currency: 1, state: 'held', amount: '9' },
  ] as Deposit[];
  expect(missingToMinimum(rows, 3, '100')).toEqual({ held: '40.3', missing: '59.7' });
  expect(missingToMinimum(rows, 3, '40.3')).toEqual({ held: '40.3', missing: '0' });
  expect(missingToMinimum([], 3, '100.50')).toEqual({ held: '0', missing: '100.5' });
});

test('a coin without networks neither comes nor goes; lists ask again while something arrives [WALLETVIEW-023]', () => {
  expect(hasNetwork({ type_data: [] })).toBe(false);
  expect(hasNetwork(undefined)).toBe(false);
  expect(arriving([{ state: 'seen' }])).toBe(true);
  expect(arriving([{ state: 'held' }, { state: 'credited' }])).toBe(false);
  expect(
    namedAddresses({ currency_id: 3, name: 'USDT', addressErc: '0xa', ercName: 'ERC20', addressTrc: '', trcName: '' }),
  ).toEqual([{ name: 'ERC20', address: '0xa' }]);
});
