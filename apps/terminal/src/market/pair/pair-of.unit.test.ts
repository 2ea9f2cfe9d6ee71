import { expect, test } from '@jest/globals';
import type { QuotationItem } from '@bourse/contract';
import { idsIn, pairOf } from './pair-of.js';

const pair = (legal_id: number, currency_id: number): QuotationItem =>
  ({ legal_id, currency_id, symbol: `${currency_id}/${legal_id}` }) as QuotationItem;
const PAIRS = [pair(3, 1), pair(3, 2), pair(1, 2)];
const NONE = { legalId: 0, currencyId: 0 };
const shown = (named: object, last: object = NONE): string | undefined =>
  pairOf(PAIRS, { ...NONE, ...named }, { ...NONE, ...last })?.symbol;

test('the address names the pair, whatever was shown last [SPOTVIEW-060]', () => {
  expect(shown({ legalId: 1, currencyId: 2 }, { legalId: 3, currencyId: 1 })).toBe('2/1');
  expect(shown({ currencyId: 2 }, { legalId: 1, currencyId: 2 })).toBe('2/3');
});

test('an address that names none shows the pair shown last, else the first [SPOTVIEW-060]', () => {
  expect([shown({}, { legalId: 1, currencyId: 2 }), shown({})]).toEqual(['2/1', '1/3']);
  expect(shown({ legalId: 9, currencyId: 9 }, { legalId: 3, currencyId: 2 })).toBe('2/3');
  expect(pairOf([], NONE, NONE)).toBeUndefined();
});

test('an invalid id counts as absent [SPOTVIEW-060]', () => {
  expect(idsIn(new URLSearchParams('legalId=3&currencyId=12'))).toEqual({ legalId: 3, currencyId: 12 });
  expect(idsIn(new URLSearchParams('legalId=-3&currencyId=BTC'))).toEqual(NONE);
});
