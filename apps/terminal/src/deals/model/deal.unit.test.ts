import { describe, expect, test } from '@jest/globals';
import type { Deal, PaymentInfo } from '@bourse/contract';
import {
  firstList,
  isOver,
  withPush,
  isTaker,
  markAt,
  otherName,
  otherParty,
  paymentCode,
  paymentLines,
  stateOf,
  stepOf,
  turnOf,
} from './deal.js';

const INFO: PaymentInfo = {
  real_name: 'Lin Mei',
  bank_name: 'Harbour Bank',
  bank_account: '6222 0001',
  alipay_account: 'lin@pay.example',
  alipay_collect: '/api/upload/a?e=1&s=x',
  wechat_account: 'lin-wx',
  wechat_nickname: 'Mei',
  wechat_collect: '/api/upload/w?e=1&s=x',
};
const deal = (more: Partial<Deal>): Deal =>
  ({
    type: 'sell',
    role: 'buyer',
    is_sure: 0,
    appeal: 0,
    seller_name: 'mer***@x',
    account_number: '8120',
    hes_realname: 'Lin Mei',
    seller_phone: '13800000001',
    phone: '13900000002',
    sell_cash_info: INFO,
    user_cash_info: null,
    ...more,
  }) as Deal;

describe('a deal', () => {
  test('names the party to act: buyer pays, seller releases, an appeal waits [TERM-C2C-001]', () => {
    expect(turnOf(deal({ is_sure: 0, role: 'buyer' }))).toBe('you');
    expect(turnOf(deal({ is_sure: 0, role: 'seller' }))).toBe('other');
    expect(turnOf(deal({ is_sure: 3, role: 'buyer' }))).toBe('other');
    expect(turnOf(deal({ is_sure: 3, role: 'seller' }))).toBe('you');
    expect(turnOf(deal({ is_sure: 3, role: 'seller', appeal: 1 }))).toBe('exchange');
    expect([1, 2].map((sure) => turnOf(deal({ is_sure: sure as 1 | 2 })))).toEqual(['over', 'over']);
    // An appeal after a cancel by the deadline that found no free coin is a record, and still open.
    expect(isOver(deal({ is_sure: 2, appeal: 1 }))).toBe(false);
    expect(isOver(deal({ is_sure: 2, appeal: 3 }))).toBe(true);
  });

  test('is at one of three steps, in words of its own and of its appeal [TERM-C2C-001]', () => {
    expect(([0, 3, 1] as const).map((sure) => stepOf({ is_sure: sure }))).toEqual([1, 2, 3]);
    expect(([0, 1, 2, 3] as const).map((sure) => stateOf({ is_sure: sure, appeal: 0 }))).toEqual([
      'waiting',
      'done',
      'cancelled',
      'paid',
    ]);
    expect(([1, 2, 3] as const).map((appeal) => stateOf({ is_sure: 3, appeal }))).toEqual([
      'appeal',
      'buyerWon',
      'sellerWon',
    ]);
  });

  test('names the other side: its public name, phone and payment [TERM-C2C-002]', () => {
    expect([isTaker(deal({})), isTaker(deal({ type: 'buy', role: 'seller' }))]).toEqual([true, true]);
    expect([isTaker(deal({ role: 'seller' })), isTaker(deal({ type: 'buy' }))]).toEqual([false, false]);
    expect([otherName(deal({})), otherName(deal({ role: 'seller' }))]).toEqual(['mer***@x', '8120']);
    expect(otherParty(deal({}))).toEqual({ name: 'Lin Mei', phone: '13800000001', payment: INFO });
    expect(otherParty(deal({ role: 'seller' }))).toEqual({ name: 'Lin Mei', phone: '13900000002', payment: null });
  });

  test('shows only the fields of its payment method [TERM-C2C-002]', () => {
    expect(paymentLines(INFO, 'bank').map(({ id }) => id)).toEqual(['real_name', 'bank_name', 'bank_account']);
    expect(paymentLines(INFO, 'ali_pay').map(({ id }) => id)).toEqual(['real_name', 'alipay_account']);
    expect(paymentLines({ ...INFO, wechat_nickname: '' }, 'we_chat').map(({ text }) => text)).toEqual([
      'Lin Mei',
      'lin-wx',
    ]);
    expect((['bank', 'ali_pay', 'we_chat'] as const).map((way) => paymentCode(INFO, way))).toEqual([
      '',
      '/api/upload/a?e=1&s=x',
      '/api/upload/w?e=1&s=x',
    ]);
  });

  test('keeps its personal data when a push brings a new state without them [TERM-C2C-002]', () => {
    const held = deal({ account_number: '8120', proof: '/u/p' });
    const bare = { seller_phone: '', phone: '', hes_realname: '', sell_cash_info: null, user_cash_info: null };
    const pushed = deal({ ...bare, is_sure: 3, account_number: 'tra***', proof: '', unread: 2 });
    expect(withPush(held, pushed)).toEqual({ ...held, is_sure: 3, unread: 2 });
  });

  test('reads its countdown out at ten minutes, one minute and ten seconds, and not each second [TERM-C2C-003]', () => {
    expect([600_001, 600_000, 60_001, 60_000, 10_001, 10_000, 1, 0, -5].map(markAt)).toEqual([
      '',
      'tenMinutes',
      'tenMinutes',
      'minute',
      'minute',
      'seconds',
      'seconds',
      '',
      '',
    ]);
  });
});

test('the list with a deal that waits for the person opens first [TERM-C2C-034]', () => {
  const mine = deal({ is_sure: 3, role: 'seller' });
  const theirs = deal({ is_sure: 0, role: 'seller' });
  expect(firstList([], [])).toBe('taken');
  expect(firstList([], [theirs])).toBe('onAds');
  expect(firstList([theirs], [mine])).toBe('onAds');
  expect(firstList([mine], [mine])).toBe('taken');
  expect(firstList([mine], [theirs])).toBe('taken');
});
