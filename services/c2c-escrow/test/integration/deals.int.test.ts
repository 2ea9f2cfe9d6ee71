import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { percent } from '@bourse/formulas';
import { toUnits } from '@bourse/money';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { DealAudit } from '../../src/deals/persistence/audit.js';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresAds } from '../../src/deals/persistence/postgres-ads.js';
import { PartsAudit } from '@bourse/messaging';
import { PostgresDeals } from '../../src/deals/persistence/postgres-deals.js';
import { PostgresShops } from '../../src/shops/persistence/postgres-shops.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';
import { cancelDealInAd, createAd, publishAd, takeFromAd, type Ad, type AdTerms } from '../../src/deals/domain/ad.js';
import {
  acceptDeal,
  cancelDeal,
  confirmDeal,
  expireDeal,
  openDeal,
  payDeal,
  type Deal,
} from '../../src/deals/domain/deal.js';
import type { Shop } from '../../src/shops/domain/shop.js';

jest.setTimeout(testTimeoutMs(24_000));

const coins = (text: string): bigint => toUnits(text, 8);
const NOW = 1_767_225_600_000;
const FIRST = { page: 1, size: 10, offset: 0 };
const TERMS: AdTerms = {
  ...{ kind: 'c2c', type: 'sell', ownerId: 1, ownerAccount: 'legal', ownerName: 's***', shopId: null, level: '' },
  ...{ currencyId: 3, currencyName: 'USDT', scale: 8, coinCode: 'CNY', fiatScale: 2, price: 650n, way: 'bank' },
  ...{ total: coins('100.00000007'), min: coins('10'), max: coins('50'), feeRate: percent('0.1') },
  ...{ limitMinutes: 15, createdAt: NOW },
};

let world: TestDatabases;
let database: C2cDatabase;
let ads: PostgresAds;
let deals: PostgresDeals;
let serial = 0;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 })) as C2cDatabase;
  [ads, deals] = [new PostgresAds(database), new PostgresDeals(database)];
});
afterAll(() => world?.end());

/** An ad on the shelf. */
const published = (terms: Partial<AdTerms> = {}): Promise<Ad> =>
  database.transaction(async (tx) => {
    const ad = publishAd(createAd(await ads.nextId(tx), { ...TERMS, ...terms }));
    await ads.insert(tx, ad);
    return ad;
  });
/** A deal on the ad, and the ad afterwards. */
const dealt = (before: Ad, number: bigint, takerId: number): Promise<{ ad: Ad; deal: Deal }> =>
  database.transaction(async (tx) => {
    const { ad, fee } = takeFromAd(before, number);
    const deal = openDeal(before, {
      ...{ id: String((serial += 1)), takerId, takerName: 't***', ownerLang: 'en', takerLang: 'cr' },
      ...{ number, fee, now: NOW, facts: 'sealed' },
    });
    await ads.save(tx, ad);
    await deals.insert(tx, deal);
    await deals.reserveOpenDeal(tx, takerId, 9);
    return { ad, deal };
  });

test('an ad and a deal are stored to the last digit [C2C-021]', async () => {
  const { ad, deal } = await dealt(await published(), coins('40.00000003'), 2);
  expect(await ads.find(ad.id)).toEqual(ad);
  expect(await deals.find(deal.id)).toEqual(deal);
  const settled = payDeal(deal, 2, NOW + 1, 'proof.png') as Deal;
  await database.transaction((tx) => deals.save(tx, settled));
  expect(await database.transaction((tx) => deals.lock(tx, deal.id))).toEqual(settled);
  const gone = expireDeal(deal, deal.deadline, deal.deadline + 7)!;
  await database.transaction((tx) => deals.save(tx, gone));
  expect(await deals.find(deal.id)).toEqual(gone);
  await database.transaction((tx) => deals.save(tx, settled));
  await database.transaction((tx) => deals.drop(tx, deal.id));
  await database.transaction((tx) => ads.drop(tx, ad.id));
  expect([await deals.find(deal.id), await ads.find(ad.id)]).toEqual([settled, ad]);
});

