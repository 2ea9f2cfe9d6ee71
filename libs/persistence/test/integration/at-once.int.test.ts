import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommitUncertain, refusalOf, type Database } from '../../src/index.js';
import { eventually } from '@bourse/testing/eventually';
import { testDatabases, type TestDatabases } from '@bourse/testing';

let test_: TestDatabases;
let database: Database;
beforeAll(async () => {
  test_ = await testDatabases();
  database = await test_.databases.open({
    schema: 'spot',
    migrations: [{ id: '0001', sql: 'create table thing (id integer primary key, name text not null)' }],
  });
});
afterAll(async () => {
  await test_.end();
});
const names = async (): Promise<string[]> =>
  (await database.query<{ name: string }>('select name from thing order by id')).map(({ name }) => name);

test('statements that travel at once commit together, results in order, callbacks later [LOG-020]', async () => {
  let told = 0;
  const found = await database.transaction(
    (tx) => {
      tx.afterCommit(() => {
        told += 1;
      });
      return Promise.all([
        tx.execute('insert into thing values ($1::int, $2)', [1, 'one']),
        tx.query<{ n: number }>('select count(*)::int as n from thing'),
        tx.execute('insert into thing values ($1::int, $2)', [2, null === told ? '' : 'two']),
      ]);
    },
    { atOnce: true },
  );
  expect(found).toEqual([1, [{ n: 1 }], 1]);
  expect(told).toBe(1);
  expect(await names()).toEqual(['one', 'two']);
});

test('a statement that refuses undoes those before it, and those behind it never happen [LOG-021]', async () => {
  const before = await names();
  const attempt = database.transaction(
    (tx) =>
      Promise.all([
        tx.execute('insert into thing values ($1::int, $2)', [3, 'three']),
        tx.query(`select refuse('BO001', 'no')`),
        tx.execute('insert into thing values ($1::int, $2)', [4, 'four']),
      ]),
    { atOnce: true },
  );
  await expect(attempt).rejects.toMatchObject({ code: 'BO001', message: 'no' });
  expect(refusalOf(await attempt.catch((error: unknown) => error))).toBe('BO001');
  expect(await names()).toEqual(before);
});

test('a failure before the first statement is sent sends nothing [LOG-022]', async () => {
  const before = await names();
  await expect(
    database.transaction(
      async (tx) => {
        await Promise.all([
          tx.execute('insert into thing values ($1::int, $2)', [5, 'five']),
          Promise.reject(new Error('not this one')),
        ]);
      },
      { atOnce: true },
    ),
  ).rejects.toThrow('not this one');
  expect(await names()).toEqual(before);
});

test('a connection that breaks during a send leaves the outcome unknown, and the error says so [LOG-023]', async () => {
  let uncertain = 0;
  test_.databases.onUncertain(() => {
    uncertain += 1;
  });
  const cut = database.transaction(
    (tx) =>
      Promise.all([tx.execute('insert into thing values ($1::int, $2)', [6, 'six']), tx.query('select pg_sleep(2)')]),
    { atOnce: true },
  );
  const ended = expect(cut).rejects.toBeInstanceOf(CommitUncertain);
  await eventually(
    async () =>
      (
        await test_.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where query like $1 and pid <> pg_backend_pid()',
          ['%pg_sleep(2)%'],
        )
      ).length > 0,
  );
  await ended;
  expect(uncertain).toBe(1);
  expect(await names()).not.toContain('six');
});

test('a statement that waits for a result comes too late, loudly [LOG-024]', async () => {
  await expect(
    database.transaction(
      async (tx) => {
        await tx.query('select 1');
        await tx.execute('insert into thing values ($1::int, $2)', [7, 'seven']);
      },
      { atOnce: true },
    ),
  ).rejects.toThrow('after its transaction had been sent');
  expect(await names()).not.toContain('seven');
});

test('statements travel at once however many different ones the process has run before [LOG-054]', async () => {
  for (let n = 0; n < 450; n += 1) await database.transaction((tx) => tx.query(`select $1::int + ${n} as sum`, [1]));
  const found = await database.transaction((tx) => tx.query<{ n: number }>('select $1::int * 7 as n', [6]), {
    atOnce: true,
  });
  expect(found).toEqual([{ n: 42 }]);
});
