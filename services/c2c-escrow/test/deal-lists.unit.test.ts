import { expect, test } from '@jest/globals';
import type { Deal as ShownDeal } from '@bourse/contract';
import type { PartyFacts } from '@bourse/messaging';
import { toUnits } from '@bourse/money';
import type { Caller, Clock, Config } from '@bourse/platform';
import { DealLists, toReader } from '../src/deals/application/lists.js';
import type { UnreadCounts } from '../src/deals/application/hooks.js';
import { DealParties } from '../src/deals/application/parties.js';
import type { AdStore, DealStore } from '../src/deals/application/ports.js';
import { DealViews } from '../src/deals/application/views.js';
import type { ShopSellers } from '../src/deals/application/shop-sellers.js';
import { createAd, publishAd } from '../src/deals/domain/ad.js';
import { openDealAppeal, openDeal, payDeal, type Deal } from '../src/deals/domain/deal.js';

const [OWNER, TAKER] = [1, 2];
const facts = (userId: number, name: string): PartyFacts => ({
  ...{
    userId,
    name: `${name[0]}***`,
    fullName: `${name}@x.org`,
    accountNumber: `B-${name}`,
    realName: `${name} Real`,
    phone: `+1${userId}`,
  },
  ...{ lang: 'en', isSeller: false },
  payment: {
    ...{ realName: name, bankName: 'b', bankAccount: `iban-${name}`, alipayAccount: '', alipayCollect: 'a.png' },
    ...{ wechatAccount: '', wechatNickname: '', wechatCollect: '' },
  },
});
class PlainParties extends DealParties {
  readonly prefix = '';
  findUsers = (): Promise<never> => Promise.reject(new Error('not used'));
  seal = (): string => '';
  open = () => ({ seller: facts(OWNER, 'owner'), buyer: facts(TAKER, 'taker') });
}
const ad = publishAd(
  createAd(7, {
    ...{ kind: 'c2c', type: 'sell', ownerId: OWNER, ownerAccount: 'legal', ownerName: 'o***', shopId: null, level: '' },
    ...{ currencyId: 3, currencyName: 'USDT', scale: 8, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank' },
    ...{ total: toUnits('100', 8), min: 0n, max: toUnits('100', 8), feeRate: 0n, limitMinutes: 60, createdAt: 0 },
  }),
);
const unpaid = openDeal(ad, {
  ...{ id: '42', takerId: TAKER, takerName: 't***', ownerLang: 'en', takerLang: 'en', number: toUnits('10', 8) },
  ...{ fee: 0n, now: 0, facts: '' },
});
const settled = payDeal(unpaid, TAKER, 1, 'proof.png') as Deal;
const cancelled: Deal = { ...unpaid, state: 'cancelled', cancelledBy: 'deadline', endedAt: 9 };

function listsOf(deal: Deal): DealLists {
  const clock = { now: () => 5, real: () => 5 } as unknown as Clock;
  const config = { internalSecret: 'internal-secret-of-32-characters!', internalSecretsOld: [] } as unknown as Config;
  const deals = {
    find: () => Promise.resolve(deal),
    list: () => Promise.resolve({ rows: [deal], total: 1 }),
    listStatistics: () => Promise.resolve(new Map()),
  } as unknown as DealStore;
  const unread = { countUnread: () => Promise.resolve(new Map()) } as unknown as UnreadCounts;
  const views = new DealViews(new PlainParties(), clock, config);
  return new DealLists({} as AdStore, deals, views, clock, unread, {} as ShopSellers);
}
const caller = (userId: number, kind: Caller['kind'] = 'user') => toReader({ userId, kind } as Caller, 'en');
const PAGE = { page: 1, size: 10, offset: 0 };
/** Reads a deal by itself and in a list. */
const read = async (deal: Deal, reader: ReturnType<typeof caller>): Promise<readonly ShownDeal[]> => {
  const lists = listsOf(deal);
  return [await lists.findDeal('42', reader), (await lists.listDeals({}, PAGE, reader)).data[0]!];
};
const PERSONAL = ['owner@x.org', 'taker@x.org', 'B-owner', 'B-taker', 'Real', '+11', '+12', 'iban', '.png'];
const personalIn = (deals: readonly ShownDeal[]): string[] =>
  PERSONAL.filter((text) => JSON.stringify(deals).includes(text));

test('both sides of a deal under way read the full names of owner and taker [HARD-445]', async () => {
  for (const userId of [OWNER, TAKER])
    for (const shown of await read(settled, caller(userId)))
      expect(shown).toMatchObject({ seller_name: 'owner@x.org', account_number: 'B-taker' });
  const [, listed] = await read({ ...settled, state: 'finished', endedAt: 9 }, caller(TAKER));
  expect(listed).toMatchObject({ seller_name: 'owner@x.org', sell_cash_info: null, proof: '' });
});

test('after a cancel neither side reads name, phone or bank data of the other [HARD-443]', async () => {
  for (const userId of [OWNER, TAKER]) {
    expect(personalIn(await read(cancelled, caller(userId)))).toEqual([]);
    const open = openDealAppeal(cancelled, 'buyer', 10, 20) as Deal;
    expect(personalIn(await read(open, caller(userId)))).toContain('iban');
    expect(personalIn(await read({ ...settled, state: 'finished', endedAt: 9 }, caller(userId)))).toContain('iban');
  }
});

test('a program with an API key reads nothing personal of a deal [HARD-444]', async () => {
  for (const userId of [OWNER, TAKER])
    for (const deal of [unpaid, settled, { ...settled, state: 'finished', endedAt: 9 } as Deal]) {
      const shown = await read(deal, caller(userId, 'apikey'));
      expect(personalIn(shown)).toEqual([]);
      expect(shown).toMatchObject([{ id: '42', deal_money: '65.00', seller_name: 'o***' }, { id: '42' }]);
    }
});