test('the market lists the best price for the taker first, filtered by fiat amount and side [C2C-021]', async () => {
  const of = { currencyId: 77, ownerId: 11 };
  const [dear, cheap] = [await published({ ...of, price: 660n }), await published({ ...of, price: 640n })];
  const [low, high] = [
    await published({ ...of, type: 'buy', price: 600n }),
    await published({ ...of, type: 'buy', price: 610n }),
  ];
  const ids = async (filter: object): Promise<number[]> =>
    (await ads.list({ currencyId: 77, byPrice: true, ...filter }, FIRST)).rows.map(({ id }) => id);
  expect(await ids({ type: 'sell' })).toEqual([cheap.id, dear.id]);
  expect(await ids({ type: 'buy' })).toEqual([high.id, low.id]);
  expect(await ids({ type: 'sell', money: '65' })).toEqual([cheap.id]);
  expect(await ids({ type: 'sell', money: '325' })).toEqual([dear.id]);
  expect((await ads.list({ currencyId: 77 }, { page: 2, size: 3, offset: 3 })).total).toBe(4);
  // A remainder below the minimum is taken as a whole, at its price; the remainder of a shop's ad cannot be taken.
  const rest = { currencyId: 78, ownerId: 11, min: coins('50'), total: coins('60') };
  const [small, shops] = [await published(rest), await published({ ...rest, kind: 'shop', shopId: 5 })];
  for (const ad of [small, shops]) await dealt(ad, coins('40'), 13);
  const left = async (filter: object): Promise<number[]> =>
    (await ads.list({ currencyId: 78, ...filter }, FIRST)).rows.map(({ id }) => id);
  expect([await left({ hasSurplus: true }), await left({ hasSurplus: true, money: '130.00' })]).toEqual([
    [small.id],
    [small.id],
  ]);
  expect([await left({ money: '129.99' }), await left({ money: '130.01' })]).toEqual([[], []]);
  const { deal } = await dealt(cheap, coins('20'), 12);
  const listed = async (filter: object): Promise<string[]> =>
    (await deals.list({ currencyId: 77, ...filter }, FIRST)).rows.map(({ id }) => id);
  expect([await listed({ takerId: 12 }), await listed({ takerId: 11 })]).toEqual([[deal.id], []]);
  expect([await listed({ userId: 11 }), await listed({ states: ['paid'] })]).toEqual([[deal.id], []]);
});

test('owners of shop ads on the shelf are listed, and lists can leave their ads out [C2C-034]', async () => {
  const of = { currencyId: 79, kind: 'shop', shopId: 6 } as const;
  const [one, two] = [await published({ ...of, ownerId: 61 }), await published({ ...of, ownerId: 62 })];
  await published({ currencyId: 79, ownerId: 63 });
  const owners = await ads.listShopOwners();
  expect(owners).toEqual(expect.arrayContaining([61, 62]));
  expect(owners).not.toContain(63);
  const ids = async (exceptOwners?: readonly number[]): Promise<number[]> =>
    (await ads.list({ currencyId: 79, kind: 'shop', exceptOwners }, FIRST)).rows.map(({ id }) => id).sort();
  expect(await ids()).toEqual([one.id, two.id]);
  expect([await ids([]), await ids([62, 4]), await ids([61, 62])]).toEqual([[one.id, two.id], [one.id], []]);
});

test('concurrent deals are counted up to the limit, and cancels by day [C2C-021]', async () => {
  const takes = await Promise.all(
    Array.from({ length: 20 }, () => database.transaction((tx) => deals.reserveOpenDeal(tx, 31, 3))),
  );
  expect(takes.filter(Boolean)).toHaveLength(3);
  await database.transaction((tx) => deals.releaseOpenDeal(tx, 31));
  expect(await database.transaction((tx) => deals.reserveOpenDeal(tx, 31, 3))).toBe(true);
  await database.execute('delete from taker_count where user_id = 31');
  await Promise.all(Array.from({ length: 5 }, () => database.transaction((tx) => deals.addCancel(tx, 31, 20_000))));
  expect([await deals.countCancels(31, 20_000), await deals.countCancels(31, 20_001)]).toEqual([5, 0]);
});

