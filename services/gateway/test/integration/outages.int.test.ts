import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { testDatabases, type TestDatabases } from '@bourse/testing';
import { PostgresOutageStore } from '../../src/outages/persistence/postgres-outage-store.js';
import { MIGRATIONS } from '../../src/shared/persistence/gateway-database.js';
import type { Outage } from '../../src/outages/application/outages.js';

let databases: TestDatabases;
let database: Database;
/** Two gateways on one database. */
let stores: readonly [PostgresOutageStore, PostgresOutageStore];
beforeAll(async () => {
  databases = await testDatabases();
  database = await databases.databases.open({ schema: 'gateway', migrations: MIGRATIONS });
  stores = [new PostgresOutageStore(database), new PostgresOutageStore(database)];
});
afterAll(async () => {
  await databases.end();
});

const START = Date.parse('2026-06-30T12:00:00Z');
const DAY = '2026-06-30';
const FIRST_DAY = '2026-04-02';
const STEP_MS = 30_000;
const closed = (product: string, day: string, limitedSeconds: number, downSeconds: number): Outage => ({
  product,
  day,
  limitedSeconds,
  downSeconds,
});
/** Both gateways want to record at once; gives the times since which one of them does. */
async function record(now: number, outages: readonly Outage[], firstDay = FIRST_DAY): Promise<readonly number[]> {
  const since: number[] = [];
  const outagesOf = (from: number): readonly Outage[] => {
    since.push(from);
    return outages;
  };
  await Promise.all(stores.map((store) => store.record({ now, stepMs: STEP_MS, firstDay, outagesOf })));
  return since;
}

test('one gateway adds the outages of a step, and days that are over are deleted [STATUS-022]', async () => {
  expect(await stores[0].read(FIRST_DAY)).toEqual({ span: null, outages: [] });
  // The first record begins the history: nothing is known of the time before.
  expect(await record(START, [closed('c2c', DAY, 1, 1)])).toEqual([]);
  expect(await record(START + STEP_MS - 1_000, [closed('c2c', DAY, 1, 1)])).toEqual([]);
  expect(await stores[0].read(FIRST_DAY)).toEqual({ span: { from: START, to: START }, outages: [] });
  const now = START + STEP_MS;
  expect(await record(now, [closed('c2c', DAY, 30, 0), closed('lever', DAY, 0, 30)])).toEqual([START]);
  expect(await record(now + STEP_MS, [closed('c2c', DAY, 0, 30)])).toEqual([now]);
  const outages = [closed('c2c', DAY, 30, 30), closed('lever', DAY, 0, 30)];
  expect(await stores[1].read(FIRST_DAY)).toEqual({ span: { from: START, to: now + STEP_MS }, outages });
  // 90 days later.
  const [later, firstDay] = [now + 90 * 86_400_000, '2026-07-01'];
  expect(await record(later, [closed('spot', '2026-09-28', 0, 5)], firstDay)).toEqual([now + STEP_MS]);
  expect(await stores[0].read(firstDay)).toEqual({
    span: { from: Date.parse(firstDay), to: later },
    outages: [closed('spot', '2026-09-28', 0, 5)],
  });
  expect(await database.query('select 1 from outage where day < $1', [firstDay])).toEqual([]);
});
