import { describe, expect, test } from '@jest/globals';
import { REMINDER_MINUTES, type Deal } from '../domain/deal.js';
import type { Ad } from '../domain/ad.js';
import { toAdRemovedNotice, toDealNotices, type DealStep } from './notices.js';

const [OWNER, TAKER] = [7, 9];
/** A sell ad: its owner sells, the taker buys. */
const SELL = {
  id: '42',
  type: 'sell',
  ownerId: OWNER,
  takerId: TAKER,
  number: 1_000_000_000n,
  scale: 8,
  currencyName: 'USDT',
  money: 6_500n,
  fiatScale: 2,
  coinCode: 'CNY',
} as Deal;
const BUY: Deal = { ...SELL, type: 'buy' };
const SHOWN = { number: '10 USDT', money: '65.00 CNY' };

describe('steps of a deal are told to whom they concern, and not to who has taken them', () => {
  test.each<[DealStep, string, readonly number[], readonly number[]]>([
    ['opened', 'dealOpened', [OWNER], [OWNER]],
    ['paid', 'dealPaid', [OWNER], [TAKER]],
    ['confirmed', 'dealReleased', [TAKER], [OWNER]],
    ['cancelled', 'dealCancelled', [TAKER, OWNER], [OWNER, TAKER]],
    ['expired', 'dealExpired', [TAKER, OWNER], [OWNER, TAKER]],
  ])('%s [NOTICE-032]', (step, kind, ofSellAd, ofBuyAd) => {
    for (const [deal, whom] of [
      [SELL, ofSellAd],
      [BUY, ofBuyAd],
    ] as const)
      expect(toDealNotices(deal, step, 1_000, 0)).toEqual(
        whom.map((userId) => ({
          userId,
          id: `deal:42:${step}`,
          kind,
          params: SHOWN,
          link: '/c2cDetail?id=42',
          at: 1_000,
        })),
      );
  });

  test('the buyer alone is reminded, each time under a name of its own [NOTICE-032]', () => {
    expect(REMINDER_MINUTES).toEqual([30, 10, 2]);
    const told = REMINDER_MINUTES.flatMap((minutes) => toDealNotices(SELL, 'reminder', 1_000, minutes));
    expect(told.map(({ userId, id, kind, params }) => ({ userId, id, kind, params }))).toEqual(
      REMINDER_MINUTES.map((minutes) => ({
        userId: TAKER,
        id: `deal:42:reminder:${minutes}`,
        kind: 'dealReminder',
        params: { ...SHOWN, minutes },
      })),
    );
    expect(toDealNotices(BUY, 'reminder', 1_000, 2).map(({ userId }) => userId)).toEqual([OWNER]);
  });
});

test('an ad that an operator has taken down is told to its owner, with what was left and why [NOTICE-033]', () => {
  const ad = { id: 5, ownerId: OWNER, kind: 'c2c', surplus: 6_050_000_000n, scale: 8, currencyName: 'USDT' } as Ad;
  expect(toAdRemovedNotice(ad, 'looks like a fraud', 1_000)).toEqual({
    userId: OWNER,
    id: 'ad:5:removed',
    kind: 'adRemoved',
    params: { number: '60.5 USDT', reason: 'looks like a fraud' },
    link: '/c2cOrder?tab=ads',
    at: 1_000,
  });
  expect(toAdRemovedNotice({ ...ad, kind: 'shop' }, '', 1_000).link).toBe('/myLegalShops');
});
