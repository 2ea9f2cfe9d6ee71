import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { TOPICS, type UserNotice } from '@bourse/events';
import type { Log, Readers } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import { SystemClock } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { NOTICES_MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresNotices } from '../../src/adapters/persistence/postgres-notices.js';
import { PostgresPushes } from '../../src/adapters/persistence/postgres-pushes.js';
import { NoticeReaders } from '../../src/application/notice-readers.js';
import { NOTICE_MAX } from '../../src/application/notice-settings.js';
import { NoticeUpkeep } from '../../src/application/notice-upkeep.js';
import { NoticeWriter } from '../../src/application/notice-writer.js';
import { PushQueue } from '../../src/application/push-queue.js';
import type { NoticesDatabase } from '../../src/application/ports.js';

jest.setTimeout(testTimeoutMs(24_000));

const START = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const MOST = 60;
const [ANNA, BERT] = [11, 12];
const PAGE = { offset: 0, size: 20 };
const reader = (userId: number, since = START - DAY_MS) => ({ userId, since });

let databases: TestDatabases;
let database: NoticesDatabase;
let store: PostgresNotices;
let writer: NoticeWriter;
let settings: Settings;
beforeAll(async () => {
  databases = await testDatabases({ shape: { schema: 'notices', migrations: NOTICES_MIGRATIONS } });
  database = await databases.databases.open({ schema: 'notices', migrations: NOTICES_MIGRATIONS });
  store = new PostgresNotices(database);
  settings = { get: ({ key }: { key: string }) => (key === NOTICE_MAX.key ? MOST : 180) } as unknown as Settings;
  const readers = { facts: () => Promise.resolve(new Map([[BERT, { userId: BERT, lang: 'de', since: START }]])) };
  const log = { partitionsOf: () => 1 } as unknown as Log;
  writer = new NoticeWriter(
    store,
    new NoticeReaders(readers as unknown as Readers),
    settings,
    new PushQueue(new PostgresPushes(database), new SystemClock()),
    log,
  );
});
afterAll(async () => {
  await databases.end();
});
beforeEach(async () => {
  await database.transaction((tx) => tx.execute('truncate notice, notice_read'));
});

const told = (userId: number, id: string, at = START): UserNotice => ({
  userId,
  id,
  kind: 'depositCredited',
  params: { amount: `${id} BTC` },
  link: '/account',
  at,
});
const write = (notices: readonly UserNotice[]): Promise<void> =>
  database.transaction((tx) => writer.write(tx, notices));
const titlesOf = async (userId: number): Promise<unknown[]> =>
  (await store.page(reader(userId), PAGE)).rows.map(({ params }) => params['amount']);
const broadcast = (source: string, at = START): Promise<number> =>
  database.transaction((tx) =>
    writer.add(tx, [
      { userId: null, source, kind: 'message', params: {}, texts: { en: { title: 'a', content: 'b' } }, link: '', at },
    ]),
  );
/** The pushes of a transaction: user and title. */
async function pushesOf(notices: readonly UserNotice[]): Promise<{ user: number; title: string }[]> {
  const pushed: { user: number; title: string }[] = [];
  await database.transaction(async (tx) => {
    const heard: Tx = Object.assign(Object.create(tx) as Tx, {
      emit: (topic: string, _partition: number, { body }: { body: unknown }) => {
        const { userId, payload } = body as { userId: number; payload: { title: string } };
        if (topic === TOPICS.userEvents) pushed.push({ user: userId, title: payload.title });
      },
    });
    await writer.write(heard, notices);
  });
  return pushed;
}

