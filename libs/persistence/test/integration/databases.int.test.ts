import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Entity, PrimaryColumn, Column } from 'typeorm';
import { eventually, testDatabases, type TestDatabases } from '../world.js';
import {
  chainHash,
  CommitUncertain,
  ExclusiveLockTaken,
  isTransient,
  StreamForked,
  StreamHeads,
  type Database,
  type OutboxRow,
} from '../../src/index.js';

@Entity({ name: 'note' })
class Note {
  @PrimaryColumn('bigint') id: string;
  @Column('text') text: string;
}

const migrations = [
  {
    id: '0001-note',
    sql: 'create table note (id bigint primary key, text text not null, unique (text) deferrable initially deferred)',
  },
];

describe('databases', () => {
  let world: TestDatabases;
  let database: Database;
  beforeAll(async () => {
    world = await testDatabases();
    database = await world.databases.open({ schema: 'alpha', migrations, entities: [Note] });
  }, 60_000);
  afterAll(async () => {
    await world?.end();
  });

  test('each schema is reached through its own role, which sees no other schema [DB-001]', async () => {
    const beta = await world.databases.open({ schema: 'beta', migrations: [] });
    expect(await database.query('select current_user as role, current_schema() as schema')).toEqual([
      { role: 'bourse_alpha', schema: 'alpha' },
    ]);
    expect(await beta.query('select current_user as role')).toEqual([{ role: 'bourse_beta' }]);
    await expect(beta.query('select * from alpha.note')).rejects.toThrow(/permission denied/);
    await expect(beta.transaction((tx) => tx.execute(`insert into alpha.note values (1, 'x')`))).rejects.toThrow(
      /permission denied/,
    );
  });

  test('statement, lock and idle time-outs hold in every transaction [DB-002]', async () => {
    const [row] = await database.transaction((tx) =>
      tx.query(
        `select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`,
      ),
    );
    expect(row).toEqual({ statement: '3s', lock: '2s', idle: '5s' });
  });

  test('an edited migration, or one of a newer version, stops the start [DB-003]', async () => {
    const again = world.another();
    await expect(
      again.open({ schema: 'alpha', migrations: [{ id: '0001-note', sql: 'create table note (id int)' }] }),
    ).rejects.toThrow(/0001-note .* has changed/);
    await expect(again.open({ schema: 'alpha', migrations: [] })).rejects.toThrow(/newer version \(0001-note\)/);
    await expect(
      again.open({
        schema: 'alpha',
        migrations: [...migrations, { id: '0002-broken', sql: 'create table half (id int); select nonsense' }],
      }),
    ).rejects.toThrow(/0002-broken/);
    expect(await world.query(`select to_regclass('alpha.half') as half`)).toEqual([{ half: null }]);
  });

  test('a failed transaction leaves nothing, also what was emitted; TypeORM works inside of it [DB-004]', async () => {
    await expect(
      database.transaction(async (tx) => {
        await tx.manager.insert(Note, { id: '1', text: 'gone' });
        tx.emit('spot.events', 0, { type: 'x', key: 'k', body: {} });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await database.query('select count(*)::int as n from note')).toEqual([{ n: 0 }]);
    expect(await database.query('select count(*)::int as n from outbox')).toEqual([{ n: 0 }]);
    await database.transaction(async (tx) => {
      await tx.manager.save(Note, { id: '9007199254740993', text: 'kept' });
      expect(await tx.manager.findOneByOrFail(Note, { id: '9007199254740993' })).toEqual({
        id: '9007199254740993',
        text: 'kept',
      });
    });
    expect(await database.query('select id from note')).toEqual([{ id: '9007199254740993' }]);
  });

  test('a constraint that fails at the commit is an error and no uncertain commit; callbacks run after commits only [DB-005]', async () => {
    let called = 0;
    const twice = database.transaction(async (tx) => {
      await tx.execute(`insert into note values (11, 'same'), (12, 'same')`);
      tx.afterCommit(() => {
        called += 1;
      });
    });
    await expect(twice).rejects.toMatchObject({ code: '23505' });
    await expect(twice).rejects.not.toBeInstanceOf(CommitUncertain);
    expect(called).toBe(0);
    await database.transaction(async (tx) => {
      tx.afterCommit(() => {
        called += 1;
      });
    });
    expect(called).toBe(1);
  });

  test('a connection that dies is thrown away, and the next transaction works [DB-006]', async () => {
    const error = await database
      .transaction(async (tx) => {
        const [self] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
        await world.query('select pg_terminate_backend($1)', [self?.pid]);
        await tx.query('select 1');
      })
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(isTransient(error)).toBe(true);
    expect(await database.transaction((tx) => tx.query('select 1 as one'))).toEqual([{ one: 1 }]);
  });

  test('part of a transaction may fail alone, with what it emitted [DB-007]', async () => {
    await database.transaction(async (tx) => {
      await tx.execute(`insert into note values (21, 'a')`);
      tx.emit('spot.events', 1, { type: 'kept', key: 'k', body: {} });
      await expect(
        tx.savepoint(async () => {
          tx.emit('spot.events', 1, { type: 'dropped', key: 'k', body: {} });
          await tx.execute('select nonsense');
        }),
      ).rejects.toThrow(/nonsense/);
      await tx.execute(`insert into note values (22, 'b')`);
    });
    expect(await database.query('select id from note where id in (21, 22) order by id')).toEqual([
      { id: '21' },
      { id: '22' },
    ]);
    const [row] = await database.rowsOf('alpha>spot.events/1', 1, 10);
    expect(JSON.parse(row?.payload ?? '')).toEqual([{ type: 'kept', key: 'k', body: {} }]);
  });

  test('a second embedded process is kept off the database, until the first has ended [DB-008]', async () => {
    const first = world.another({ exclusive: true });
    await first.open({ schema: 'gamma', migrations: [] });
    const second = world.another({ exclusive: true });
    await expect(second.open({ schema: 'gamma', migrations: [] })).rejects.toBeInstanceOf(ExclusiveLockTaken);
    await first.close();
    await expect(world.another({ exclusive: true }).open({ schema: 'gamma', migrations: [] })).resolves.toBeDefined();
  }, 30_000);

  test('days of the outbox are made ahead; an old day goes as a whole when all of it was read [DB-012]', async () => {
    const delta = await world.databases.open({ schema: 'delta', migrations: [] });
    const days = async (): Promise<string[]> =>
      (
        await world.query<{ name: string }>(
          `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid where inhparent = 'delta.outbox'::regclass order by 1`,
        )
      ).map((row) => row.name);
    expect((await days()).length).toBe(5);
    await world.query(`set role bourse_delta`);
    await world.query(
      `create table delta.outbox_20200101 partition of delta.outbox for values from ('2020-01-01 00:00:00+00') to ('2020-01-02 00:00:00+00')`,
    );
    await world.query(`reset role`);
    await world.query(
      `insert into delta.outbox values ('delta>reference/0', 7, 'reference', 0, '', 'h', '[]', '2020-01-01 12:00:00+00')`,
    );
    let read = 6;
    world.databases.keepUnless(async (stream, number) => stream === 'delta>reference/0' && number <= read);
    await world.databases.maintain();
    expect(await days()).toContain('outbox_20200101');
    read = 7;
    await world.databases.maintain();
    expect(await days()).not.toContain('outbox_20200101');
    expect((await days()).length).toBe(5);
    await delta.transaction(async (tx) => {
      tx.emit('reference', 0, { type: 'w', key: 'k', body: 'still written' });
    });
  });

  describe('streams', () => {
    const words = (...texts: string[]) =>
      texts.map((text) => ({ topic: 'spot.commands', partition: 0, message: { type: 'w', key: 'k', body: text } }));

    test('a single writer numbers in memory; what it does not commit is numbered again [DB-009]', async () => {
      const heads = await StreamHeads.load(database, 0);
      const first = heads.stage(words('a', 'b'));
      await database.transaction((tx) => tx.emitRows(first));
      heads.commit();
      heads.stage(words('lost'));
      heads.rollback();
      const second = heads.stage(words('c'));
      await database.transaction((tx) => tx.emitRows(second));
      heads.commit();
      const rows = await database.rowsOf('alpha.0>spot.commands/0', 1, 10);
      expect(
        rows.map((row) => [row.number, (JSON.parse(row.payload) as { body: string }[]).map((message) => message.body)]),
      ).toEqual([
        [1, ['a', 'b']],
        [2, ['c']],
      ]);
      expectChained(rows);
      const again = await StreamHeads.load(database, 0);
      expect(again.stage(words('d'))[0]).toMatchObject({ number: 3, previousHash: rows[1]?.hash });
    });

    test('a writer whose heads are old is told, and writes nothing [DB-010]', async () => {
      const [one, two] = [await StreamHeads.load(database, 1), await StreamHeads.load(database, 1)];
      await database.transaction((tx) => tx.emitRows(one.stage(words('mine'))));
      await expect(database.transaction((tx) => tx.emitRows(two.stage(words('forged'))))).rejects.toBeInstanceOf(
        StreamForked,
      );
      one.commit();
      await database.transaction((tx) => tx.emitRows(one.stage(words('mine too'))));
      const late = await StreamHeads.load(database, 1);
      await database.transaction((tx) => tx.emitRows(late.stage(words('third'))));
      await expect(database.transaction((tx) => tx.emitRows(one.stage(words('old head'))))).rejects.toBeInstanceOf(
        StreamForked,
      );
      expect((await database.rowsOf('alpha.1>spot.commands/0', 1, 10)).map((row) => row.number)).toEqual([1, 2, 3]);
    });

    test('the database chains what transactions emit by the same hash [DB-011]', async () => {
      for (const text of ['ä', '€', '"quoted" \u0000 zero'])
        await database.transaction(async (tx) => {
          tx.emit('reference', 0, { type: 'w', key: 'k', body: text });
        });
      expectChained(
        await eventually(async () => {
          const rows = await database.rowsOf('alpha>reference/0', 1, 10);
          return rows.length === 3 && rows;
        }),
      );
    });
  });
});

function expectChained(rows: readonly OutboxRow[]): void {
  for (const [index, row] of rows.entries()) {
    expect(row.previousHash).toBe(index === 0 ? '' : rows[index - 1]?.hash);
    expect(row.hash).toBe(chainHash(row.previousHash, row.payload));
  }
}
