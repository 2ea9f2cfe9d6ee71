import { describe, expect, test } from '@jest/globals';
import type { AcceptorAction, AcceptorDeal } from '../../acceptors/domain/acceptor-deal.js';
import { REMINDER_MINUTES, type Deal } from '../domain/deal.js';
import type { Shop } from '../../shops/domain/shop.js';
import type { Ad } from '../domain/ad.js';
import { acceptorNotices, adNotice, appealNotices, dealNotices, shopNotice, type DealStep } from './notices.js';

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
      expect(dealNotices(deal, step, 1_000, 0)).toEqual(
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
    const told = REMINDER_MINUTES.flatMap((minutes) => dealNotices(SELL, 'reminder', 1_000, minutes));
    expect(told.map(({ userId, id, kind, params }) => ({ userId, id, kind, params }))).toEqual(
      REMINDER_MINUTES.map((minutes) => ({
        userId: TAKER,
        id: `deal:42:reminder:${minutes}`,
        kind: 'dealReminder',
        params: { ...SHOWN, minutes },
      })),
    );
    expect(dealNotices(BUY, 'reminder', 1_000, 2).map(({ userId }) => userId)).toEqual([OWNER]);
  });

  test.each(['appealOpened', 'appealWithdrawn', 'appealDecided'] as const)(
    '%s is told to both [NOTICE-032]',
    (kind) => {
      expect(appealNotices('5', SELL, kind, 1_000)).toEqual(
        [TAKER, OWNER].map((userId) => ({
          userId,
          id: `appeal:5:${kind}`,
          kind,
          params: SHOWN,
          link: '/c2cDetail?id=42',
          at: 1_000,
        })),
      );
    },
  );
});

const [PERSON, ACCEPTOR] = [11, 13];
const DEPOSIT = {
  id: '6',
  type: 'buy',
  userId: PERSON,
  acceptorId: ACCEPTOR,
  money: 100_000n,
  received: 98_000_000_000n,
  scale: 8,
  state: 'open',
  stage: 'waiting',
  updatedAt: 2_000,
} as AcceptorDeal;
const WITHDRAWAL: AcceptorDeal = { ...DEPOSIT, type: 'sell', received: 98_000n };

describe('what becomes of a deal with an acceptor is told to whoever has not done it', () => {
  const both = [PERSON, ACCEPTOR];
  test.each<[string, Partial<AcceptorDeal>, AcceptorAction | 'place' | null, string, readonly number[]]>([
    ['placed', {}, 'place', 'acceptorPlaced', [ACCEPTOR]],
    ['confirmed by the acceptor', { state: 'confirmed' }, 'confirm', 'acceptorDone', [PERSON]],
    ['rejected by the acceptor', { state: 'rejected' }, 'reject', 'acceptorRejected', [PERSON]],
    ['cancelled by the person', { state: 'rejected' }, 'cancel', 'acceptorRejected', [ACCEPTOR]],
    ['transferred', { stage: 'transferred' }, 'transfer', 'acceptorTransferred', [PERSON]],
    ['received', { state: 'confirmed', stage: 'transferred' }, 'receive', 'acceptorDone', [ACCEPTOR]],
    ['objected to', { stage: 'objected' }, 'object', 'acceptorObjected', [ACCEPTOR]],
    ['decided by finance', { state: 'confirmed', stage: 'objected' }, 'decideConfirm', 'acceptorDone', both],
    ['refused by finance', { state: 'rejected', stage: 'objected' }, 'decideReject', 'acceptorRejected', both],
    ['ended by time', { state: 'confirmed', stage: 'transferred' }, null, 'acceptorDone', both],
  ])('%s [NOTICE-033]', (_, change, action, kind, whom) => {
    expect(acceptorNotices({ ...DEPOSIT, ...change }, action)).toEqual(
      whom.map((userId) => ({
        userId,
        id: `acceptor:6:${kind}`,
        kind,
        params: { amount: '980 USDT' },
        link: '/account/aceite',
        at: 2_000,
      })),
    );
  });

  test('a withdrawal is told by the coins that are paid in [NOTICE-033]', () => {
    expect(acceptorNotices(WITHDRAWAL, 'place').map(({ params }) => params)).toEqual([{ amount: '1000 USDT' }]);
  });

  test('nobody sees a deal that waits for the ledger [NOTICE-033]', () => {
    for (const state of ['asking', 'holding'] as const)
      expect(acceptorNotices({ ...DEPOSIT, state }, 'place')).toEqual([]);
  });
});

test('a decided shop is told to its owner, a refused one with the reason [NOTICE-033]', () => {
  const shop = { id: 3, userId: 7, name: 'Harbour Desk' } as Shop;
  const told = { userId: 7, id: 'shop:3:decided', link: '/myLegalShops', at: 1_000 };
  expect(shopNotice(shop, true, '', 1_000)).toEqual({
    ...told,
    kind: 'shopPassed',
    params: { shop: 'Harbour Desk' },
  });
  expect(shopNotice(shop, false, 'a blurred picture', 1_000)).toEqual({
    ...told,
    kind: 'shopRejected',
    params: { shop: 'Harbour Desk', reason: 'a blurred picture' },
  });
});

test('an ad that an operator has taken down is told to its owner, with what was left and why [NOTICE-033]', () => {
  const ad = { id: 5, ownerId: OWNER, kind: 'c2c', surplus: 6_050_000_000n, scale: 8, currencyName: 'USDT' } as Ad;
  expect(adNotice(ad, 'looks like a fraud', 1_000)).toEqual({
    userId: OWNER,
    id: 'ad:5:removed',
    kind: 'adRemoved',
    params: { number: '60.5 USDT', reason: 'looks like a fraud' },
    link: '/c2cOrder?tab=ads',
    at: 1_000,
  });
  expect(adNotice({ ...ad, kind: 'shop' }, '', 1_000).link).toBe('/myLegalShops');
});