test('a counted cancel is removed once, and never below zero [HARD-433]', async () => {
  await database.transaction((tx) => deals.addCancel(tx, 32, 20_000));
  for (let round = 0; round < 2; round++) await database.transaction((tx) => deals.removeCancel(tx, 32, 20_000));
  await database.transaction((tx) => deals.removeCancel(tx, 32, 20_001));
  expect([await deals.countCancels(32, 20_000), await deals.countCancels(32, 20_001)]).toEqual([0, 0]);
});

test('concurrent ads stay within the limit of their kind [HARD-435]', async () => {
  const publish = (kind: 'c2c' | 'shop', type: 'sell' | 'buy'): Promise<boolean> =>
    database.transaction(async (tx) => {
      if ((await ads.countOnShelf(tx, 71, kind)) >= 3) return false;
      const shopId = kind === 'shop' ? 7 : null;
      await ads.insert(tx, createAd(await ads.nextId(tx), { ...TERMS, ownerId: 71, kind, type, shopId }));
      return true;
    });
  const all = await Promise.all(
    (['c2c', 'shop'] as const).flatMap((kind) =>
      Array.from({ length: 8 }, (_, at) => publish(kind, at % 2 === 0 ? 'sell' : 'buy')),
    ),
  );
  expect([all.slice(0, 8), all.slice(8)].map((some) => some.filter(Boolean).length)).toEqual([3, 3]);
  const { rows } = await ads.list({ ownerId: 71, kind: 'c2c', states: ['waiting', 'shelf'] }, FIRST);
  await database.transaction((tx) =>
    ads.save(tx, { ...rows[0]!, state: 'off', surplus: 0n, surplusFee: 0n, returned: rows[0]!.total }),
  );
  expect(await publish('c2c', 'buy')).toBe(true);
});

test('the audit needs surplus and deals with their fees, and reports differences [C2C-021]', async () => {
  const first = await published({ ownerId: 41, total: coins('100') });
  const { ad, deal } = await dealt(first, coins('40'), 42);
  const audit = new PartsAudit(database, [new DealAudit()]);
  const all = Array.from({ length: 256 }, (_, at) => at);
  const held = async (): Promise<string | undefined> =>
    (await audit.holdLines('ad', all)).lines.find(({ hold }) => hold === `ad:${ad.id}`)?.amount;
  const wrong = async (): Promise<string[]> =>
    (await audit.checks()).filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  expect([await held(), await wrong()]).toEqual(['100.1', []]);
  const gone = cancelDeal(deal, 42, NOW + 1) as Deal;
  await database.transaction((tx) => deals.save(tx, gone));
  expect(await held()).toBe('60.06');
  expect(await wrong()).toEqual([
    `surplus: not so: ad ${ad.id}`,
    `adDeals: not so: ad ${ad.id}`,
    'takers: not so: person 42',
  ]);
  await database.transaction(async (tx) => {
    await ads.save(tx, cancelDealInAd(ad, gone).ad);
    await deals.releaseOpenDeal(tx, 42);
  });
  expect([await held(), await wrong()]).toEqual(['100.1', []]);
  expect(await deals.listStatistics([41, 1], NOW)).toEqual(
    new Map([[41, { finished: 0, ended: 1, releaseSeconds: 0 }]]),
  );
  expect((await deals.listStatistics([41], NOW + 2)).size).toBe(0);
});

