import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresChats } from '../../src/chat/persistence/postgres-chats.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';

jest.setTimeout(testTimeoutMs(24_000));

const NOW = 1_767_225_600_000;
const [OWNER, TAKER] = [1, 2];

let world: TestDatabases;
let database: C2cDatabase;
let chats: PostgresChats;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 4 })) as C2cDatabase;
  chats = new PostgresChats(database);
  await database.execute(
    `insert into ad (id, kind, type, owner_id, owner_account, owner_name, shop_id, level, currency_id, currency_name,
       scale, coin_code, fiat_scale, price, way, total, min_number, max_number, fee_rate, limit_minutes, created_at,
       state, surplus, surplus_fee, finished, returned, open_deals)
     values (1001, 'c2c', 'sell', ${OWNER}, 'legal', 's***', null, '', 3, 'USDT', 8, 'CNY', 2, 6.5, 'bank', 100, 0,
       100, 0.1, 1440, now(), 'shelf', 100, 0.1, 0, 0, 0)`,
  );
});
afterAll(() => world?.end());

/** A deal with its end or null, and its chat with one line per picture. */
async function chat(id: number, endedAt: number | null, appeal: string, images: readonly string[]): Promise<void> {
  await database.execute(
    `insert into deal (id, ad_id, kind, type, owner_id, taker_id, owner_name, taker_name, owner_lang, taker_lang,
       seller_account, currency_id, currency_name, scale, coin_code, fiat_scale, price, way, number, money, fee, in_ad,
       state, appeal, created_at, deadline, ended_at, facts)
     values ($1, 1001, 'c2c', 'sell', ${OWNER}, ${TAKER}, 's', 't', 'en', 'en', 'legal', 3, 'USDT', 8, 'CNY', 2, 6.5,
       'bank', 40, 260, 0.04, true, case when $3::float8 is null then 'paid' else 'finished' end, $2, now(), now(),
       to_timestamp($3::float8 / 1000), '')`,
    [id, appeal, endedAt],
  );
  await database.transaction(async (tx) => {
    const deal = { dealId: String(id), buyerId: TAKER, sellerId: OWNER, buyerLang: 'en', sellerLang: 'en' } as const;
    await chats.open(tx, deal);
    for (const image of images)
      await chats.add(tx, deal.dealId, { from: 'buyer', text: 'look', image, key: '', params: {} }, NOW);
  });
}

test('expired chats are listed oldest first, with the pictures that no other chat names [CHAT-005]', async () => {
  await chat(1, NOW - 2, 'none', ['a.jpg', '', 'shared.jpg']);
  await chat(2, NOW - 3, 'buyer', ['b.jpg']);
  await chat(3, NOW - 1, 'open', ['appealed.jpg']);
  await chat(4, NOW, 'none', ['late.jpg', 'shared.jpg']);
  await chat(5, null, 'none', ['running.jpg']);
  expect(await chats.listExpired(NOW, 1)).toEqual({ dealIds: ['2'], pictures: ['b.jpg'] });
  const { dealIds, pictures } = await chats.listExpired(NOW, 10);
  expect([dealIds, [...pictures].sort()]).toEqual([
    ['2', '1'],
    ['a.jpg', 'b.jpg'],
  ]);
  await database.transaction((tx) => chats.remove(tx, dealIds));
  expect(await chats.listExpired(NOW, 10)).toEqual({ dealIds: [], pictures: [] });
  expect([await chats.find('1'), (await chats.listAll('4')).length, (await chats.listAll('3')).length]).toEqual([
    null,
    2,
    1,
  ]);
  // A picture is removed with the last chat that names it.
  expect((await chats.listExpired(NOW + 1, 10)).pictures.toSorted()).toEqual(['late.jpg', 'shared.jpg']);
});

test('lines of the two sides are counted, and a long chat is read completely [HARD-442]', async () => {
  await chat(9, null, 'none', []);
  const line = { text: 'x', image: '', key: '', params: {} } as const;
  const system = { from: 'system', text: '', key: 'c2c.line.paid' } as const;
  await database.transaction(async (tx) => {
    await chats.add(tx, '9', { ...line, ...system }, NOW);
    for (const from of ['support', 'buyer', 'seller', 'buyer'] as const)
      await chats.add(tx, '9', { ...line, from }, NOW);
  });
  expect(await database.transaction((tx) => chats.countSpoken(tx, '9'))).toBe(3);
  // Concurrent writers add no more lines than the limit.
  const write = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      if ((await chats.countSpoken(tx, '9')) >= 6) return false;
      await chats.add(tx, '9', { ...line, from: 'buyer' }, NOW);
      return true;
    });
  expect((await Promise.all(Array.from({ length: 12 }, write))).filter(Boolean)).toHaveLength(3);
  await database.transaction(async (tx) => {
    for (let count = 0; count < 450; count += 1) await chats.add(tx, '9', { ...line, ...system }, NOW);
  });
  const whole = await chats.listAll('9');
  expect(whole.map(({ id }) => id)).toEqual(Array.from({ length: 458 }, (_, at) => at + 1));
});

test('lines after a number beyond the range of their column are none [CLIENT-120]', async () => {
  await chat(6, null, 'none', ['']);
  const page = { page: 1, size: 10, offset: 0 };
  for (const after of [2 ** 31, Number.MAX_SAFE_INTEGER])
    expect(await chats.list('6', after, page)).toEqual({ rows: [], total: 0 });
  expect((await chats.list('6', 0, page)).total).toBe(1);
});
