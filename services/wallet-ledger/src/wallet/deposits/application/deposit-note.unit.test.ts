import { expect, test } from '@jest/globals';
import { SEED_NETWORKS, type NetworkRow } from '@bourse/contract';
import { translate } from '@bourse/i18n';
import { depositNote } from './deposit-note.js';

const trc20 = SEED_NETWORKS.find(({ type }) => type === 'TRC20') as NetworkRow;
const isolated = '\u2066100\u2069';

test('depositors read the text of the operator in their language, else in English [SETTING-035]', () => {
  const note = { en: '{{amount}} {{coin}} on {{network}}', de: 'Ab {{needed}}' };
  const told = (lang: string): string => depositNote({ ...trc20, note }, 'USDT', lang);
  expect(told('de')).toBe('Ab 6');
  for (const lang of ['en', 'fr']) expect(told(lang)).toBe(`${isolated} USDT on TRC20`);
});

test("without an operator's text the exchange's own text is used, with the row's figures [SETTING-035]", () => {
  const told = depositNote({ ...trc20, minDeposit: '250.50', confirmations: 12 }, 'USDT', 'de');
  expect(told.split('\n')).toEqual([
    translate('de', 'wallet.noteArrival', { needed: 12 }),
    translate('de', 'wallet.noteMinimum', { amount: '\u2066250.5\u2069', coin: 'USDT' }),
  ]);
  expect(depositNote({ ...trc20, minDeposit: '0.00' }, 'USDT', 'en')).toContain('There is no minimum');
});
