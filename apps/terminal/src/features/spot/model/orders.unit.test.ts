import { describe, expect, test } from '@jest/globals';
import type { SpotOrder } from '@bourse/contract';
import {
  commandAgain,
  commandAt,
  EndedOrders,
  filledPercent,
  isByMark,
  isLeg,
  isTrailing,
  linePrice,
  moveOutcome,
  patchDoneOrders,
  patchOpenOrders,
  reachSign,
  restingPrices,
  valuedAt,
} from './orders.js';

const order = (id: string, more: Partial<SpotOrder> = {}): SpotOrder => ({
  id,
  client_order_id: '',
  created_at: '2026-01-01 00:00:00',
  updated_at: '2026-01-01 00:00:00',
  ts: 1_767_225_600_000,
  updated_ts: 1_767_225_600_000,
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
  trade_amount: '1.000000',
  filled_amount: '0.000000',
  target_price: '100.00',
  trade_price: '0.00',
  fee: '0',
  fee_currency: 'BTC',
  link_id: '',
  parent_id: '',
  take_profit: '0.00',
  stop_loss: '0.00',
  ...more,
});
const ids = (orders: readonly SpotOrder[]): string[] => orders.map(({ id }) => id);

describe('order lists follow the pushes', () => {
  test('a new order comes first, a changed one stays in its place, a done one leaves [SPOTVIEW-001]', () => {
    const open = [order('b'), order('a')];
    expect(ids(patchOpenOrders(open, order('c')))).toEqual(['c', 'b', 'a']);
    const filled = patchOpenOrders(open, order('a', { filled_amount: '0.500000' }));
    expect(filled.map((row) => row.filled_amount)).toEqual(['0.000000', '0.500000']);
    expect(ids(patchOpenOrders(open, order('b', { status: 2 })))).toEqual(['a']);
    expect(ids(patchOpenOrders(open, order('x', { status: 2 })))).toEqual(['b', 'a']);
  });

  test('an older state does not overwrite a newer one [SPOTVIEW-001]', () => {
    const open = [order('a', { filled_amount: '0.500000' })];
    expect(patchOpenOrders(open, order('a'))[0]?.filled_amount).toBe('0.500000');
  });

  test('an open state that comes after the end of its order is no news [SPOTVIEW-082]', () => {
    const ended = new EndedOrders();
    expect(ended.admits(order('a'))).toBe(true);
    expect(ended.admits(order('a', { status: 2 }))).toBe(true);
    expect(ended.admits(order('a'))).toBe(false);
    expect(ended.admits(order('a', { status: 2 }))).toBe(true);
    expect(ended.admits(order('b'))).toBe(true);
  });

  test('a cancelled order without a fill leaves every list, a partly filled one stays [SPOTVIEW-002]', () => {
    const done = [order('a', { status: 2 })];
    expect(ids(patchDoneOrders(done, order('b', { status: 2, cancelled: 1 })))).toEqual(['a']);
    expect(ids(patchDoneOrders(done, order('b', { status: 2, cancelled: 1, filled_amount: '0.1' })))).toEqual([
      'b',
      'a',
    ]);
    expect(ids(patchDoneOrders(done, order('a', { status: 2, filled_amount: '1' })))).toEqual(['a']);
    expect(ids(patchDoneOrders(done, order('c')))).toEqual(['a']);
  });

  test('filled percent is cut, not rounded up [SPOTVIEW-003]', () => {
    expect(filledPercent(order('a', { filled_amount: '0.999999' }))).toBe('99');
    expect(filledPercent(order('a', { trade_amount: '0.00000000' }))).toBe('0');
  });
});

test('what was left of a cancelled order is placed again as the same order [SPOTVIEW-005]', () => {
  const pair = { legal_id: 3, currency_id: 1 };
  expect(commandAgain(order('a', { filled_amount: '0.250000' }))).toEqual({
    ...pair,
    type: 1,
    amount: '0.750000',
    order_type: 'limit',
    target_price: '100.00',
  });
  const stop = { order_type: 'stop_limit', stop_price: '90.00', type: 2 } as const;
  expect(commandAgain(order('a', stop))).toMatchObject({ type: 2, order_type: 'stop_limit', stop_price: '90.00' });
  // A stop that was reached is the order that it became.
  expect(commandAgain(order('a', { ...stop, triggered: 1 }))).toEqual({
    ...pair,
    type: 2,
    amount: '1.000000',
    order_type: 'limit',
    target_price: '100.00',
  });
  expect(commandAgain(order('a', { ...stop, order_type: 'stop_market' }))).toEqual({
    ...pair,
    type: 2,
    amount: '1.000000',
    order_type: 'stop_market',
    stop_price: '90.00',
  });
});

