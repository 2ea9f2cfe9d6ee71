import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entityDifferences, testDatabases, type TestDatabases } from '@bourse/testing';
import type { NoticesDatabase } from '../../src/application/ports.js';
import { NOTICES_ENTITIES } from '../../src/adapters/persistence/entities/index.js';
import { NOTICES_MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresNews } from '../../src/adapters/persistence/postgres-news.js';
import { seedNews } from '../../src/seed/seed-news.js';

let databases: TestDatabases;
let database: NoticesDatabase;
let news: PostgresNews;
beforeAll(async () => {
  databases = await testDatabases();
  database = await databases.databases.open({
    schema: 'notices',
    migrations: NOTICES_MIGRATIONS,
    entities: NOTICES_ENTITIES,
  });
  news = new PostgresNews(database);
  await seedNews(database, news, Date.UTC(2026, 0, 1));
}, 30_000);
afterAll(async () => {
  await databases.end();
});

const titles = async (category: number, lang: 'en' | 'de' | 'cr', offset = 0, size = 20): Promise<string[]> =>
  (await news.list(category, lang, { offset, size })).items.map(({ title }) => title);

test('the entities are the tables that the migrations have made [DB-013]', async () => {
  expect(await entityDifferences(database)).toEqual([]);
});

describe('seeded news', () => {
  test("stand in the reader's language, the fixed support article first [NOTICE-002]", async () => {
    expect(await titles(36, 'en')).toEqual(['Deposits', 'Order types', 'Fees in detail', 'Keeping your account safe']);
    expect((await titles(36, 'de'))[0]).toBe('Einzahlungen');
    expect((await titles(36, 'cr'))[0]).toBe('Depo');
  });

  test('are seeded once', async () => {
    await seedNews(database, news, Date.UTC(2026, 1, 1));
    expect((await news.list(11, 'en', { offset: 0, size: 20 })).total).toBe(3);
  });

  test('come in pages, and a category without news is empty', async () => {
    expect(await titles(11, 'en', 2, 2)).toHaveLength(1);
    expect(await news.list(11, 'en', { offset: 20, size: 20 })).toEqual({ items: [], total: 3 });
    for (const category of [0, 77, Number.MAX_SAFE_INTEGER])
      expect(await news.list(category, 'en', { offset: 0, size: 20 })).toEqual({ items: [], total: 0 });
  });
});

test('an item without a text in the language is read in English; texts come out clean [NOTICE-001]', async () => {
  const dirty = '<p onclick="steal()">hello</p><script>steal()</script>';
  await database.transaction((tx) =>
    news.add(
      tx,
      {
        id: 5_000,
        category: 11,
        cover: '',
        link: '',
        texts: { en: { title: '<b>Title</b>', abstract: 'short', content: dirty } },
      },
      { pinned: false, updatedAt: Date.UTC(2026, 0, 2) },
    ),
  );
  expect(await news.byId(5_000, 'de')).toMatchObject({ title: 'Title', content: '<p>hello</p>' });
  await databases.query(`update notices.news_text set content = $1 where news_id = 5000`, [dirty]);
  expect(await news.byId(5_000, 'en')).toMatchObject({ content: '<p>hello</p>' });
  expect((await titles(11, 'en'))[0]).toBe('Title');
  expect(await news.byId(5_001, 'en')).toBeNull();
});
