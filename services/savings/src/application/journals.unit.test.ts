import { describe, expect, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import type { Agreement } from '../domain/subscription.js';
import { cancelOrder, matureOrder, subscribeOrder } from './journals.js';

const AGREEMENT: Agreement = {
  id: '42',
  userId: 100001,
  currencyId: 3,
  currencyName: 'USDT',
  scale: 8,
  amount: 100_000_000_000n,
  day: 30,
  rate: percent('0.7'),
  cancelRate: 0n,
  profit: 700_000_000n,
};
const PERSON = '100001.savings*#savings:42';
const HOUSE = 'h.savings*#savings:42';
const legs = ({ journals }: ReturnType<typeof subscribeOrder>): string[] =>
  journals.flatMap((journal) => journal.legs.map(({ from, to, amount }) => `${from} → ${to} ${amount as string}`));

describe('journals of a term', () => {
  test('hold the profit of the house and then the amount of the person, for the person [SAVE-003]', () => {
    const order = subscribeOrder(AGREEMENT);
    expect(order).toMatchObject({ issuer: 'savings', userId: 100001, onBehalfOf: 100001 });
    expect(order.journals.map(({ id, causeType, causeId }) => [id, causeType, causeId])).toEqual([
      ['savings:42:subscribe', 'savings', '42'],
    ]);
    expect(legs(order)).toEqual([`h.savings → ${HOUSE} 7.00000000`, `100001.change → ${PERSON} 1000.00000000`]);
  });

  test('pay both to the person at the end [SAVE-003]', () => {
    expect(matureOrder(AGREEMENT)).toMatchObject({ onBehalfOf: null, journals: [{ id: 'savings:42:mature' }] });
    expect(legs(matureOrder(AGREEMENT))).toEqual([`${PERSON} → 100001.change rest`, `${HOUSE} → 100001.change rest`]);
  });

  test('return both at a cancel, less the fee, which is marked as one [SAVE-003]', () => {
    expect(legs(cancelOrder(AGREEMENT))).toEqual([`${PERSON} → 100001.change rest`, `${HOUSE} → h.savings rest`]);
    const costly = cancelOrder({ ...AGREEMENT, cancelRate: percent('0.3') });
    expect(legs(costly)).toEqual([
      `${PERSON} → h.fees 3.00000000`,
      `${PERSON} → 100001.change rest`,
      `${HOUSE} → h.savings rest`,
    ]);
    expect(costly.journals[0]?.legs.map(({ fee }) => fee ?? false)).toEqual([true, false, false]);
  });

  test('have no leg that moves nothing [SAVE-003]', () => {
    const barren = { ...AGREEMENT, profit: 0n };
    expect(legs(subscribeOrder(barren))).toEqual([`100001.change → ${PERSON} 1000.00000000`]);
    expect(legs(matureOrder(barren))).toEqual([`${PERSON} → 100001.change rest`]);
    expect(legs(cancelOrder({ ...barren, cancelRate: percent('100') }))).toEqual([`${PERSON} → h.fees 1000.00000000`]);
  });
});
