import { describe, expect, test } from '@jest/globals';
import { decode, LedgerCommandV1, SpotPlaceLinkedV1, type Message } from '@bourse/events';
import { BUY, SELL, type Order } from '@bourse/matching';
import { BTC_USDT, sampleOrder } from '@bourse/matching/samples';
import { droppedExit, exitsOf } from './exits.js';
import { placeTermsOf } from './order-messages.js';

/** 0.01 BTC, done with so many lots filled. */
const done = (terms: Partial<Order>): Order => ({
  ...sampleOrder({
    id: '7',
    clientOrderId: 'mine',
    selfTrade: 1,
    price: 5_000_000,
    quantity: 10_000,
    placedAt: 1,
    takeProfit: 5_500_000,
    stopLoss: 4_500_000,
  }),
  status: 2,
  updatedAt: 9,
  ...terms,
});
function placed(order: Order): {
  amount: unknown;
  currency: number;
  terms: Partial<Order>;
  stop: Partial<Order> | null;
} {
  let next = 100;
  const exits = exitsOf(BTC_USDT, order, { partition: 2, ledgerPartitions: 3, newId: () => String(++next) });
  if (!exits || !('emission' in exits)) throw new Error('nothing is placed');
  const command = decode(LedgerCommandV1, exits.emission.message as Message);
  if (!command.ok) throw new Error(command.error);
  const { journals, forward, onBehalfOf, commandId } = command.body;
  expect([onBehalfOf, commandId, forward?.topic, forward?.partition]).toEqual([100_001, undefined, 'spot.commands', 2]);
  expect(journals[0]?.id).toBe('order:101:hold');
  const { amount, currency } = journals[0]?.legs[0] ?? { amount: '', currency: 0 };
  const read = decode(SpotPlaceLinkedV1, forward?.message as Message);
  if (!read.ok) throw new Error(read.error);
  const { terms, stopLeg } = placeTermsOf(BTC_USDT, read.body, '1', BTC_USDT);
  return { amount, currency, terms, stop: stopLeg };
}

describe('the exits of an order', () => {
  test('of a buy sell its fills after the fee, down to a lot, under one hold [SPOT-249]', () => {
    const { amount, currency, terms, stop } = placed(done({ filled: 10_000, fee: 1_001n }));
    expect([amount, currency]).toEqual([{ max: '0.00998900', min: '0' }, 1]);
    const both = { side: SELL, quantity: 9_989, parentId: '7', clientOrderId: '', selfTrade: 1, placedAt: 9 };
    expect(terms).toMatchObject({ ...both, id: '101', linkId: '102', type: 'limit', price: 5_500_000, takeProfit: 0 });
    expect(stop).toMatchObject({ ...both, id: '102', linkId: '101', type: 'stop_market', stopPrice: 4_500_000 });
  });

  test('of a sell buy back the sold amount, and hold the larger need [SPOT-249]', () => {
    const sell = { side: SELL, takeProfit: 4_500_000, stopLoss: 5_500_000, filled: 4_000, fee: 77n } as const;
    const { amount, currency, terms } = placed(done(sell));
    // 0.004 at 55,000, and the band of the market more.
    expect([amount, currency]).toEqual([{ max: '231.00000000', min: '0' }, 3]);
    expect(terms).toMatchObject({ side: BUY, quantity: 4_000, price: 4_500_000 });
  });

  test('are one order without a link when only one price is given [SPOT-249]', () => {
    const profit = placed(done({ filled: 10_000, stopLoss: 0 }));
    expect([profit.terms.type, profit.terms.linkId, profit.stop]).toEqual(['limit', '', null]);
    const loss = placed(done({ filled: 10_000, takeProfit: 0 }));
    expect([loss.terms.type, loss.terms.price, loss.terms.stopPrice]).toEqual(['stop_market', 0, 4_500_000]);
  });

  test('are none without a fill, and less than a lot gives a notice to their owner [SPOT-250]', () => {
    const targets = { partition: 0, ledgerPartitions: 1, newId: () => '1' };
    expect(exitsOf(BTC_USDT, done({ filled: 0 }), targets)).toBeNull();
    expect(exitsOf(BTC_USDT, done({ filled: 10_000, takeProfit: 0, stopLoss: 0 }), targets)).toBeNull();
    expect(exitsOf(BTC_USDT, done({ filled: 1, fee: 1n }), targets)).toEqual({
      dropped: {
        userId: 100_001,
        id: 'order:7:exits',
        kind: 'exitsDropped',
        params: { symbol: 'BTC/USDT' },
        link: '/accountEntrust',
        at: 9,
      },
    });
  });

  test('that lose their cover give one notice; an OCO pair that is no exit gives none [SPOT-250]', () => {
    const ended = (terms: Partial<Order>): Order => done({ reason: 'balance', parentId: '5', ...terms });
    expect(droppedExit(BTC_USDT, ended({}))).toMatchObject({ id: 'order:5:exits', kind: 'exitsDropped' });
    // As it does where its market is not open when it arrives.
    expect(droppedExit(BTC_USDT, ended({ reason: 'operator' }))).toMatchObject({ kind: 'exitsDropped' });
    expect(droppedExit(BTC_USDT, ended({ parentId: '' }))).toBeNull();
    expect(droppedExit(BTC_USDT, ended({ reason: 'user' }))).toBeNull();
  });
});
