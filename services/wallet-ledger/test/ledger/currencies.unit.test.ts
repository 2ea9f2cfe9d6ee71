import { expect, test } from '@jest/globals';
import { SEED_CURRENCIES, type CurrencyRow } from '@bourse/contract';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import type { Reference } from '@bourse/messaging';
import { Currencies, mayHold } from '../../src/ledger/application/currencies.js';

const rows: readonly CurrencyRow[] = [
  ...SEED_CURRENCIES,
  // A catalog that names one of the ledger's own ids is not believed.
  { ...(SEED_CURRENCIES[0] as CurrencyRow), id: INTERNAL_CURRENCIES.PTS.id, name: 'FAKE', scale: 2 },
];
const currencies = new Currencies({
  all: () => rows,
  get: (_: string, id: string) => rows.find((row) => String(row.id) === id),
} as unknown as Reference);

test('points and fiat cash have a scale and a name, and are in no list of coins [LEDGER-055]', () => {
  const { PTS, CSH } = INTERNAL_CURRENCIES;
  expect([currencies.scaleOf(PTS.id), currencies.nameOf(PTS.id)]).toEqual([8, 'PTS']);
  expect([currencies.scaleOf(CSH.id), currencies.nameOf(CSH.id)]).toEqual([2, 'CSH']);
  expect(currencies.all().map(({ id }) => id)).toEqual(SEED_CURRENCIES.map(({ id }) => id));
  expect([currencies.byId(PTS.id), currencies.byId(CSH.id)]).toEqual([undefined, undefined]);
});

test('which coin may be where is a right of the account, checked by the flags of the coin [LEDGER-055]', () => {
  const coin = (name: string): CurrencyRow => SEED_CURRENCIES.find((row) => row.name === name) as CurrencyRow;
  const takes = (name: string): string[] =>
    (
      ['change', 'legal', 'lever', 'micro', 'savings', 'insurance', 'points', 'merchant', 'acceptor', 'quota'] as const
    ).filter((product) => mayHold(coin(name), product));
  expect(takes('USDT')).toEqual(['change', 'legal', 'lever', 'micro', 'savings', 'insurance', 'merchant', 'acceptor']);
  expect(takes('HAP')).toEqual(['change', 'micro', 'savings', 'insurance']);
  expect(takes('XRP')).toEqual(['change', 'savings']);
});
