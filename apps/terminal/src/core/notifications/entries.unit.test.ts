import { describe, expect, test } from '@jest/globals';
import type { Deposit, SpotOrder, Withdrawal } from '@bourse/contract';
import { allRead, unreadOf, withEntry } from './entries.js';
import { acceptedNews, depositNews, identityNews, orderNews, withdrawalNews } from './news.js';

const order: SpotOrder = {
  id: '7',
  client_order_id: '',
  created_at: '2026-01-02 03:04:05',
  updated_at: '2026-01-02 03:04:05',
  symbol: 'BTC/USDT',
  legal_id: 3,
  currency_id: 1,
  legal_name: 'USDT',
  currency_name: 'BTC',
  type: 1,
  order_type: 'limit',
  time_in_force: 'GTC',
  post_only: 0,
  stop_price: '0',
  triggered: 0,
  status: 1,
  cancelled: 0,
  cancel_reason: '',
  trade_amount: '0.05',
  filled_amount: '0',
  target_price: '55830',
  trade_price: '0',
  fee: '0',
  fee_currency: '',
};
const filled: SpotOrder = {
  ...order,
  status: 2,
  filled_amount: '0.05',
  trade_price: '55830',
  fee: '0.00005',
  fee_currency: 'BTC',
};
const scales = { price_scale: 2, number_scale: 4 };

describe('what is told [NOTE-005]', () => {
  test('an order and its fill are one entry, with mean price and fee', () => {
    const told = orderNews(filled, true, scales);
    expect(told).toMatchObject({
      key: 'fill.bought',
      params: { amount: '0.0500', coin: 'BTC', price: '55,830.00' },
      detail: { key: 'told.fee', params: { fee: '0.00005', coin: 'BTC' } },
    });
    expect(acceptedNews(order, scales).id).toBe(told?.id);
  });

  test('what the person did is no news, what the exchange did is', () => {
    const ended = { ...order, status: 2, cancelled: 1 } as const;
    expect(orderNews(order, false)).toBeUndefined();
    expect(orderNews({ ...ended, cancel_reason: 'user' }, false)).toBeUndefined();
    expect(orderNews({ ...ended, cancel_reason: 'fok' }, false)?.key).toBe('cancelReason.fok');
  });

  test('a deposit is told when it is money, kept or sent back, not when it is only seen', () => {
    const deposit = { id: '1', amount: '1200.500', currency_name: 'USDT' } as Deposit;
    const keyOf = (state: Deposit['state']) => depositNews({ ...deposit, state })?.key;
    expect(['seen', 'held', 'credited', 'returned'].map((state) => keyOf(state as Deposit['state']))).toEqual([
      undefined,
      'told.depositHeld',
      'told.deposit',
      'told.depositReturned',
    ]);
    expect(depositNews({ ...deposit, state: 'credited' })?.params).toEqual({ amount: '1,200.5', coin: 'USDT' });
  });

  test('a failed withdrawal stays until it is read', () => {
    const withdrawal = { id: '1', number: '5', currency_name: 'USDT' } as Withdrawal;
    expect(withdrawalNews({ ...withdrawal, state: 'failed' })?.tone).toBe('error');
    expect(withdrawalNews({ ...withdrawal, state: 'review' })).toBeUndefined();
  });

  test('papers are told when a decision falls', () => {
    expect([identityNews(1, 2)?.key, identityNews(1, 0)?.key, identityNews(1, 1), identityNews(0, 2)]).toEqual([
      'told.identityPassed',
      'told.identityRefused',
      undefined,
      undefined,
    ]);
  });

  test('an entry takes the place of the one with its id, and reading them empties the badge', () => {
    const entry = (id: string) => ({ id, key: 'k', params: {}, tone: 'done' as const, at: 1, to: '/', read: false });
    const entries = withEntry(withEntry(withEntry([], entry('a')), entry('b')), entry('a'));
    expect(entries.map(({ id }) => id)).toEqual(['a', 'b']);
    expect([unreadOf(entries), unreadOf(allRead(entries))]).toEqual([2, 0]);
  });
});
