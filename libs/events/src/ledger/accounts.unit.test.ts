import { expect, test } from '@jest/globals';
import {
  ACCOUNTS,
  accountsWhere,
  callerOf,
  decode,
  HOUSE_ACCOUNTS,
  INTERNAL_CURRENCIES,
  isInternalCurrency,
  ISSUER_NAMES,
  LEDGER_SENDERS,
  LedgerCommandV1,
  mayGoNegative,
  mayLieIn,
  PRODUCTS,
  type LedgerCommand,
} from '../index.js';

const USDT = 3;
const { PTS, CSH } = INTERNAL_CURRENCIES;

test('only the world, clearing, quota, and points in points may be below zero (rules §1) [LEDGER-050]', () => {
  const below = (currency: number): string[] => Object.keys(ACCOUNTS).filter((name) => mayGoNegative(name, currency));
  expect(below(USDT)).toEqual(['h.outside', 'h.clearing', 'h.quota']);
  expect(below(PTS.id)).toEqual(['h.outside', 'h.clearing', 'h.points', 'h.quota']);
  expect(below(CSH.id)).toEqual(['h.outside', 'h.clearing', 'h.quota']);
  expect(mayGoNegative('nothing', USDT)).toBe(false);
});

test('only their accounts may hold points and fiat cash, and those hold no coins [LEDGER-050]', () => {
  const takes = (currency: number): string[] => Object.keys(ACCOUNTS).filter((name) => mayLieIn(name, currency));
  expect(takes(PTS.id)).toEqual(['points', 'h.points']);
  expect(takes(CSH.id)).toEqual(['quota', 'h.quota']);
  expect(takes(USDT)).toEqual(Object.keys(ACCOUNTS).filter((name) => !['points', 'quota', 'h.quota'].includes(name)));
  expect(takes(900_777)).toEqual([]);
  expect([PTS.id, CSH.id, USDT].map(isInternalCurrency)).toEqual([true, true, false]);
});

test('the products and the accounts of the house are those of the rules §1 [LEDGER-050]', () => {
  expect(PRODUCTS).toEqual([
    'change',
    'legal',
    'lever',
    'micro',
    'savings',
    'insurance',
    'points',
    'merchant',
    'acceptor',
    'quota',
  ]);
  expect([...HOUSE_ACCOUNTS].sort()).toEqual(
    [
      'fees',
      'outside',
      'clearing',
      'capital',
      'lever',
      'lever_fund',
      'micro',
      'savings',
      'insurance',
      'points',
      'suspense',
      'quota',
    ]
      .map((name) => `h.${name}`)
      .sort(),
  );
  expect(accountsWhere(({ transfers }) => transfers)).toEqual(['change', 'legal', 'lever', 'micro']);
});

test('a command names the user on whose behalf it is given, and old messages are read as before [LEDGER-054]', () => {
  const command = (fields: Partial<LedgerCommand>): LedgerCommand => {
    const read = decode(LedgerCommandV1, {
      type: LedgerCommandV1.name,
      key: '7',
      body: { issuer: 'spot-matching', userId: 7, journals: [], ...fields },
    });
    if (!read.ok) throw new Error(read.error);
    return read.body;
  };
  expect(callerOf(command({ commandId: 'a', onBehalfOf: 7 }))).toBe(7);
  expect(callerOf(command({ commandId: 'a', onBehalfOf: null }))).toBeNull();
  expect(callerOf(command({ onBehalfOf: 7 }))).toBe(7);
  // Messages of versions that did not know the field.
  expect(callerOf(command({ commandId: 'a' }))).toBe(7);
  expect(callerOf(command({}))).toBeNull();
  expect(callerOf(command({ commandId: 'a', issuer: 'seed' }))).toBeNull();
  expect(callerOf(command({ commandId: 'a', issuer: 'operator' }))).toBeNull();
});

test('a service sends in names that the table of rights has [LEDGER-052]', () => {
  const named = Object.values(LEDGER_SENDERS).flatMap(({ issuers }) => issuers);
  expect(named.filter((name) => !(ISSUER_NAMES as readonly string[]).includes(name))).toEqual([]);
});
