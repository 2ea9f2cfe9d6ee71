import { expect, test } from '@jest/globals';
import { dealNews, messageNews } from './deal-news.js';
import { titled } from './title-badge.js';

const deal = {
  id: '77',
  type: 'sell',
  role: 'seller',
  is_sure: 0,
  appeal: 0,
  number: '1240.50000000',
  currency_name: 'USDT',
  deal_money: '8063.25',
  coin_code: 'CNY',
} as const;

test('a step has a message for the party that did not take it [TERM-C2C-030]', () => {
  const key = (more: Partial<Parameters<typeof dealNews>[0]>) => dealNews({ ...deal, ...more })?.key;
  expect([key({}), key({ role: 'buyer' })]).toEqual(['told.deal.taken', undefined]);
  expect([key({ type: 'buy' }), key({ type: 'buy', role: 'buyer' })]).toEqual([undefined, 'told.deal.taken']);
  expect([key({ is_sure: 3 }), key({ is_sure: 3, role: 'buyer' })]).toEqual(['told.deal.paid', undefined]);
  expect([key({ is_sure: 1 }), key({ is_sure: 1, role: 'buyer' })]).toEqual([undefined, 'told.deal.done']);
  expect([key({ is_sure: 2 }), key({ is_sure: 2, role: 'buyer' })]).toEqual([
    'told.deal.cancelled',
    'told.deal.cancelled',
  ]);
  expect([key({ is_sure: 3, appeal: 1 }), key({ is_sure: 1, appeal: 2 }), key({ is_sure: 2, appeal: 3 })]).toEqual([
    'told.deal.appeal',
    'told.deal.decided',
    'told.deal.decided',
  ]);
});

test('news of a deal lead to its page, with coins and money in them [TERM-C2C-030]', () => {
  expect(dealNews(deal)).toMatchObject({
    id: 'deal 77',
    params: { what: '\u20661,240.5 USDT · 8,063.25 CNY\u2069' },
    to: '/c2cDetail?id=77',
  });
  expect(messageNews('77', 'hi')).toMatchObject({ id: 'chat 77', detail: { params: { text: 'hi' } } });
  expect(messageNews('77', '').detail).toBeUndefined();
});

test('the title begins with the number of unseen messages, until they are seen [TERM-C2C-031]', () => {
  expect([titled('Deal · Bourse', 1), titled('(1) Deal · Bourse', 2), titled('(2) Deal · Bourse', 0)]).toEqual([
    '(1) Deal · Bourse',
    '(2) Deal · Bourse',
    'Deal · Bourse',
  ]);
});
