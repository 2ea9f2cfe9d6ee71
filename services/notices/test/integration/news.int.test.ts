import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Refused, type Caller, type Clock } from '@bourse/platform';
import { entityDifferences, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import type { NoticesDatabase } from '../../src/application/ports.js';
import { NOTICES_ENTITIES } from '../../src/adapters/persistence/entities/index.js';
import { NOTICES_MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { NewsAdmin } from '../../src/application/news-admin.js';
import { PostgresNewsItems } from '../../src/adapters/persistence/postgres-news-items.js';
import { PostgresNews } from '../../src/adapters/persistence/postgres-news.js';
import { seedNews } from '../../src/seed/seed-news.js';

jest.setTimeout(testTimeoutMs(24_000));

let databases: TestDatabases;
let database: NoticesDatabase;
let news: PostgresNews;
let desk: NewsAdmin;
/** Names of uploads that the gateway accepts as pictures of news. */
const ours = new Set<string>();
let now = Date.UTC(2026, 0, 1);
const clock = { now: () => now, real: () => now } as Clock;
beforeAll(async () => {
  databases = await testDatabases({ shape: { schema: 'notices', migrations: NOTICES_MIGRATIONS } });
  database = await databases.databases.open({
    schema: 'notices',
    migrations: NOTICES_MIGRATIONS,
    entities: NOTICES_ENTITIES,
  });
  news = new PostgresNews(database, clock);
  desk = new NewsAdmin(
    database,
    new PostgresNewsItems(database),
    { claim: (names) => Promise.resolve(new Set(names.filter((name) => ours.has(name)))) },
    clock,
  );
  await seedNews(database, news, Date.UTC(2026, 0, 1));
});
afterAll(async () => {
  await databases.end();
});

const titles = async (category: number, lang: 'en' | 'de' | 'cr', offset = 0, size = 20): Promise<string[]> =>
  (await news.list(category, lang, { offset, size })).rows.map(({ title }) => title);

test('the entities are the tables that the migrations have made [DB-013]', async () => {
  expect(await entityDifferences(database)).toEqual([]);
});

describe('seeded news', () => {
  test("are in the reader's language, the fixed support article first [NOTICE-002]", async () => {
    expect(await titles(36, 'en')).toEqual([
      'Contract management',
      'Deposits',
      'Order types · Fees in detail',
      'Keeping your account safe',
    ]);
    expect((await titles(36, 'de'))[0]).toBe('Vertragsverwaltung');
    expect((await titles(36, 'cr'))[0]).toBe('Jesyon kontra');
  });

  test('have a picture of ours and a link on every banner, and operators name no other [NEWS-005]', async () => {
    const { rows } = await news.list(34, 'en', { offset: 0, size: 20 });
    expect(rows.map(({ cover, link }) => [cover, link])).toEqual([
      ['/pictures/banner-book.svg', '/dealCenter'],
      ['/pictures/banner-account.svg', '/register'],
      ['/pictures/banner-ledger.svg', '/finanrec'],
    ]);
    const support = { userId: 7, accountNumber: 'support1' } as Caller;
    const given = { id: 3401, lang: 'en', title: 'A real order book', reason: 'a new title' } as const;
    for (const cover of [
      '/pictures/other.svg',
      '/pictures/../api/x',
      'https://elsewhere.example/pictures/banner-book.svg',
    ])
      await expect(desk.save(support, { ...given, cover })).rejects.toMatchObject({ key: 'upload.required' });
  });

  test('are seeded once', async () => {
    await seedNews(database, news, now);
    expect((await news.list(11, 'en', { offset: 0, size: 20 })).total).toBe(3);
  });

  test('come in pages, and a category without news is empty', async () => {
    expect(await titles(11, 'en', 2, 2)).toHaveLength(1);
    expect(await news.list(11, 'en', { offset: 20, size: 20 })).toEqual({ rows: [], total: 3 });
    for (const category of [0, 77, Number.MAX_SAFE_INTEGER])
      expect(await news.list(category, 'en', { offset: 0, size: 20 })).toEqual({ rows: [], total: 0 });
  });
});

test('an item without a text in the language is read in English; texts come out clean [NOTICE-001]', async () => {
  now = Date.UTC(2026, 0, 2);
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
      { pinned: false, updatedAt: now },
    ),
  );
  expect(await news.byId(5_000, 'de')).toMatchObject({ title: 'Title', content: '<p>hello</p>' });
  await databases.query(`update notices.news_text set content = $1 where news_id = 5000`, [dirty]);
  expect(await news.byId(5_000, 'en')).toMatchObject({ content: '<p>hello</p>' });
  expect((await titles(11, 'en'))[0]).toBe('Title');
  expect(await news.byId(5_001, 'en')).toBeNull();
});

