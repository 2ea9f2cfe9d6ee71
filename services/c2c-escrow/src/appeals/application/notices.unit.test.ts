import { expect, test } from '@jest/globals';
import type { Deal } from '../../deals/domain/deal.js';
import { toAppealNotices } from './notices.js';

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
const SHOWN = { number: '10 USDT', money: '65.00 CNY' };

test.each(['appealOpened', 'appealWithdrawn', 'appealDecided'] as const)(
  '%s notifies both sides [NOTICE-032]',
  (kind) => {
    expect(toAppealNotices('5', SELL, kind, 1_000)).toEqual(
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
