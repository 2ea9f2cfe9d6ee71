import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Database } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { InProcessLog } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

const COUNT = 5;
let world: TestDatabases;
beforeAll(async () => {
  world = await testDatabases();
});
afterAll(async () => {
  await world?.end();
});

/** An instance that wants all partitions, and what it holds now. */
async function instance(name: string): Promise<{ held: Set<number>; stop: () => Promise<void> }> {
  const databases = world.another();
  const database: Database = await databases.open({ schema: 'shared', migrations: [] });
  const log = new InProcessLog(
    { instance: name, partitions: { 'ledger.commands': COUNT }, alarms: new Alarms() },
    databases,
  );
  const held = new Set<number>();
  for (let partition = 0; partition < COUNT; partition += 1) {
    log.own({
      consumer: 'writer',
      topic: 'ledger.commands',
      partition,
      database,
      run: async (owned) => {
        held.add(owned.partition);
        try {
          for (;;) await owned.take(1);
        } finally {
          held.delete(owned.partition);
        }
      },
    });
  }
  return {
    held,
    stop: async () => {
      await log.close();
      await databases.close();
    },
  };
}

test('instances share the partitions of a consumer; a new one gets one, an ended one frees it [LOG-018]', async () => {
  const one = await instance('one');
  await eventually(() => one.held.size === COUNT, 15_000);
  const two = await instance('two');
  await eventually(() => one.held.size === 3 && two.held.size === 2, 20_000);
  expect([...one.held, ...two.held].sort()).toEqual([0, 1, 2, 3, 4]);
  await two.stop();
  await eventually(() => one.held.size === COUNT, 20_000);
  await one.stop();
  expect(await world.query('select * from shared.member')).toEqual([]);
});
