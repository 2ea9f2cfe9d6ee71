import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PartsAudit } from '@bourse/messaging';
import { PostgresShops } from '../../src/shops/persistence/postgres-shops.js';
import { ShopAudit } from '../../src/shops/persistence/audit.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';
import { submitForReview, decideShop, type DecidedShop, type Shop } from '../../src/shops/domain/shop.js';

jest.setTimeout(testTimeoutMs(24_000));

const usdt = (text: string): bigint => toUnits(text, 8);
const NOW = 1_767_225_600_000;
const FIRST = { page: 1, size: 10, offset: 0 };

let world: TestDatabases;
let database: C2cDatabase;
let store: PostgresShops;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 })) as C2cDatabase;
  store = new PostgresShops(database);
});
afterAll(() => world?.end());

/** A shop that waits for its deposit; null: its owner already has one. */
async function added(userId: number, currencyId: number): Promise<Shop | null> {
  return database.transaction(async (tx) => {
    const shop: Shop = {
      ...{ id: await store.nextId(tx), userId, name: 'Harbour Desk', currencyId, currencyName: 'USDT' },
      ...{ level: 'advanced', state: 'waiting', depositCurrencyId: 3, depositScale: 8, deposit: usdt('2000.00000001') },
      ...{ createdAt: NOW, decidedAt: null },
    };
    return (await store.insert(tx, shop)) ? shop : null;
  });
}
const save = (shop: Shop): Promise<void> => database.transaction((tx) => store.save(tx, shop));

test('a shop is stored unchanged, one per person and coin until it is refused [SHOP-006]', async () => {
  const shops = (await Promise.all(Array.from({ length: 5 }, () => added(1, 3)))).filter((shop) => shop !== null);
  expect(shops).toHaveLength(1);
  const [shop] = shops;
  expect(await store.find(shop!.id)).toBeNull();
  expect((await store.list({ userId: 1 }, FIRST)).total).toBe(0);
  await save(submitForReview(shop!));
  expect(await store.find(shop!.id)).toEqual(submitForReview(shop!));
  expect(await added(1, 1)).not.toBeNull();
  const refused = (decideShop(submitForReview(shop!), { pass: false }, NOW + 5) as DecidedShop).shop;
  await save(refused);
  expect(await store.find(shop!.id)).toEqual(refused);
  expect(await added(1, 3)).not.toBeNull();
  expect(await store.list({ userId: 1, state: 'refused' }, FIRST)).toEqual({ rows: [refused], total: 1 });
});

test('a refused deposit leaves no shop [SHOP-001]', async () => {
  const shop = await added(2, 3);
  await database.transaction((tx) => store.drop(tx, shop!.id));
  expect(await database.transaction((tx) => store.lock(tx, shop!.id))).toBeNull();
  const again = await added(2, 3);
  await save(submitForReview(again!));
  await database.transaction((tx) => store.drop(tx, again!.id));
  expect(await store.find(again!.id)).not.toBeNull();
});

const ad = (id: number, shopId: number, state: string) =>
  database.execute(
    `insert into ad (id, kind, type, owner_id, owner_account, owner_name, shop_id, level, currency_id, currency_name,
       scale, coin_code, fiat_scale, price, way, total, min_number, max_number, fee_rate, limit_minutes, created_at,
       state, surplus, surplus_fee, finished, returned, open_deals)
     values ($1, 'shop', 'sell', 3, 'merchant', 'sel****', $2, 'verified', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 100,
       1, 50, 0.1, 1440, now(), $3, 100, 0.1, 0, 0, 0)`,
    [id, shopId, state],
  );

test('ads on the shelf and deals of 30 days count for their shop [SHOP-008]', async () => {
  const shop = submitForReview((await added(3, 3))!);
  await save(shop);
  const deal = (id: number, shopId: number, state: string, endedAt: number | null) =>
    database.execute(
      `insert into deal (id, ad_id, kind, type, shop_id, owner_id, taker_id, owner_name, taker_name, owner_lang,
         taker_lang, seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number,
         money, fee, in_ad, state, appeal, created_at, deadline, ended_at, facts)
       values ($1, 9001, 'shop', 'sell', $2, 3, 4, 's', 't', 'en', 'en', 'merchant', 3, 'USDT', 8, 'CNY', 2, 6.5,
         'bank', 10, 65, 0.01, true, $3, 'none', now(), now(), to_timestamp($4::float8 / 1000), '')`,
      [id, shopId, state, endedAt],
    );
  await ad(9001, shop.id, 'shelf');
  await ad(9002, shop.id, 'off');
  await ad(9003, shop.id + 1, 'shelf');
  await deal(1, shop.id, 'finished', NOW);
  await deal(2, shop.id, 'finished', NOW);
  await deal(3, shop.id, 'cancelled', NOW);
  await deal(4, shop.id, 'finished', NOW - 1);
  await deal(5, shop.id, 'paid', null);
  await deal(6, shop.id + 1, 'finished', NOW);
  expect(await store.listFigures([shop], NOW)).toEqual(
    new Map([[shop.id, { finished: 2, ended: 3, releaseSeconds: 0, ads: 1 }]]),
  );
});

test('shops need their deposits in the ledger, except waiting and refused ones [SHOP-009]', async () => {
  const shop = submitForReview((await added(5, 3))!);
  await save(shop);
  const audit = new PartsAudit(database, [new ShopAudit()]);
  const lines = async (): Promise<readonly object[]> =>
    (
      await audit.holdLines(
        'shop',
        Array.from({ length: 256 }, (_, at) => at),
      )
    ).lines;
  expect(await lines()).toContainEqual({ hold: `shop:${shop.id}`, currency: 3, amount: '2000.00000001' });
  await save((decideShop(shop, { pass: false }, NOW) as DecidedShop).shop);
  expect(JSON.stringify(await lines())).not.toContain(`shop:${shop.id}"`);
});

test('a shop that is not open has no ad on the shelf [SHOP-009]', async () => {
  await database.execute('delete from deal');
  await database.execute('delete from ad');
  const audit = new PartsAudit(database, [new ShopAudit()]);
  const shop = submitForReview((await added(6, 3))!);
  const open = decideShop(shop, { pass: true, level: 'advanced', deposit: 0n }, NOW) as DecidedShop;
  await save(open.shop);
  await ad(9101, shop.id, 'shelf');
  await ad(9102, shop.id + 1_000, 'off');
  expect(await audit.checks()).toMatchObject([{ name: 'shopAds', ok: true }]);
  await ad(9103, shop.id + 1_000, 'shelf');
  expect(await audit.checks()).toMatchObject([{ ok: false, detail: 'not so: ad 9103' }]);
});
