import { expect, test } from '@jest/globals';
import { INTERNAL_CURRENCIES } from '@bourse/events';
import { toUnits } from '@bourse/money';
import {
  expectAcceptorDealTotals,
  expectDealTotals,
  describeTotals,
  type AuditedAcceptorDeal,
  type AuditedDeal,
} from './expected-totals.js';

const CSH = INTERNAL_CURRENCIES.CSH.id;
const deal = (change: Partial<AuditedDeal>): AuditedDeal => ({
  ...{ id: '7', type: 'sell', ownerId: 1, takerId: 2, sellerAccount: 'merchant', currencyId: 3, scale: 8 },
  ...{ number: toUnits('40', 8), fee: toUnits('0.04', 8), state: 'finished' },
  ...change,
});

test('a finished deal has moved its number to the buyer and its fee to the house [C2C-033]', () => {
  expect(describeTotals(expectDealTotals(deal({})))).toBe(
    '1.merchant -40.04 of currency 3, 2.legal 40 of currency 3, h.fees 0.04 of currency 3',
  );
  expect(describeTotals(expectDealTotals(deal({ type: 'buy', sellerAccount: 'legal', fee: 0n })))).toBe(
    '1.legal 40 of currency 3, 2.legal -40 of currency 3',
  );
});

test('an unfinished or cancelled deal has moved no coins from the seller [C2C-033]', () => {
  for (const state of ['waiting', 'unpaid', 'paid', 'cancelled'] as const)
    expect(describeTotals(expectDealTotals(deal({ state })))).toBe('nothing');
});

test('a confirmed deal with an acceptor has exchanged coins and cash, as in the worked examples [ACC-031]', () => {
  const of = (change: Partial<AuditedAcceptorDeal>): string =>
    describeTotals(
      expectAcceptorDealTotals({
        ...{ type: 'buy', userId: 1, acceptorId: 2, currencyId: 3, scale: 8, state: 'confirmed' },
        ...{ money: toUnits('100', 2), received: toUnits('98', 8), missing: 0n },
        ...change,
      }),
    );
  expect(of({})).toBe(
    `1.legal 98 of currency 3, 2.acceptor -98 of currency 3, 2.quota 100 of currency ${CSH}, ` +
      `h.quota -100 of currency ${CSH}`,
  );
  expect(of({ type: 'sell', received: toUnits('98', 2) })).toBe(
    `1.legal -100 of currency 3, 2.acceptor 100 of currency 3, 2.quota -98 of currency ${CSH}, ` +
      `h.quota 98 of currency ${CSH}`,
  );
  for (const state of ['asking', 'holding', 'open', 'rejected'] as const) expect(of({ state })).toBe('nothing');
});

test('coins that the house paid for a return come out of the capital [HARD-449]', () => {
  const deal: AuditedAcceptorDeal = {
    ...{ type: 'sell', userId: 1, acceptorId: 2, currencyId: 3, scale: 8, state: 'rejected' },
    ...{ money: toUnits('100', 2), received: toUnits('98', 2), missing: toUnits('70', 8) },
  };
  expect(describeTotals(expectAcceptorDealTotals(deal))).toBe(
    '2.acceptor 70 of currency 3, h.capital -70 of currency 3',
  );
  expect(describeTotals(expectAcceptorDealTotals({ ...deal, missing: 0n }))).toBe('nothing');
});
