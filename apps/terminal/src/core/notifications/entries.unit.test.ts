import { describe, expect, test } from '@jest/globals';
import type {
  Deposit,
  Insurance,
  LeverClosedPush,
  LeverPosition,
  MicroOrder,
  SpotOrder,
  Withdrawal,
} from '@bourse/contract';
import { withEntry } from './entries.js';
import { leverNews, microNews, policyNews } from './house-news.js';
import { acceptedNews, depositNews, identityNews, orderNews, withdrawalNews } from './news.js';

const order: SpotOrder = {
  id: '7',
  client_order_id: '',
  created_at: '2026-01-02 03:04:05',
  updated_at: '2026-01-02 03:04:05',
  ts: 1_767_323_045_000,
  updated_ts: 1_767_323_045_000,
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
  link_id: '',
  parent_id: '',
  take_profit: '0.00',
  stop_loss: '0.00',
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

describe('reported events [NOTE-005]', () => {
  test('an order and its fill are one entry, with mean price and fee', () => {
    const told = orderNews(filled, true, scales);
    expect(told).toMatchObject({
      key: 'fill.bought',
      params: { amount: '0.0500', coin: 'BTC', price: '55,830.00' },
      detail: { key: 'told.fee', params: { fee: '0.00005', coin: 'BTC' } },
    });
    expect(acceptedNews(order, scales).id).toBe(told?.id);
  });

  test('a leg that its pair has ended has no message, an exit without cover has one [NOTE-008]', () => {
    const ended: SpotOrder = { ...order, status: 2, cancelled: 1, cancel_reason: 'oco' };
    expect(orderNews(ended, false, scales)).toBeUndefined();
    expect(orderNews({ ...ended, cancel_reason: 'balance' }, false, scales)).toMatchObject({
      key: 'cancelReason.balance',
    });
  });

  test('a waiting stop is announced with its trigger price, a triggered one as an order [NOTE-008]', () => {
    const stop: SpotOrder = { ...order, order_type: 'stop_market', stop_price: '56977', type: 2 };
    expect(acceptedNews(stop, scales)).toMatchObject({
      key: 'told.stopWaits',
      params: { stop: '56,977.00' },
      detail: { key: 'told.sellMarket', params: { amount: '0.0500', coin: 'BTC' } },
    });
    expect(acceptedNews({ ...stop, order_type: 'stop_limit' }, scales)).toMatchObject({
      key: 'told.stopWaits',
      detail: { key: 'told.sellLimit', params: { price: '55,830.00' } },
    });
    expect(acceptedNews({ ...stop, triggered: 1 }, scales)).toMatchObject({ key: 'told.accepted' });
  });

  test('actions of the person are not reported, actions of the exchange are', () => {
    const ended = { ...order, status: 2, cancelled: 1 } as const;
    expect(orderNews(order, false)).toBeUndefined();
    expect(orderNews({ ...ended, cancel_reason: 'user' }, false)).toBeUndefined();
    expect(orderNews({ ...ended, cancel_reason: 'fok' }, false)?.key).toBe('cancelReason.fok');
  });

  test('a deposit has a message when it is money, kept or sent back, not when it is only seen', () => {
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

  test('a withdrawal that an operator rejects is reported, one that the person cancels is not [NOTE-005]', () => {
    const withdrawal = { id: '1', number: '5', currency_name: 'USDT', state: 'cancelled' } as Withdrawal;
    expect(withdrawalNews({ ...withdrawal, reason: 'the address is not yours' })).toMatchObject({
      key: 'told.withdrawalFailed',
      tone: 'error',
    });
    expect(withdrawalNews({ ...withdrawal, reason: '' })).toBeUndefined();
  });

  const pushed = (kind: LeverClosedPush['closed_type'], ...ids: string[]): LeverClosedPush => ({
    type: 'lever_closed',
    ids,
    legal_id: 3,
    closed_type: kind,
    ts: 1,
    user_seq: 1,
  });
  const closed = (id: string, profits: string) =>
    ({ id, profits, symbol: 'BTC/USDT', multiple: 20, legal: 'USDT' }) as LeverPosition;

  test('the message of a closed position has its cause and its result; a liquidation stays until it is read', () => {
    const rows = [closed('8', '1'), closed('9', '-300.30000000')];
    expect(leverNews(pushed(2, '9'), rows)).toEqual({
      id: 'lever 9',
      key: 'told.lever.2',
      params: { what: '\u2066BTC/USDT 20×\u2069' },
      detail: { key: 'told.result', params: { amount: '\u2066-300.3 USDT\u2069' } },
      tone: 'error',
      to: '/leverRecord?id=9',
    });
    expect([1, 3, 4, 5].map((kind) => leverNews(pushed(kind as 1, '9'), rows).tone)).toEqual([
      'done',
      'done',
      'info',
      'info',
    ]);
  });

  test('positions that end together are one piece of news with their sum, and none with a part of it', () => {
    const told = leverNews(pushed(1, '10', '9'), [closed('9', '-0.5'), closed('10', '2.75')]);
    expect(told).toMatchObject({ id: 'lever 9', key: 'told.levers.1', params: { number: '2' }, to: '/leverList' });
    expect(told.detail?.params).toEqual({ amount: '\u2066+2.25 USDT\u2069' });
    const part = leverNews(pushed(1, '10', '9'), [closed('9', '-0.5')]);
    expect([part.id, part.detail]).toEqual(['lever 9', undefined]);
    expect(leverNews(pushed(3, '7'), [])).toMatchObject({ key: 'told.levers.3', params: { number: '1' } });
  });

  test('a seconds contract has a message once it is settled, a win with its sign and after its fee', () => {
    const order = { id: '5', symbol_name: 'BTC/USDT', currency_name: 'USDT', fact_profits: '4.00', fee: '0.1' };
    expect(microNews({ ...order, result: 'win' } as MicroOrder)).toMatchObject({
      id: 'micro 5',
      key: 'told.micro.win',
      detail: { params: { amount: '\u2066+3.9 USDT\u2069' } },
      tone: 'done',
    });
    expect(microNews({ ...order, result: 'void', fact_profits: '0' } as MicroOrder)).toMatchObject({
      key: 'told.micro.void',
      detail: { params: { amount: '\u20660 USDT\u2069' } },
      tone: 'info',
    });
    expect(microNews({ ...order, result: '' } as MicroOrder)).toBeUndefined();
  });

  test('a claim has a message when it is booked and when it is paid, a policy when it ends at profit', () => {
    const policy = { id: '3', currency_name: 'HAP', status: 2 } as Insurance;
    const claim = { id: '1', insurance_id: '3', amount: '600.000', created_at: '', paid_at: '' };
    expect(policyNews(policy, { ...claim, status: 1 })?.key).toBe('told.claim.1');
    expect(policyNews(policy, { ...claim, status: 2 })).toMatchObject({
      id: 'insurance 3',
      key: 'told.claim.2',
      params: { amount: '\u2066600 HAP\u2069' },
    });
    expect(policyNews({ ...policy, status: 4 }, undefined)?.key).toBe('told.policyEnded');
    expect(([1, 3] as const).map((status) => policyNews({ ...policy, status }, undefined))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('papers have a message when they are decided', () => {
    expect([identityNews(1, 2)?.key, identityNews(1, 0)?.key, identityNews(1, 1), identityNews(0, 2)]).toEqual([
      'told.identityPassed',
      'told.identityRefused',
      undefined,
      undefined,
    ]);
  });

  test('an entry takes the place of the one with its id, newest first', () => {
    const entry = (id: string) => ({ id, key: 'k', params: {}, tone: 'done' as const, at: 1, to: '/' });
    const entries = withEntry(withEntry(withEntry([], entry('a')), entry('b')), entry('a'));
    expect(entries.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});
