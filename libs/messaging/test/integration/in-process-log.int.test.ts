import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { Database, Databases, OutboxRow } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { InProcessLog, LogUnavailable } from '../../src/index.js';
import { logSuite, type LogWorld } from '../log-suite.js';

jest.setTimeout(testTimeoutMs(24_000));

const PARTITIONS = {
  'ledger.commands': 1,
  'spot.commands': 1,
  'spot.events': 1,
  'user.events': 1,
  reference: 1,
  'wallet.commands': 1,
  'operator.actions': 1,
};

const world = (patienceMs: number, disturb: (databases: Databases) => Databases) => async (): Promise<LogWorld> => {
  const databases = await testDatabases();
  return {
    test: databases,
    patienceMs,
    async process(instance) {
      const own = databases.another();
      const alarms = new Alarms();
      const log = new InProcessLog({ instance, partitions: PARTITIONS, alarms }, disturb(own));
      return {
        log,
        alarms,
        open: (schema) => own.open({ schema, migrations: [] }),
        close: async () => {
          await log.close();
          await own.close();
        },
      };
    },
    end: () => databases.end(),
  };
};

/**
 * Hand-overs after the commit come late, in another order, twice or not at all. The sequence is fixed, so that a
 * failure repeats.
 */
function disturbed(databases: Databases): Databases {
  let state = 20_260_101;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Object.assign(Object.create(databases) as Databases, {
    onRows(listener: (rows: readonly OutboxRow[]) => void): void {
      databases.onRows((rows) => {
        if (random() < 0.2) return;
        setTimeout(() => listener(rows), random() * 20);
        if (random() < 0.3) setTimeout(() => listener(rows), random() * 40);
      });
    },
  });
}

logSuite(
  'in-process',
  world(5_000, (databases) => databases),
);
logSuite('in-process, with late, repeated and lost hand-overs', world(15_000, disturbed));

let databases: TestDatabases;
let database: Database;
beforeAll(async () => {
  databases = await testDatabases();
  database = await databases.databases.open({ schema: 'solo', migrations: [] });
});
afterAll(async () => {
  await databases?.end();
});

test('a row that is gone from the outbox is a hole: its stream stops with an alarm [LOG-015]', async () => {
  for (const body of ['a', 'b', 'c'])
    await database.transaction(async (tx) => {
      tx.emit('spot.events', 0, { type: 'w', key: 'k', body });
    });
  await databases.query(`delete from solo.outbox where number = 2`);
  const alarms = new Alarms();
  const log = new InProcessLog({ instance: 'p', partitions: PARTITIONS, alarms }, databases.databases);
  const got: unknown[] = [];
  log.consume({
    consumer: 'solo.hole',
    topic: 'spot.events',
    database,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });
  const alarm = await eventually(() =>
    alarms.list().find(({ name }) => name === 'stream:solo.hole:solo>spot.events/0'),
  );
  expect(alarm.detail).toContain('before #2');
  await eventually(
    async () =>
      (await database.query(`select 1 from position where consumer = 'solo.hole' and number = 1`)).length === 1,
  );
  expect(got).toEqual(['a']);
  await log.close();
});

test('without an owner a command is refused within two seconds [LOG-007]', async () => {
  const log = new InProcessLog({ instance: 'q', partitions: PARTITIONS, alarms: new Alarms() }, databases.databases);
  const since = Date.now();
  await expect(log.send('ledger.commands', 0, { type: 'w', key: 'k', body: {} })).rejects.toBeInstanceOf(
    LogUnavailable,
  );
  expect(Date.now() - since).toBeLessThan(testTimeoutMs(2_000));
  await log.close();
});

test('a number of partitions other than at install ends the process by its reason, unread [LOG-019]', async () => {
  const fatal: string[] = [];
  const log = new InProcessLog(
    {
      instance: 'r',
      partitions: { ...PARTITIONS, 'spot.events': 2 },
      alarms: new Alarms(),
      onFatal: (reason) => fatal.push(reason),
    },
    databases.databases,
  );
  let read = 0;
  const handle = log.own({
    consumer: 'solo.other',
    topic: 'spot.events',
    partition: 1,
    database,
    run: () => {
      read += 1;
      return Promise.resolve();
    },
  });
  expect(await eventually(() => fatal[0])).toContain('installed with 1 partitions and is configured with 2');
  await handle.stop();
  expect(read).toBe(0);
  await log.close();
});

test('partitions that open together share reads of committed positions, and miss none [LOG-053]', async () => {
  const [many, own] = [30, databases.another()];
  const sender = await own.open({ schema: 'sender', migrations: [] });
  const looks = jest.spyOn(sender.tables.streams, 'heads');
  for (let partition = 0; partition < many; partition++)
    await sender.transaction(async (tx) => {
      tx.emit('operator.actions', partition, { type: 'w', key: 'k', body: partition });
    });
  const log = new InProcessLog(
    { instance: 'together', partitions: { 'operator.actions': many }, alarms: new Alarms() },
    own,
  );
  const got: unknown[] = [];
  log.consume({
    consumer: 'sender.together',
    topic: 'operator.actions',
    database: sender,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });
  await eventually(() => got.length >= many);
  expect(new Set(got)).toEqual(new Set(Array.from({ length: many }, (_, partition) => partition)));
  // One of each partition would be thirty.
  expect(looks.mock.calls.length).toBeLessThan(many / 2);
  await log.close();
  await own.close();
});

test('a command comes as the first time once, and not as that to the owner after a failed one [LOG-063]', async () => {
  const log = new InProcessLog(
    { instance: 'again', partitions: PARTITIONS, alarms: new Alarms() },
    databases.databases,
  );
  const given: (true | undefined)[] = [];
  log.own({
    consumer: 'solo.again',
    topic: 'ledger.commands',
    partition: 0,
    database,
    run: async (owned) => {
      for (;;) {
        const batch = await owned.take(1);
        given.push(...batch.map((one) => (one.kind === 'command' ? one.isFirst : undefined)));
        if (given.length === 1) throw new Error('the commit got no answer');
        await database.transaction((tx) => owned.advance(tx, batch));
      }
    },
  });
  await log.send('ledger.commands', 0, { type: 'w', key: 'k', body: {} });
  await eventually(() => given.length === 2);
  await log.send('ledger.commands', 0, { type: 'w', key: 'k', body: {} });
  await eventually(() => given.length === 3);
  expect(given).toEqual([true, undefined, true]);
  await log.close();
});
