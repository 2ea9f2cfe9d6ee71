import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ACCOUNT_FACTS, INTERNAL_CURRENCIES, mayGoNegative, mayGoNegativeSql } from '@bourse/events';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { migrations } from '../../../src/migrations.js';

jest.setTimeout(testTimeoutMs(24_000));

let db: TestDatabases;
beforeAll(async () => {
  db = await testDatabases();
});
afterAll(() => db.end());

const USDT = 3;
const CURRENCIES = [USDT, ...Object.values(INTERNAL_CURRENCIES).map(({ id }) => id)];
const NAMES = [...ACCOUNT_FACTS.keys(), 'unknown'];

test('the columns allow negative balances exactly where the table of accounts does [LEDGER-051]', async () => {
  const database = await db.another().open({ schema: 'ledger', migrations });
  const [constraint] = await database.query<{ expression: string }>(
    `select pg_get_expr(conbin, conrelid) as expression from pg_constraint where conname = 'balance_available_check'`,
  );
  const cells = NAMES.flatMap((product) =>
    CURRENCIES.flatMap((currency) => [7, -1].map((owner) => ({ product, currency, owner }))),
  );
  const rows = await database.query<{
    product: string;
    currency: number;
    owner: number;
    by_column: boolean;
    by_audit: boolean;
  }>(
    `select product, currency, owner, (${constraint?.expression ?? 'false'}) as by_column,
      ${mayGoNegativeSql()} as by_audit
     from (select owner, product, currency, -1::numeric as available
       from unnest($1::int[], $2::text[], $3::int[]) as c(owner, product, currency)) cell`,
    [cells.map(({ owner }) => owner), cells.map(({ product }) => product), cells.map(({ currency }) => currency)],
  );
  expect(rows).toHaveLength(cells.length);
  for (const { product, currency, owner, by_column: byColumn, by_audit: byAudit } of rows) {
    const allowed = owner < 0 && mayGoNegative(product, currency);
    expect([product, currency, owner, byColumn, byAudit]).toEqual([product, currency, owner, allowed, allowed]);
  }
  // Not vacuous: some are let below zero and most are not.
  expect(rows.filter(({ by_column: allowed }) => allowed)).toHaveLength(CURRENCIES.length * 3 + 1);
});