describe('notices of people [NOTICE-012]', () => {
  test('is stored once for each person, however often it arrives', async () => {
    await write([told(ANNA, '1'), told(BERT, '1'), told(ANNA, '1')]);
    await write([told(ANNA, '1'), told(ANNA, '2')]);
    expect(await titlesOf(ANNA)).toEqual(['2 BTC', '1 BTC']);
    expect(await titlesOf(BERT)).toEqual(['1 BTC']);
  });

  test('is undone with the transaction that it came in', async () => {
    await expect(
      database.transaction(async (tx) => {
        await writer.write(tx, [told(ANNA, '1')]);
        throw new Error('the process dies');
      }),
    ).rejects.toThrow('dies');
    await write([told(ANNA, '1')]);
    expect(await titlesOf(ANNA)).toEqual(['1 BTC']);
  });

  test('is pushed once, when it is new, in the language of the person [NOTICE-013]', async () => {
    expect(await pushesOf([told(ANNA, '1'), told(BERT, '1')])).toEqual([
      { user: ANNA, title: 'Deposit credited' },
      { user: BERT, title: 'Einzahlung gutgeschrieben' },
    ]);
    expect(await pushesOf([told(ANNA, '1')])).toEqual([]);
  });

  test('of a consumer that dies before its commit is stored once and pushed once [NOTICE-026]', async () => {
    const pushesInOutbox = async (): Promise<unknown[]> =>
      database.query(`select topic from outbox where topic = $1`, [TOPICS.userEvents]);
    const before = (await pushesInOutbox()).length;
    const take = (dies: boolean): Promise<void> =>
      database.transaction(async (tx) => {
        await writer.write(tx, [told(ANNA, 'w1')]);
        if (dies) throw new Error('the process dies');
      });
    await expect(take(true)).rejects.toThrow('dies');
    expect([await titlesOf(ANNA), (await pushesInOutbox()).length - before]).toEqual([[], 0]);
    // The one that takes over reads the same row of the stream; then it comes once more.
    for (const _ of ['again', 'repeated']) await take(false);
    expect([await titlesOf(ANNA), (await pushesInOutbox()).length - before]).toEqual([['w1 BTC'], 1]);
    expect((await store.page(reader(ANNA), PAGE)).unread).toBe(1);
  });

  test('comes in pages, the newest first, and counts unread ones', async () => {
    await write(Array.from({ length: 25 }, (_, at) => told(ANNA, String(at))));
    const first = await store.page(reader(ANNA), PAGE);
    const second = await store.page(reader(ANNA), { offset: 20, size: 20 });
    expect([first.rows.length, second.rows.length, first.total, first.unread]).toEqual([20, 5, 25, 25]);
    expect(second.rows.at(-1)?.source).toBe('0');
  });

  test('is read only by its recipient [NOTICE-014]', async () => {
    await write([told(ANNA, '1')]);
    const [notice] = (await store.page(reader(ANNA), PAGE)).rows;
    expect(await store.read(reader(BERT), notice!.id, START)).toBeNull();
    expect((await store.page(reader(ANNA), PAGE)).unread).toBe(1);
    expect(await store.read(reader(ANNA), notice!.id, START)).toMatchObject({ isRead: true });
    expect((await store.page(reader(ANNA), PAGE)).unread).toBe(0);
  });
});

describe('a message to everybody [NOTICE-015]', () => {
  test('is one row, read by each for themselves', async () => {
    await broadcast('message:1');
    await write([told(ANNA, '1')]);
    const [, message] = (await store.page(reader(ANNA), PAGE)).rows;
    await store.read(reader(ANNA), message!.id, START);
    expect(await store.page(reader(ANNA), PAGE)).toMatchObject({ total: 2, unread: 1 });
    expect(await store.page(reader(BERT), PAGE)).toMatchObject({ total: 1, unread: 1 });
    expect(await database.query('select count(*)::int as count from notice where user_id is null')).toEqual([
      { count: 1 },
    ]);
  });

  test('is hidden from people who registered later', async () => {
    await broadcast('message:1');
    const late = reader(BERT, START + 1);
    expect(await store.page(late, PAGE)).toEqual({ rows: [], total: 0, unread: 0 });
    const [message] = (await store.page(reader(ANNA), PAGE)).rows;
    expect(await store.read(late, message!.id, START)).toBeNull();
  });
});

describe('the store stays bounded [NOTICE-016]', () => {
  test('the oldest of one person go first, and no one else loses any', async () => {
    await write([told(BERT, '0')]);
    for (let round = 0; round < 4; round += 1)
      await write(Array.from({ length: 50 }, (_, at) => told(ANNA, String(round * 50 + at))));
    const { rows, total } = await store.page(reader(ANNA), PAGE);
    expect(total).toBeLessThanOrEqual(MOST);
    expect(rows[0]?.source).toBe('199');
    expect((await store.page(reader(BERT), PAGE)).total).toBe(1);
  });

  test('notices older than the setting are deleted', async () => {
    await write([told(ANNA, '1', START - 181 * DAY_MS), told(ANNA, '2', START - 179 * DAY_MS)]);
    await broadcast('message:old', START - 181 * DAY_MS);
    const clock = { now: () => START } as never;
    await new NoticeUpkeep(database, store, settings, clock).run();
    expect(await database.query('select source from notice')).toEqual([{ source: '2' }]);
  });
});
