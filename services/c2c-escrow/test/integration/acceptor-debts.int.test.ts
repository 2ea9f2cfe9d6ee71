import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { toUnits } from '@bourse/money';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { MIGRATIONS } from '../../src/migrations.js';
import { PostgresAcceptorDebts } from '../../src/acceptors/persistence/postgres-acceptor-debts.js';
import { PostgresShops } from '../../src/shops/persistence/postgres-shops.js';
import type { C2cDatabase } from '../../src/shared/application/database.js';
import type { Shop } from '../../src/shops/domain/shop.js';

jest.setTimeout(testTimeoutMs(24_000));

const coins = (text: string): bigint => toUnits(text, 8);
let world: TestDatabases;
let database: C2cDatabase;
let debts: PostgresAcceptorDebts;
beforeAll(async () => {
  world = await testDatabases({ shape: { schema: 'escrow', migrations: MIGRATIONS } });
  database = (await world.databases.open({ schema: 'escrow', migrations: MIGRATIONS, poolMax: 6 })) as C2cDatabase;
  debts = new PostgresAcceptorDebts(database);
  await database.execute(
    `insert into acceptor (user_id, name, recharge_rate, cash_rate) values (7, 'Pier', 2, 2), (8, 'Quay', 2, 2)`,
  );
  for (const id of [41, 42])
    await database.execute(
      `insert into acceptor_deal (id, type, user_id, acceptor_id, acceptor_name, acceptor_account, currency_id, scale,
         coins, cash, way, mobile, account, silent_ms, auto_ms, state, stage, dispute, missing, created_at, updated_at)
       values ($1, 'sell', 1, 7, 'Pier', '', 3, 8, 100, 98, 'bank', '', '', 1, 1, 'rejected', 'objected', 'returned',
         70, now(), now())`,
      [id],
    );
});
afterAll(() => world?.end());

const owed = async (): Promise<bigint> => (await debts.findOwed([7, 8])).get(7) ?? 0n;

test('debts are paid oldest first, and a payment under way is not paid twice [HARD-449]', async () => {
  const debt = { acceptorId: 7, currencyId: 3, scale: 8 };
  await database.transaction(async (tx) => {
    await debts.add(tx, { ...debt, dealId: '41', amount: coins('70.00000001'), createdAt: 1 });
    await debts.add(tx, { ...debt, dealId: '42', amount: coins('1234567890.12345678'), createdAt: 2 });
  });
  expect(await owed()).toBe(coins('1234567960.12345679'));
  const aside = (units: string) => database.transaction((tx) => debts.reserve(tx, 7, coins(units)));
  const [first, second] = [await aside('50'), await aside('50')];
  expect([first, second]).toEqual([
    [{ dealId: '41', units: coins('50') }],
    [
      { dealId: '41', units: coins('20.00000001') },
      { dealId: '42', units: coins('29.99999999') },
    ],
  ]);
  expect(await owed()).toBe(coins('1234567960.12345679'));
  await database.transaction((tx) => debts.release(tx, second));
  await database.transaction((tx) => debts.settle(tx, first));
  expect(await owed()).toBe(coins('1234567910.12345679'));
  const rest = await aside('9999999999');
  await database.transaction((tx) => debts.settle(tx, rest));
  expect([await owed(), await aside('1')]).toEqual([0n, []]);
});

test('a closed shop frees its coin for a next shop, and is busy while it has ads or deals [HARD-441]', async () => {
  const shops = new PostgresShops(database);
  const shop: Shop = {
    ...{ id: 101, userId: 5, name: 'Desk', currencyId: 3, currencyName: 'USDT', level: 'verified', state: 'waiting' },
    ...{ depositCurrencyId: 3, depositScale: 8, deposit: coins('500'), createdAt: 1, decidedAt: null },
  };
  const insert = (id: number): Promise<boolean> => database.transaction((tx) => shops.insert(tx, { ...shop, id }));
  const save = (state: Shop['state'], deposit = shop.deposit): Promise<void> =>
    database.transaction((tx) => shops.save(tx, { ...shop, state, deposit, decidedAt: 2 }));
  expect([await insert(101), await insert(102)]).toEqual([true, false]);
  await save('open');
  expect(await database.transaction((tx) => shops.isBusy(tx, 101))).toBe(false);
  await save('closing');
  expect(await insert(102)).toBe(false);
  await save('closed', 0n);
  expect(await insert(102)).toBe(true);
  await expect(save('closed')).rejects.toThrow();
});
