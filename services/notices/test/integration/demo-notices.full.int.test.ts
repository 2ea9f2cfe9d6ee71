import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { DEMO_PEOPLE, LANGUAGES } from '@bourse/contract';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { NOTICES_MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresNotices } from '../../src/adapters/persistence/postgres-notices.js';
import type { NoticesDatabase } from '../../src/application/ports.js';
import { seedNotices } from '../../src/seed/seed-notices.js';

jest.setTimeout(testTimeoutMs(24_000));

const NOW = Date.UTC(2026, 0, 1);
let databases: TestDatabases;
let database: NoticesDatabase;
beforeAll(async () => {
  databases = await testDatabases({ shape: { schema: 'notices', migrations: NOTICES_MIGRATIONS } });
  database = await databases.databases.open({ schema: 'notices', migrations: NOTICES_MIGRATIONS });
});
afterAll(async () => {
  await databases.end();
});

test('each of the demo people has one unread notice, in every language, once for all starts [NOTICE-040]', async () => {
  const store = new PostgresNotices(database);
  for (let start = 0; start < 2; start += 1) await seedNotices(database, store, NOW + start);
  for (const { id: userId, cannotSignIn } of DEMO_PEOPLE) {
    const page = await store.page({ userId, since: NOW }, { offset: 0, size: 20 });
    expect([userId, page.total, page.unread]).toEqual([userId, cannotSignIn ? 0 : 1, cannotSignIn ? 0 : 1]);
    const [notice] = page.rows;
    if (!notice) continue;
    expect(notice).toMatchObject({ kind: 'message', link: '', at: NOW });
    expect(Object.keys(notice.texts ?? {}).sort()).toEqual([...LANGUAGES].sort());
    expect(new Set(Object.values(notice.texts ?? {}).map(({ title }) => title)).size).toBeGreaterThan(14);
  }
});
