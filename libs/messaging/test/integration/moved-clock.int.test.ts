import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { TOPICS } from '@bourse/events';
import { Timers } from '@bourse/persistence';
import { Alarms, SystemClock, type Config } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs, type TestDatabases } from '@bourse/testing';
import { behind, InProcessLog, InProcessViews, ProcessClock } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

let world: TestDatabases;
beforeAll(async () => {
  world = await testDatabases();
});
afterAll(async () => {
  await world?.end();
});

test('a moved clock runs due timers before it answers, and names the consumers behind [TIMER-009]', async () => {
  const database = await world.databases.open({ schema: 'alpha', migrations: [] });
  const log = new InProcessLog(
    { instance: 'p', partitions: { [TOPICS.reference]: 1 }, alarms: new Alarms() },
    world.databases,
  );
  const clock = new SystemClock();
  const config = { dev: true, run: 'embedded', service: 'exchange' } as unknown as Config;
  const process = new ProcessClock(new InProcessViews(), clock, config, world.databases);
  const timers = new Timers(database, clock);
  process.watch(timers);
  timers.handle('day', async ({ id }, tx) => {
    tx.emit(TOPICS.reference, 0, { type: 'test', key: id, body: {} });
  });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let handled = 0;
  const consumer = log.consume({
    consumer: 'alpha.reader',
    topic: TOPICS.reference,
    database,
    handle: async (messages) => {
      if (handled > 0) await gate;
      handled += messages.length;
    },
  });
  await database.transaction(async (tx) => {
    tx.emit(TOPICS.reference, 0, { type: 'test', key: 'first', body: {} });
  });
  await eventually(() => handled === 1, 10_000);
  await database.transaction(async (tx) => {
    for (let n = 0; n < 30; n += 1) await timers.set(tx, 'day', `n${n}`, clock.now() + 3_600_000 + n);
  });
  expect((await process.settle({ offsetMs: 1_000, sessionOffsetMs: 0 })).fired).toBe(0);
  const moved = await process.settle({ offsetMs: 86_400_000, sessionOffsetMs: 0 });
  expect([moved.fired, moved.due]).toEqual([30, []]);
  const { heads } = moved.streams;
  const still = async (): Promise<string[]> =>
    behind(heads, (await process.settle({ offsetMs: 0, sessionOffsetMs: 0 })).streams.positions);
  expect(await still()).toEqual([`alpha.reader reads alpha>${TOPICS.reference}/0`]);
  open();
  await eventually(async () => (await still()).length === 0, 10_000);
  await timers.stop();
  await consumer.stop();
  await log.close();
});