describe('news that operators write', () => {
  const support = { userId: 7, accountNumber: 'support1' } as Caller;
  const reason = 'as the rules have changed';
  const idOf = (notice: { extra: Readonly<Record<string, unknown>> }): number => notice.extra['id'] as number;
  const picture = (letter: string): string => `${letter.repeat(24)}.png`;

  test('come by language, fall back to English, leave a line of the audit log [NEWS-002] [NEWS-003]', async () => {
    const saved = await desk.save(support, {
      ...{ category: 11, lang: 'en', title: 'Maintenance', content: '<p>Sunday</p><script>x</script>', reason },
    });
    const id = idOf(saved);
    expect(id).toBeGreaterThanOrEqual(10_000);
    await desk.save(support, { id, lang: 'de', title: 'Wartung', content: '<p>Sonntag</p>', reason });
    expect(await news.byId(id, 'de')).toMatchObject({ title: 'Wartung', content: '<p>Sonntag</p>' });
    expect(await news.byId(id, 'fr')).toMatchObject({ title: 'Maintenance', content: '<p>Sunday</p>' });
    await desk.remove(support, { id, lang: 'de', reason });
    expect(await news.byId(id, 'de')).toMatchObject({ title: 'Maintenance' });
    await desk.remove(support, { id, lang: 'en', reason });
    expect(await news.byId(id, 'en')).toBeNull();
    await expect(desk.remove(support, { id, lang: 'en', reason })).rejects.toMatchObject({ key: 'common.notFound' });
    const lines = await databases.query(`select payload from notices.outbox where topic = 'operator.actions'`);
    expect(lines).toHaveLength(4);
  });

  test('are listed pinned first, then by place, then the newest; those of the future not yet [NEWS-004]', async () => {
    const make = async (title: string, given: object): Promise<number> =>
      idOf(await desk.save(support, { category: 33, lang: 'en', title, content: '<p>x</p>', reason, ...given }));
    await make('old', { publishedAt: now - 2_000 });
    await make('new', { publishedAt: now - 1_000 });
    await make('high', { publishedAt: now - 9_000, place: 2 });
    const pinned = await make('pinned', { publishedAt: now - 10_000, isPinned: true });
    const future = await make('future', { publishedAt: now + 60_000 });
    const own = async (): Promise<string[]> => (await titles(33, 'en')).filter((title) => title !== 'Before you start');
    expect(await own()).toEqual(['pinned', 'high', 'new', 'old']);
    expect(await news.byId(future, 'en')).toBeNull();
    const { data } = await desk.list({ category: 33 }, 'en', { page: 1, size: 20, offset: 0 });
    expect(data.map(({ title }) => title)).toContain('future');
    await desk.save(support, { id: pinned, lang: 'en', isPinned: false, reason });
    expect((await own()).at(-1)).toBe('pinned');
    now += 60_000;
    expect(await own()).toContain('future');
  });

  test('show only our own pictures, as cover and in the text [NEWS-001]', async () => {
    ours.add(picture('a')).add(picture('b'));
    const [a, b] = [picture('a'), picture('b')].map((name) => `/api/upload/${name}`);
    const fields = { category: 34, lang: 'en', title: 'Banner', link: '/dealCenter', reason } as const;
    const saved = await desk.save(support, { ...fields, cover: `${a}?e=1&s=2`, content: `<p>x</p><img src="${b}">` });
    expect(await news.byId(idOf(saved), 'en')).toMatchObject({
      cover: a,
      link: '/dealCenter',
      content: `<p>x</p><img src="${b}" alt="" loading="lazy" />`,
    });
    const refused = (given: object): Promise<unknown> =>
      desk.save(support, { ...fields, content: '<p>x</p>', ...given }).then(
        () => null,
        (error: unknown) => error instanceof Refused && [error.key, error.options.field],
      );
    expect(await refused({ cover: `/api/upload/${picture('c')}` })).toEqual(['upload.required', 'cover']);
    expect(await refused({ cover: `https://elsewhere.example${a}` })).toEqual(['upload.required', 'cover']);
    expect(await refused({ content: `<img src="/api/upload/${picture('c')}">` })).toEqual([
      'upload.required',
      'content',
    ]);
  });
});
