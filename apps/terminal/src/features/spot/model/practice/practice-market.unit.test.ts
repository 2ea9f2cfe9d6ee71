import { describe, expect, test } from '@jest/globals';
import { PracticeRefusal } from './practice-order.js';
import { limit, practiceOf, printsAt, seconds, START } from './practice-samples.js';

const keyOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof PracticeRefusal) return error.key;
    throw error;
  }
  return '';
};

describe('orders of practice', () => {
  test('[PRACTICE-001] a resting order at its price fills only with what is printed after the quantity ahead', () => {
    // A level has the quantity of a mean minute: here 1 coin of the first print.
    const practice = practiceOf(printsAt([100, 1], [99, 0.6], [99, 0.6], [99, 0.5]));
    practice.runTo(seconds(0));
    practice.place(limit(1, '99', '0.5'));
    practice.runTo(seconds(1));
    expect(practice.open[0]?.filled_amount).toBe('0.0000');
    practice.runTo(seconds(2));
    expect(practice.open[0]?.filled_amount).toBe('0.2000');
    practice.runTo(seconds(3));
    expect(practice.open).toEqual([]);
    expect(practice.fills.map(({ number, price, role }) => [number, price, role])).toEqual([
      ['0.2000', '99.00', 'maker'],
      ['0.3000', '99.00', 'maker'],
    ]);
  });

  test('[PRACTICE-002] a print through the price of a resting order fills it whole, at its own price', () => {
    const practice = practiceOf(printsAt([100, 1], [98.5, 0.0001]));
    practice.runTo(seconds(0));
    practice.place(limit(1, '99', '2'));
    practice.runTo(seconds(1));
    expect(practice.fills.map(({ number, price }) => [number, price])).toEqual([['2.0000', '99.00']]);
    // 2 coins less the maker fee of 0.1 percent, for 198 of the quote.
    expect(practice.account.free).toEqual({ quote: START - 198n * 10n ** 8n, base: 199_800_000n });
  });

  test('[PRACTICE-003] a market order pays the spread of the replayed book and the taker fee', () => {
    const practice = practiceOf(printsAt([100, 1], [100, 1]));
    practice.runTo(seconds(1));
    const { asks, bids } = practice.offered();
    expect([bids[0]?.[0], asks[0]?.[0]]).toEqual([9_998, 10_002]);
    const order = practice.place({ type: 1, order_type: 'market', amount: '0.5' });
    expect([order.status, order.trade_price, order.fee]).toEqual([2, '100.02', '0.00100000']);
    expect(practice.fills[0]?.role).toBe('taker');
  });

  test('[PRACTICE-003] a market order that the book cannot fill is filled in part and its rest cancelled', () => {
    const practice = practiceOf(printsAt([100, 1]));
    practice.runTo(seconds(0));
    const order = practice.place({ type: 1, order_type: 'market', amount: '50' });
    expect([order.cancelled, order.cancel_reason, order.filled_amount]).toEqual([1, 'market', '20.0000']);
    expect(practice.account.total('quote')).toBe(practice.account.free.quote);
  });

  test('[PRACTICE-004] a stop waits for a print at its trigger and then takes from the book below it', () => {
    const practice = practiceOf(printsAt([100, 5], [100, 5], [97.5, 1], [97, 1], [96, 1]));
    practice.runTo(seconds(1));
    practice.place({ type: 1, order_type: 'market', amount: '1' });
    practice.place({ type: 2, order_type: 'stop_market', stop_price: '97', amount: '0.9' });
    practice.runTo(seconds(2));
    expect(practice.open).toHaveLength(1);
    practice.runTo(seconds(3));
    expect(practice.open).toEqual([]);
    expect(practice.fills.at(-1)).toMatchObject({ type: 2, price: '96.99', role: 'taker' });
  });

  test('[PRACTICE-004] a triggered stop limit rests behind a level, and fills as a resting order', () => {
    const practice = practiceOf(printsAt([100, 1], [98, 0.2], [98.5, 1.2], [98.6, 0.1]));
    practice.runTo(seconds(0));
    practice.place({ type: 1, order_type: 'market', amount: '1' });
    practice.place({ type: 2, order_type: 'stop_limit', stop_price: '98', target_price: '98.5', amount: '0.5' });
    practice.runTo(seconds(1));
    expect(practice.open[0]).toMatchObject({ triggered: 1, filled_amount: '0.0000' });
    practice.runTo(seconds(2));
    expect(practice.fills.filter(({ type }) => type === 2)).toEqual([]);
    practice.runTo(seconds(3));
    expect(practice.fills.at(-1)).toMatchObject({ type: 2, price: '98.50', number: '0.5000', role: 'maker' });
  });

  test('[PRACTICE-005] post-only, fill or kill, the least total and the balance are judged as on the exchange', () => {
    const practice = practiceOf(printsAt([100, 1]));
    practice.runTo(seconds(0));
    const postOnly = practice.place({ ...limit(1, '101', '1'), post_only: 1 });
    expect(postOnly.cancel_reason).toBe('post_only');
    const killed = practice.place({ ...limit(1, '100.02', '5'), time_in_force: 'FOK' });
    expect([killed.cancel_reason, killed.filled_amount]).toEqual(['fok', '0.0000']);
    expect(keyOf(() => practice.place(limit(1, '100', '0.001')))).toBe('quantity.ruleMin');
    expect(keyOf(() => practice.place(limit(1, '100', '101')))).toBe('balance.insufficient');
    expect(keyOf(() => practice.place(limit(2, '100', '1')))).toBe('balance.insufficient');
    expect(keyOf(() => practice.place(limit(1, '100.001', '1')))).toBe('cuy.pbPrice');
    expect(keyOf(() => practice.place({ type: 2, order_type: 'stop_market', stop_price: '101', amount: '1' }))).toBe(
      'trade.stopPrice',
    );
    expect(practice.account.free).toEqual({ quote: START, base: 0n });
  });

  test('[PRACTICE-005] the legs of a pair share one hold, and the exits of a buy close what it received', () => {
    const practice = practiceOf(printsAt([100, 1], [103, 1], [106, 1]));
    practice.runTo(seconds(0));
    practice.place({ type: 1, order_type: 'market', amount: '1', take_profit: '105', stop_loss: '90' });
    expect(practice.open.map(({ order_type, trade_amount }) => [order_type, trade_amount])).toEqual([
      ['stop_market', '0.9980'],
      ['limit', '0.9980'],
    ]);
    expect(practice.account.free.base).toBe(0n);
    practice.runTo(seconds(2));
    expect(practice.open).toEqual([]);
    expect(practice.fills.at(-1)).toMatchObject({ type: 2, price: '105.00', number: '0.9980' });
  });

  test('[PRACTICE-005] a moved order waits behind its new level; a cancelled one gives its hold back', () => {
    const practice = practiceOf(printsAt([100, 1], [99, 0.9], [98, 0.9]));
    practice.runTo(seconds(0));
    const { id } = practice.place(limit(1, '99', '1'));
    practice.move(id, '98');
    practice.runTo(seconds(2));
    expect(practice.open[0]).toMatchObject({ target_price: '98.00', filled_amount: '0.0000' });
    expect(practice.cancel(id)?.cancel_reason).toBe('user');
    expect(practice.account.free.quote).toBe(START);
    expect(practice.cancel(id)).toBeUndefined();
    expect(keyOf(() => practice.move(id, '97'))).toBe('trade.notOpen');
  });

  test('[PRACTICE-005] before the first print there is no market to trade with', () => {
    const practice = practiceOf([]);
    expect(keyOf(() => practice.place(limit(1, '100', '1')))).toBe('trade.bookEmpty');
    expect(practice.offered()).toEqual({ bids: [], asks: [] });
  });
});
