import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually, testDatabases, type TestDatabases } from '../world.js';
import { Timers, type Database } from '../../src/index.js';

let world: TestDatabases;
let database: Database;
let clock: { at: number; now(): number };
beforeAll(async () => {
  world = await testDatabases();
  database = await world.databases.open({
    schema: 'alpha',
    migrations: [
      { id: '0001', sql: 'create table fired (at bigint generated always as identity, text text not null)' },
    ],
  });
}, 60_000);
afterAll(async () => {
  await world?.end();
});
beforeEach(async () => {
  clock = {
    at: Date.UTC(2026, 0, 1),
    now() {
      return this.at;
    },
  };
  await database.execute('delete from timer');
  await database.execute('delete from fired');
});
const fired = async (): Promise<string[]> =>
  (await database.query<{ text: string }>('select text from fired order by at')).map((row) => row.text);
const recording = (timers: Timers, kind: string): void =>
  timers.handle(kind, async (timer, tx) => {
    await tx.execute('insert into fired (text) values ($1)', [
      `${timer.kind} ${timer.id} at ${timer.dueAt - Date.UTC(2026, 0, 1)} ${JSON.stringify(timer.payload)}`,
    ]);
  });
const start = Date.UTC(2026, 0, 1);

test('timers fire in the order they fall due, each with its own due time, once [TIMER-001]', async () => {
  const timers = new Timers(database, clock);
  recording(timers, 'fee');
  await database.transaction(async (tx) => {
    await timers.set(tx, 'fee', 'late', start + 300, { n: 3 });
    await timers.set(tx, 'fee', 'early', start + 100);
    await timers.set(tx, 'fee', 'middle', start + 200);
  });
  expect(await timers.runDue()).toBe(0);
  clock.at += 250;
  expect(await timers.runDue()).toBe(2);
  clock.at += 10_000; // a process that was down
  expect(await timers.runDue()).toBe(1);
  expect(await fired()).toEqual(['fee early at 100 null', 'fee middle at 200 null', 'fee late at 300 {"n":3}']);
  expect(await timers.runDue()).toBe(0);
});

test('a timer that is cancelled or moved does not fire at its old time; cancelling tells who was first [TIMER-002]', async () => {
  const timers = new Timers(database, clock);
  recording(timers, 'fee');
  await database.transaction(async (tx) => {
    await timers.set(tx, 'fee', 'a', start);
    await timers.set(tx, 'fee', 'b', start);
  });
  expect(await database.transaction((tx) => timers.cancel(tx, 'fee', 'a'))).toBe(true);
  await database.transaction((tx) => timers.set(tx, 'fee', 'b', start + 1_000));
  expect(await timers.runDue()).toBe(0);
  clock.at += 1_000;
  expect(await timers.runDue()).toBe(1);
  expect(await database.transaction((tx) => timers.cancel(tx, 'fee', 'b'))).toBe(false);
});

test('a handler that fails undoes all it did and is tried again; others do not wait for it [TIMER-003]', async () => {
  const timers = new Timers(database, clock);
  let tries = 0;
  recording(timers, 'good');
  timers.handle('bad', async (timer, tx) => {
    await tx.execute(`insert into fired (text) values ('half')`);
    tries += 1;
    if (tries === 1) throw new Error('not yet');
    await tx.execute('insert into fired (text) values ($1)', [`bad ${timer.id}`]);
  });
  await database.transaction(async (tx) => {
    await timers.set(tx, 'bad', 'x', start - 10);
    await timers.set(tx, 'good', 'y', start);
  });
  await timers.runDue();
  expect(await fired()).toEqual(['good y at 0 null']);
  timers.start();
  await eventually(async () => (await fired()).includes('bad x'));
  await timers.stop();
  expect(await fired()).toEqual(['good y at 0 null', 'half', 'bad x']);
});

test('of two processes one fires each timer [TIMER-004]', async () => {
  const [one, two] = [
    new Timers(database, clock),
    new Timers(
      await world.another().open({
        schema: 'alpha',
        migrations: [
          { id: '0001', sql: 'create table fired (at bigint generated always as identity, text text not null)' },
        ],
      }),
      clock,
    ),
  ];
  for (const timers of [one, two]) recording(timers, 'fee');
  await database.transaction(async (tx) => {
    for (let n = 0; n < 40; n += 1) await one.set(tx, 'fee', String(n), start);
  });
  const counts = await Promise.all([one.runDue(), two.runDue()]);
  expect(counts[0]! + counts[1]!).toBe(40);
  expect(new Set(await fired()).size).toBe(40);
  expect((await fired()).length).toBe(40);
});
