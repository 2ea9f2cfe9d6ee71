import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { SystemClock } from '@bourse/platform';
import pg from 'pg';
import { eventually, testTimeoutMs } from '@bourse/testing/eventually';
import { testDatabases, type TestDatabases } from '@bourse/testing';
import { Timers, type Database, type Tx } from '../../src/index.js';

jest.setTimeout(testTimeoutMs(24_000));

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
});
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

test('a timer that is cancelled or moved does not fire at its old time; one side wins [TIMER-002]', async () => {
  const timers = new Timers(database, clock);
  recording(timers, 'fee');
  await database.transaction(async (tx) => {
    await timers.set(tx, 'fee', 'a', start);
    await timers.set(tx, 'fee', 'b', start);
  });
  expect(await database.transaction((tx) => timers.cancel(tx, 'fee', 'a'))).toBe(start);
  await database.transaction((tx) => timers.set(tx, 'fee', 'b', start + 1_000));
  expect(await timers.runDue()).toBe(0);
  clock.at += 1_000;
  expect(await timers.runDue()).toBe(1);
  expect(await database.transaction((tx) => timers.cancel(tx, 'fee', 'b'))).toBeNull();
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

/** Statements that a piece of work sends to the server of this database. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const sent = jest.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return sent.mock.calls.length;
  } finally {
    sent.mockRestore();
  }
}

const setMany = (timers: Timers, count: number): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.execute(
      `insert into timer (kind, id, due_at, payload)
        select 'night', n::text, to_timestamp($1::float8 / 1000), 'null'
        from generate_series(1, $2::int) n`,
      [start, count],
    );
    await timers.set(tx, 'night', 'last', start + 1);
  });

test('ten thousand that fall due together take a few statements, and all fire once [TIMER-005]', async () => {
  const timers = new Timers(database, clock);
  timers.handleAll('night', async (due, tx) => {
    await tx.execute('insert into fired (text) select unnest($1::text[])', [due.map(({ id }) => id)]);
  });
  await setMany(timers, 10_000);
  clock.at += 10;
  let count = 0;
  const statements = await statementsOf(async () => {
    count = await timers.runDue();
  });
  expect(count).toBe(10_001);
  expect(new Set(await fired()).size).toBe(10_001);
  // 21 batches and the empty one: begin, take, handle, commit, and what a transaction sets up.
  expect(statements).toBeLessThanOrEqual(200);
});

test('one that fails among many holds up none of them, whichever way it is handled [TIMER-006]', async () => {
  for (const together of [false, true]) {
    await database.execute('delete from fired');
    const timers = new Timers(database, clock);
    const write = (ids: readonly string[], tx: Tx): Promise<number> => {
      if (ids.includes('500')) return Promise.reject(new Error('this one cannot'));
      return tx.execute('insert into fired (text) select unnest($1::text[])', [ids]);
    };
    if (together)
      timers.handleAll('night', async (due, tx) => {
        await write(
          due.map(({ id }) => id),
          tx,
        );
      });
    else
      timers.handle('night', async ({ id }, tx) => {
        await write([id], tx);
      });
    await setMany(timers, 1_000);
    clock.at += 10;
    expect(await timers.runDue()).toBe(1_000);
    expect(new Set(await fired()).size).toBe(1_000);
    expect(await timers.hasDue()).toBe(true);
    expect(await database.query('select id from timer')).toEqual([{ id: '500' }]);
    await database.execute('delete from timer');
    expect(await timers.hasDue()).toBe(false);
  }
});

test('the loop wakes for the next timer, for an earlier one, and for a clock that jumps [TIMER-007]', async () => {
  const moving = new SystemClock();
  const timers = new Timers(database, moving);
  recording(timers, 'fee');
  timers.start();
  try {
    await database.transaction((tx) => timers.set(tx, 'fee', 'tomorrow', moving.now() + 86_400_000));
    const looks = await statementsOf(async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    });
    expect(looks).toBeLessThanOrEqual(10); // no look every half a second
    const soon = moving.now() + 300;
    await database.transaction((tx) => timers.set(tx, 'fee', 'soon', soon));
    await eventually(async () => (await fired()).some((text) => text.startsWith('fee soon')), 1_500);
    moving.setOffset(86_400_000);
    await eventually(async () => (await fired()).some((text) => text.startsWith('fee tomorrow')), 1_500);
  } finally {
    await timers.stop();
  }
});

test('timers that a process held when it died fire in another one [TIMER-008]', async () => {
  const other = await world.another().open({
    schema: 'alpha',
    migrations: [
      { id: '0001', sql: 'create table fired (at bigint generated always as identity, text text not null)' },
    ],
  });
  const [dying, living] = [new Timers(other, clock), new Timers(database, clock)];
  let inside: () => void = () => undefined;
  const began = new Promise<void>((resolve) => {
    inside = resolve;
  });
  dying.handle('fee', async (_, tx) => {
    await tx.execute(`insert into fired (text) values ('half')`);
    inside();
    await tx.query('select pg_sleep(20)');
  });
  recording(living, 'fee');
  await database.transaction((tx) => living.set(tx, 'fee', 'a', start));
  const lost = dying.runDue().catch((error: unknown) => error);
  await began;
  expect(await living.runDue()).toBe(0);
  expect(await living.hasDue()).toBe(true);
  await world.query(
    `select pg_terminate_backend(pid)
      from pg_stat_activity
      where datname = current_database() and query like '%pg_sleep(20)%' and pid <> pg_backend_pid()`,
  );
  await lost;
  // As the process that died would: it puts nothing off any more.
  await database.execute('update timer set not_before = null');
  expect(await living.runDue()).toBe(1);
  expect(await fired()).toEqual(['fee a at 0 null']);
});
