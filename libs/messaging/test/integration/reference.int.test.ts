import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ReferenceRowV1, TOPICS } from '@bourse/events';
import { Alarms, Readiness } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import type { Database, PostgresDatabases } from '@bourse/persistence';
import { InProcessLog, ServiceReference } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = { [TOPICS.reference]: 1 };
let world: TestDatabases;
let owner: Database;
beforeAll(async () => {
  world = await testDatabases();
  owner = await world.databases.open({ schema: 'owner', migrations: [] });
});
afterAll(async () => {
  await world?.end();
});

const logOf = (databases: PostgresDatabases, instance: string): InProcessLog =>
  new InProcessLog({ instance, partitions: PARTITIONS, alarms: new Alarms() }, databases);
const publish = (
  kind: 'currency' | 'pair' | 'setting',
  id: string,
  version: number,
  row: Record<string, unknown>,
): Promise<void> =>
  owner.transaction(async (tx) => {
    tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind, id, version, row }));
  });

test('a copy follows its owner by version, needs currencies and pairs, survives a restart [LOG-017]', async () => {
  const copyOf = await world.databases.open({ schema: 'copy', migrations: [] });
  const log = logOf(world.databases, 'p');
  const readiness = new Readiness();
  const reference = new ServiceReference(log, copyOf, 'copy', readiness);
  const changes: string[] = [];
  reference.onChange((kind, id) => changes.push(`${kind} ${id}`));
  await publish('currency', '1', 1, { name: 'BTC' });
  await eventually(() => reference.get('currency', '1'));
  expect(readiness.ready()).toBe(false);
  await publish('pair', 'BTC/USDT', 5, { fee: '0.1' });
  await reference.ready();
  expect(readiness.ready()).toBe(true);
  await publish('pair', 'BTC/USDT', 4, { fee: 'old' });
  await publish('pair', 'BTC/USDT', 6, { fee: '0.2' });
  await eventually(() => reference.get<{ fee: string }>('pair', 'BTC/USDT')?.fee === '0.2');
  expect(reference.all('pair')).toEqual([{ fee: '0.2' }]);
  // The same rows again, as each start of the owner sends them: no change, no listener called.
  const before = changes.length;
  await publish('pair', 'BTC/USDT', 6, { fee: '0.2' });
  await publish('currency', '2', 1, { name: 'ETH' });
  await eventually(() => reference.get('currency', '2'));
  expect(changes.slice(before)).toEqual(['currency 2']);
  await reference.onApplicationShutdown();
  await log.close();

  const nobody = logOf(world.databases, 'q');
  const later = new ServiceReference(nobody, copyOf, 'copy');
  await later.ready();
  expect(later.get('currency', '2')).toEqual({ name: 'ETH' });
  await later.onApplicationShutdown();
  await nobody.close();
});

test('rows that come together count in their order, the same row twice too [LOG-017]', async () => {
  const copyOf = await world.databases.open({ schema: 'together', migrations: [] });
  const log = logOf(world.databases, 'together');
  const reference = new ServiceReference(log, copyOf, 'together');
  await owner.transaction(async (tx) => {
    const emit = (id: string, version: number, row: Record<string, unknown>): void => {
      tx.emit(TOPICS.reference, 0, ReferenceRowV1.encode({ kind: 'setting', id, version, row }));
    };
    emit('first', 1, { owner: 'team', value: 'a' });
    emit('second', 1, { owner: 'team', value: '"quoted", {braced} \\ and \' more' });
    emit('first', 3, { owner: 'team', value: 'c' });
    emit('first', 2, { owner: 'team', value: 'b' });
    emit('last', 1, { owner: 'team', value: 'z' });
  });
  await eventually(() => reference.get('setting', 'last'));
  expect(reference.get('setting', 'first')).toEqual({ owner: 'team', value: 'c' });
  expect(reference.get('setting', 'second')).toEqual({ owner: 'team', value: '"quoted", {braced} \\ and \' more' });
  await reference.onApplicationShutdown();
  await log.close();
});

test('an instance that does not own the topic sees the changes too [LOG-017]', async () => {
  const [one, two] = [world.another(), world.another()];
  for (const databases of [one, two]) await databases.open({ schema: 'owner', migrations: [] });
  const [log1, log2] = [logOf(one, 'r1'), logOf(two, 'r2')];
  const references = [
    new ServiceReference(log1, await one.open({ schema: 'many', migrations: [] }), 'many'),
    new ServiceReference(log2, await two.open({ schema: 'many', migrations: [] }), 'many'),
  ];
  await publish('currency', '9', 1, { name: 'XRP' });
  for (const reference of references) await eventually(() => reference.get('currency', '9'), 15_000);
  for (const reference of references) await reference.onApplicationShutdown();
  await log1.close();
  await log2.close();
});

test('a row stays with the owner that published it first [SETTING-007]', async () => {
  const log = logOf(world.databases, 's');
  const reference = new ServiceReference(log, await world.databases.open({ schema: 'kept', migrations: [] }), 'kept');
  await publish('setting', 'open', 1, { owner: 'gateway', value: '1' });
  await publish('setting', 'open', 2, { owner: 'auth', value: '0' });
  await publish('setting', 'last', 1, { owner: 'auth', value: '5' });
  await eventually(() => reference.get('setting', 'last'));
  expect(reference.get('setting', 'open')).toEqual({ owner: 'gateway', value: '1' });
  await publish('setting', 'open', 3, { owner: 'gateway', value: '0' });
  await eventually(() => reference.get<{ value: string }>('setting', 'open')?.value === '0');
  await reference.onApplicationShutdown();
  await log.close();
});
