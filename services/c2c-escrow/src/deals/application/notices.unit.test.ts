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

describe('a step of a deal notifies the other party, or both when it ended the deal', () => {
  test.each<[DealStep, string, readonly number[], readonly number[]]>([
    ['opened', 'dealOpened', [OWNER], [OWNER]],
    ['paid', 'dealPaid', [OWNER], [TAKER]],
    ['confirmed', 'dealReleased', [TAKER], [OWNER]],
    ['cancelled', 'dealCancelled', [TAKER, OWNER], [OWNER, TAKER]],
    ['expired', 'dealExpired', [TAKER, OWNER], [OWNER, TAKER]],
  ])('%s [NOTICE-032]', (step, kind, ofSellAd, ofBuyAd) => {
    for (const [deal, recipients] of [
      [SELL, ofSellAd],
      [BUY, ofBuyAd],
    ] as const)
      expect(toDealNotices(deal, step, 1_000, 0)).toEqual(
        recipients.map((userId) => ({
          userId,
          id: `deal:42:${step}`,
          kind,
          params: SHOWN,
          link: '/c2cDetail?id=42',
          at: 1_000,
        })),
      );
  });

  test('a reminder notifies the buyer alone, each time under another id [NOTICE-032]', () => {
    expect(REMINDER_MINUTES).toEqual([30, 10, 2]);
    const notices = REMINDER_MINUTES.flatMap((minutes) => toDealNotices(SELL, 'reminder', 1_000, minutes));
    expect(notices.map(({ userId, id, kind, params }) => ({ userId, id, kind, params }))).toEqual(
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

test('a removed ad notifies its owner of the remainder and the reason [NOTICE-033]', () => {
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
