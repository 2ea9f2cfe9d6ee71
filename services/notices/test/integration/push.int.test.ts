import { createECDH, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { PushGroup } from '@bourse/contract';
import type { Log, Readers } from '@bourse/messaging';
import type { Clock, Config } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { NOTICES_MIGRATIONS } from '../../src/adapters/persistence/migrations.js';
import { PostgresNotices } from '../../src/adapters/persistence/postgres-notices.js';
import { PostgresPushes } from '../../src/adapters/persistence/postgres-pushes.js';
import { NoticeReaders } from '../../src/application/notice-readers.js';
import { NoticeWriter } from '../../src/application/notice-writer.js';
import { PushAlerts } from '../../src/application/push-alerts.js';
import { DEVICES_MAX, PushDevices } from '../../src/application/push-devices.js';
import { PushKey } from '../../src/application/push-key.js';
import { PER_MINUTE_MAX, PushQueue } from '../../src/application/push-queue.js';
import type { FreePlaces, PriceRange } from '../../src/application/push-ports.js';
import type { NoticesDatabase } from '../../src/application/ports.js';

jest.setTimeout(testTimeoutMs(24_000));

const [ANNA, BERT] = [11, 12];
const config = (internalSecret: string, old: readonly string[] = []): Config =>
  ({ internalSecret, internalSecretsOld: old, pushTestOrigin: null, publicOrigins: [] }) as unknown as Config;

let databases: TestDatabases;
let database: NoticesDatabase;
let store: PostgresPushes;
let writer: NoticeWriter;
let queue: PushQueue;
let readers: NoticeReaders;
let devices: PushDevices;
/** Real time of the rate, ms. */
let realTime = 0;
beforeAll(async () => {
  databases = await testDatabases({ shape: { schema: 'notices', migrations: NOTICES_MIGRATIONS } });
  database = await databases.databases.open({ schema: 'notices', migrations: NOTICES_MIGRATIONS });
});
afterAll(async () => {
  await databases.end();
});
beforeEach(async () => {
  await database.transaction((tx) =>
    tx.execute('truncate notice, notice_read, push_key, push_device, push_alert, push_due'),
  );
  store = new PostgresPushes(database);
  const facts = { facts: () => Promise.resolve(new Map([[BERT, { userId: BERT, lang: 'de', since: 0 }]])) };
  readers = new NoticeReaders(facts as unknown as Readers);
  queue = new PushQueue(store, { real: () => realTime } as Clock);
  const settings = { get: () => 500 } as unknown as Settings;
  const log = { partitionsOf: () => 1 } as unknown as Log;
  writer = new NoticeWriter(new PostgresNotices(database), readers, settings, queue, log);
  devices = new PushDevices(database, store, new PushKey(store, config('a')), config('a'));
});

const register = (userId: number, name: string, groups: readonly PushGroup[], host = 'push.example.org') =>
  devices.add({
    userId,
    endpoint: `https://${host}/${name}`,
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
    label: name,
    groups,
  });
const tell = (userId: number, id: string, kind: 'orderFilled' | 'depositCredited' | 'passwordChanged'): Promise<void> =>
  database.transaction((tx) =>
    writer.write(tx, [
      {
        userId,
        id,
        kind,
        params: { amount: '1 BTC', symbol: 'BTC/USDT', number: '1', price: '2' },
        link: kind === 'orderFilled' ? '/orders' : 'https://elsewhere.example/',
        at: Date.now(),
      },
    ]),
  );
const places = (all: number): FreePlaces => ({ all, ofHost: all, ofBusy: new Map() });
const taken = async (): Promise<[device: string, message: Record<string, string>][]> =>
  (await store.take(places(100), 30)).map(({ endpoint, payload }) => [
    endpoint.split('/').at(-1)!,
    JSON.parse(payload) as Record<string, string>,
  ]);

describe('messages to devices', () => {
  test('a notice is queued for the devices of its person that chose its group, once [PUSH-001]', async () => {
    await register(ANNA, 'annas', ['trades', 'account']);
    await register(ANNA, 'annas-deals', ['deals']);
    await register(BERT, 'berts', ['trades']);
    await tell(ANNA, 'a', 'orderFilled');
    await tell(ANNA, 'a', 'orderFilled');
    await tell(BERT, 'b', 'depositCredited');
    await tell(BERT, 'c', 'orderFilled');
    const sent = await taken();
    expect(sent.map(([device]) => device)).toEqual(['annas', 'berts']);
    expect(sent[0]![1]).toMatchObject({
      title: 'Order filled: BTC/USDT',
      link: '/orders',
      tag: expect.stringMatching(/^notice:/),
    });
    expect(sent[1]![1]).not.toMatchObject({ title: 'Order filled: BTC/USDT' });
    expect(await taken()).toEqual([]);
  });

  test('a removed device, and one that another person took over, get nothing [PUSH-001]', async () => {
    const { id } = await register(ANNA, 'first', ['account']);
    await register(ANNA, 'second', ['account']);
    expect(await database.transaction((tx) => store.remove(tx, BERT, id))).toBe(false);
    await devices.remove(ANNA, id);
    await tell(ANNA, 'a', 'depositCredited');
    await register(BERT, 'second', ['account']);
    expect(await taken()).toEqual([]);
    await tell(ANNA, 'b', 'depositCredited');
    expect(await taken()).toEqual([]);
    await expect(devices.remove(ANNA, id)).rejects.toMatchObject({ key: 'common.notFound' });
  });

  test('an address outside the terminal is never the link of a message [PUSH-001]', async () => {
    await register(ANNA, 'a', ['account']);
    await tell(ANNA, 'a', 'depositCredited');
    expect((await taken())[0]![1]).toMatchObject({ link: '/account/accountMessage' });
  });

  test('a person has ten devices at most, and renewing one adds none [PUSH-004]', async () => {
    for (let at = 0; at < DEVICES_MAX + 2; at++) await register(ANNA, `d${at}`, ['trades']);
    await register(ANNA, `d${DEVICES_MAX}`, ['deals']);
    const { devices: listed } = await devices.list(ANNA);
    expect(listed.map(({ label }) => label).sort()).toEqual(
      Array.from({ length: DEVICES_MAX }, (_, at) => `d${at + 2}`).sort(),
    );
    expect(listed.find(({ label }) => label === `d${DEVICES_MAX}`)).toMatchObject({ groups: ['deals'] });
    expect(JSON.stringify(listed)).not.toContain('push.example.org');
  });

  test('a person gets twenty messages a minute at most [PUSH-004]', async () => {
    await register(ANNA, 'a', ['account']);
    for (let at = 0; at < PER_MINUTE_MAX + 5; at++) await tell(ANNA, `n${at}`, 'depositCredited');
    expect((await taken()).length).toBe(PER_MINUTE_MAX);
    expect([queue.countPush(ANNA), queue.countPush(BERT)]).toEqual([false, true]);
    realTime += 60_000;
    await tell(ANNA, 'later', 'depositCredited');
    expect((await taken()).length).toBe(1);
  });

  test('after a changed password a device lapses unless a page renews it [PUSH-004]', async () => {
    const old = `update push_device set seen_at = seen_at - interval '16 minutes'`;
    await register(ANNA, 'kept', ['account']);
    await register(ANNA, 'lost', ['account']);
    await tell(ANNA, 'p', 'passwordChanged');
    expect((await taken()).length).toBe(2);
    await register(ANNA, 'kept', ['account']);
    await database.transaction((tx) => tx.execute(old));
    await store.forget();
    expect((await store.listDevices(ANNA)).map(({ label }) => label)).toEqual(['kept']);
  });
});

describe('delivery of a message', () => {
  test('gone deletes the device, refused the message, and later postpones the message [PUSH-003]', async () => {
    await register(ANNA, 'gone', ['account']);
    await register(ANNA, 'refused', ['account']);
    await register(ANNA, 'later', ['account']);
    await tell(ANNA, 'a', 'depositCredited');
    await tell(ANNA, 'b', 'depositCredited');
    const due = await store.take(places(3), 30);
    expect(due.map(({ tries }) => tries)).toEqual([1, 1, 1]);
    await store.settle(due[0]!, 'gone');
    await store.settle(due[1]!, 'refused');
    await store.postpone(due[2]!, 0);
    const again = await store.take(places(10), 30);
    expect(again.map(({ endpoint, tries }) => [endpoint.split('/').at(-1), tries])).toEqual([
      ['later', 2],
      ['refused', 1],
      ['later', 1],
    ]);
    expect((await store.listDevices(ANNA)).map(({ label }) => label)).toEqual(['later', 'refused']);
  });

  test('each push service gives as many messages as it has places, the others stay due [PUSH-013]', async () => {
    await register(ANNA, 'a', ['account']);
    for (const id of ['1', '2', '3', '4', '5']) await tell(ANNA, id, 'depositCredited');
    await register(BERT, 'b', ['account'], 'Other.example.org');
    await tell(BERT, '6', 'depositCredited');
    await tell(BERT, '7', 'depositCredited');
    const hosts = async (ofBusy: FreePlaces['ofBusy'], all = 10): Promise<string[]> =>
      (await store.take({ all, ofHost: 2, ofBusy }, 30)).map(({ host }) => host);
    const [own, other] = ['push.example.org', 'other.example.org'];
    expect(await hosts(new Map())).toEqual([own, own, other, other]);
    expect(await hosts(new Map([[own, 0]]))).toEqual([]);
    expect(await hosts(new Map([[own, 1]]))).toEqual([own]);
    expect(await hosts(new Map(), 1)).toEqual([own]);
    expect(await store.take(places(10), 30)).toMatchObject([{ host: own, tries: 1 }]);
  });

  test('a message past its delivery time is dropped [PUSH-003]', async () => {
    await register(ANNA, 'a', ['account']);
    await tell(ANNA, 'a', 'depositCredited');
    await database.transaction((tx) => tx.execute(`update push_due set until_at = now() - interval '1 second'`));
    await store.forget();
    expect(await taken()).toEqual([]);
  });
});

const at = (symbol: string, price: string): ReadonlyMap<string, PriceRange> =>
  new Map([[symbol, { low: price, high: price }]]);
test('a price alert is sent once, when the price reaches it from its side [PUSH-006]', async () => {
  const { id } = await register(BERT, 'b', ['alerts']);
  const muted = await register(BERT, 'muted', ['trades']);
  const alert = (name: string, price: string, above: boolean) => ({
    ...{ id: name, symbol: 'BTC/USDT', price, above },
    link: '/dealCenter?legalId=1&currencyId=2',
  });
  await devices.setAlerts(BERT, id, [
    alert('up', '100.50', true),
    alert('down', '90', false),
    alert('far', '200', true),
  ]);
  await devices.setAlerts(BERT, muted.id, [alert('up', '100', true)]);
  await expect(devices.setAlerts(ANNA, id, [])).rejects.toMatchObject({ key: 'common.notFound' });
  const alerts = new PushAlerts(database, store, queue, readers, { onTicks: () => () => undefined } as never);
  await alerts.queueReached(at('ETH/USDT', '150'));
  await alerts.queueReached(at('BTC/USDT', '100.49'));
  expect(await taken()).toEqual([]);
  await alerts.queueReached(at('BTC/USDT', '100.5'));
  await alerts.queueReached(at('BTC/USDT', '101'));
  expect(await taken()).toEqual([
    [
      'b',
      {
        title: 'Preisalarm',
        body: 'BTC/USDT hat 100.5 erreicht',
        link: '/dealCenter?legalId=1&currencyId=2',
        tag: 'alert:up',
      },
    ],
  ]);
  await alerts.queueReached(at('BTC/USDT', '90'));
  expect((await taken()).map(([, { tag }]) => tag)).toEqual(['alert:down']);
});

test('price alerts beyond the rate of a minute are due in the next ones, none is lost [PUSH-014]', async () => {
  realTime = 600_000 + 15_000;
  const { id } = await register(BERT, 'b', ['alerts']);
  await devices.setAlerts(
    BERT,
    id,
    Array.from({ length: 2 * PER_MINUTE_MAX + 1 }, (_, n) => ({
      ...{ id: `a${n}`, symbol: 'BTC/USDT', price: '100', above: true },
      link: '/dealCenter?legalId=1&currencyId=2',
    })),
  );
  const alerts = new PushAlerts(database, store, queue, readers, { onTicks: () => () => undefined } as never);
  await alerts.queueReached(at('BTC/USDT', '100'));
  const due = await database.query<{ wait: number; shown: number; count: number }>(
    `select extract(epoch from due_at - (select min(due_at) from push_due))::integer as wait,
       extract(epoch from until_at - due_at)::integer as shown, count(*)::integer as count
     from push_due group by 1, 2 order by 1`,
  );
  expect(due).toEqual([
    { wait: 0, shown: 900, count: PER_MINUTE_MAX },
    { wait: 45, shown: 900, count: PER_MINUTE_MAX },
    { wait: 105, shown: 900, count: 1 },
  ]);
  // The next minute is full with those that wait for it, the one after it has room for all but one.
  realTime += 60_000;
  expect(queue.countPush(BERT)).toBe(false);
  realTime += 60_000;
  expect(Array.from({ length: PER_MINUTE_MAX }, () => queue.countPush(BERT)).filter(Boolean).length).toBe(
    PER_MINUTE_MAX - 1,
  );
});

test('the key is made once and sealed; a new secret keeps it, a lost one replaces it [PUSH-005]', async () => {
  const [one, other] = await Promise.all([
    new PushKey(store, config('first')).read(),
    new PushKey(store, config('first')).read(),
  ]);
  expect(one).toEqual(other);
  expect(Buffer.from(one.publicKey, 'base64url').length).toBe(65);
  expect((await store.readKey())!.sealed.includes(Buffer.from(one.privateKey, 'base64url'))).toBe(false);
  await register(ANNA, 'a', ['trades']);
  expect(await new PushKey(store, config('second', ['first'])).read()).toEqual(one);
  expect(await new PushKey(store, config('second')).read()).toEqual(one);
  expect((await store.listDevices(ANNA)).length).toBe(1);
  const [replaced, again] = await Promise.all([
    new PushKey(store, config('third')).read(),
    new PushKey(store, config('third')).read(),
  ]);
  expect(again).toEqual(replaced);
  expect(replaced.publicKey).not.toBe(one.publicKey);
  expect(await store.listDevices(ANNA)).toEqual([]);
});