test('a trailing stop waits at its trigger, and before its activation at that price [SPOTVIEW-005]', () => {
  const trailing = order('a', {
    ...({ order_type: 'trailing_stop', type: 2, target_price: '0.00', stop_price: '90.00', trail_active: 1 } as const),
    ...{ trail_percent: '1.50', trail_amount: '0.00', activation_price: '95.00' },
  });
  expect([isTrailing(trailing), linePrice(trailing)]).toEqual([true, '90.00']);
  expect(linePrice({ ...trailing, stop_price: '0.00', trail_active: 0 })).toBe('95.00');
  expect(restingPrices([trailing])).toEqual([]);
  expect(isTrailing({ ...trailing, triggered: 1 })).toBe(false);
  expect(commandAgain(trailing)).toEqual({
    ...{ legal_id: 3, currency_id: 1, type: 2, amount: '1.000000', order_type: 'trailing_stop' },
    ...{ trail_percent: '1.50', activation_price: '95.00' },
  });
  expect(commandAgain({ ...trailing, triggered: 1 })).toMatchObject({ order_type: 'market' });
});

test('a stop by mark is placed again as one, and its move is judged by the server [SPOTVIEW-081]', () => {
  const stop = order('a', { order_type: 'stop_market', type: 2, stop_price: '90.00', trigger_by: 'mark' });
  expect([isByMark(stop), isByMark({ ...stop, triggered: 1 }), isByMark({ ...stop, trigger_by: 'last' })]).toEqual([
    ...[true, false, false],
  ]);
  expect([reachSign({ type: 1 }), reachSign(stop)]).toEqual(['≥', '≤']);
  expect(commandAt(stop, '95.00')).toMatchObject({ stop_price: '95.00', trigger_by: 'mark' });
  expect(commandAgain({ ...stop, triggered: 1 })).not.toHaveProperty('trigger_by');
  expect(moveOutcome(stop, '101.00', '100.00')).toBe('rests');
  expect(moveOutcome({ ...stop, trigger_by: 'last' }, '101.00', '100.00')).toBe('beyond');
});

test('a moved order keeps its conditions, and a moved stop its limit [SPOTVIEW-006]', () => {
  const kept = { time_in_force: 'IOC', post_only: 1 } as const;
  expect(commandAt(order('a', { ...kept, filled_amount: '0.250000' }), '101.00')).toEqual({
    legal_id: 3,
    currency_id: 1,
    type: 1,
    amount: '0.750000',
    order_type: 'limit',
    target_price: '101.00',
    ...kept,
  });
  const stop = { order_type: 'stop_limit', stop_price: '90.00', type: 2 } as const;
  expect(linePrice(order('a', stop))).toBe('90.00');
  expect(commandAt(order('a', stop), '91.00')).toMatchObject({ stop_price: '91.00', target_price: '100.00' });
});

test('a moved limit that would be filled crosses, and a stop past the last price is beyond it [SPOTVIEW-006]', () => {
  const buy = order('a');
  const sell = order('a', { type: 2 });
  expect(['99', '100', '101'].map((price) => moveOutcome(buy, price, '100'))).toEqual(['rests', 'crosses', 'crosses']);
  expect(['99', '100', '101'].map((price) => moveOutcome(sell, price, '100'))).toEqual(['crosses', 'crosses', 'rests']);
  const stop = { order_type: 'stop_market', stop_price: '90.00' } as const;
  expect(['99', '101'].map((price) => moveOutcome(order('a', stop), price, '100'))).toEqual(['beyond', 'rests']);
  expect(['99', '101'].map((price) => moveOutcome(order('a', { ...stop, type: 2 }), price, '100'))).toEqual([
    'rests',
    'beyond',
  ]);
  expect(moveOutcome(buy, '101', '')).toBe('rests');
});

test('an order is a leg while its whole pair is open, and is placed again with its exits [SPOTVIEW-007]', () => {
  const limit = order('a', { link_id: 'b' });
  const stop = order('b', { link_id: 'a', order_type: 'stop_market' });
  expect([limit, stop].map(isLeg)).toEqual([true, true]);
  expect(isLeg({ ...limit, filled_amount: '0.100000' })).toBe(false);
  expect(isLeg({ ...stop, order_type: 'stop_limit', triggered: 1 })).toBe(false);
  expect(isLeg(order('c'))).toBe(false);
  const exits = { take_profit: '120.00', stop_loss: '0.00' };
  expect(commandAgain(order('d', exits))).toMatchObject({ take_profit: '120.00' });
  expect(commandAgain(order('d', exits))).not.toHaveProperty('stop_loss');
});

test('an order is worth what it filled for, while open its amount at its price or trigger [SPOTVIEW-070]', () => {
  const done = order('a', { status: 2, filled_amount: '0.5', trade_price: '90' });
  expect(valuedAt(done)).toEqual({ amount: '0.5', price: '90' });
  expect(valuedAt(order('b'))).toEqual({ amount: '1.000000', price: '100.00' });
  expect(valuedAt(order('c', { order_type: 'stop_market', stop_price: '95', target_price: '0' }))).toEqual({
    amount: '1.000000',
    price: '95',
  });
});