test('statistics of an owner count finished deals and the exact average release time [C2C-014]', async () => {
  const of = { ownerId: 51, shopId: 9, total: coins('100'), min: 0n, max: coins('100') };
  const [sell, buy] = [await published(of), await published({ ...of, type: 'buy' })];
  const end = async (ad: Ad, waited: number | null): Promise<Ad> => {
    const { ad: after, deal: taking } = await dealt(ad, coins('10'), 52);
    const deal = acceptDeal(taking);
    const buyer = deal.type === 'sell' ? 52 : 51;
    const ended =
      waited === null
        ? cancelDeal(deal, buyer, NOW + 5)
        : confirmDeal(payDeal(deal, buyer, NOW + 1_000, null) as Deal, buyer === 52 ? 51 : 52, NOW + 1_000 + waited);
    await database.transaction((tx) => deals.save(tx, ended as Deal));
    return after;
  };
  const known = async () => [
    (await deals.listStatistics([51], NOW)).get(51),
    (await new PostgresShops(database).listFigures([{ id: 9, userId: 51 } as Shop], NOW)).get(9),
  ];
  expect(await known()).toEqual([undefined, { finished: 0, ended: 0, releaseSeconds: 0, ads: 2 }]);
  // The taker of a buy ad releases, so its owner gets no release time.
  await end(buy, 3_600_000);
  expect((await known())[0]).toEqual({ finished: 1, ended: 1, releaseSeconds: 0 });
  const rest = await end(await end(await end(sell, 60_000), 180_000), null);
  const figures = { finished: 3, ended: 4, releaseSeconds: 120 };
  expect(await known()).toEqual([figures, { ...figures, ads: 2 }]);
  await end(rest, 60_100);
  expect((await known())[0]).toEqual({ finished: 4, ended: 5, releaseSeconds: 101 });
});

test('a migration gives earlier cancels by deadline the time of their end [C2C-035]', async () => {
  const older = await testDatabases();
  try {
    const before = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ id }) => id === 'deals-0005-expired'),
    );
    const old = await older.databases.open({ schema: 'escrow', migrations: before });
    await old.execute(
      `insert into ad (id, kind, type, owner_id, owner_account, owner_name, shop_id, level, currency_id, currency_name,
         scale, coin_code, fiat_scale, price, way, total, min_number, max_number, fee_rate, limit_minutes, created_at,
         state, surplus, surplus_fee, finished, returned, open_deals)
       values (1001, 'c2c', 'sell', 1, 'legal', 's***', null, '', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 100, 0, 100, 0.1,
         15, now(), 'shelf', 100, 0.1, 0, 0, 0)`,
    );
    const deadline = new Date(NOW);
    // Cancelled by its deadline, reopened by an appeal, paid in time, and cancelled by its buyer.
    const rows = [
      [1, 'cancelled', 'deadline', deadline, null],
      [2, 'paid', null, null, new Date(NOW + 60_000)],
      [3, 'paid', null, null, new Date(NOW - 60_000)],
      [4, 'cancelled', 'buyer', new Date(NOW - 60_000), null],
    ];
    for (const [id, state, by, ended, paid] of rows)
      await old.execute(
        `insert into deal (id, ad_id, kind, type, owner_id, taker_id, owner_name, taker_name, owner_lang, taker_lang,
           seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number, money, fee,
           in_ad, state, appeal, cancelled_by, created_at, deadline, ended_at, paid_at, facts)
         values ($1, 1001, 'c2c', 'sell', 1, 2, 's', 't', 'en', 'en', 'legal', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 1,
           6.5, 0, true, $2, 'none', $3, now(), $6, $4, $5, '')`,
        [id, state, by, ended, paid, deadline],
      );
    const now = (await older.another().open({ schema: 'escrow', migrations: MIGRATIONS })) as C2cDatabase;
    const store = new PostgresDeals(now);
    const expired = await Promise.all(['1', '2', '3', '4'].map(async (id) => (await store.find(id))?.expiredAt));
    expect(expired).toEqual([NOW, NOW, null, null]);
  } finally {
    await older.end();
  }
});
