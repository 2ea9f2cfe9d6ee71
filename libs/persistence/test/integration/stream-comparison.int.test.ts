import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  compareStreams,
  becomeAnotherInstall,
  keepHeads,
  keptHeads,
  MissingRight,
  newestRow,
  roleOf,
  sendAgain,
  signOfUse,
  streamName,
  type Comparison,
  type SqlReader,
  type RememberedHeads,
} from '../../src/index.js';
import { testDatabases, type TestDatabases } from '@bourse/testing';

const STREAM = streamName('sender', 'spot.events', 0);
let world: TestDatabases | undefined;
/** The heads of the database when it was copied, with those that a witness has seen since. */
let remembered: RememberedHeads;
const reader: SqlReader = { query: (sql, params) => (world as TestDatabases).query(sql, params as unknown[]) as never };
const compare = (): Promise<Comparison> => compareStreams(reader, [remembered]);
const readTo = async (number: number, hash?: string): Promise<void> => {
  await reader.query(
    `insert into reader.position (consumer, stream, number, hash)
      values ($1, $2, $3, coalesce($4, (select hash from sender.outbox where stream = $2 and number = $3)))`,
    ['reader.words', STREAM, number, hash ?? null],
  );
};

beforeEach(async () => {
  await world?.end();
  world = await testDatabases();
  const sender = await world.databases.open({ schema: 'sender', migrations: [] });
  await world.databases.open({ schema: 'reader', migrations: [] });
  for (const text of ['a', 'b', 'c', 'd'])
    await sender.transaction((tx) => {
      tx.emit('spot.events', 0, { type: 'word.v1', key: 'k', body: { text } });
      return Promise.resolve();
    });
  const [{ install } = { install: '' }] = await reader.query<{ install: string }>(
    `select value as install from sender.meta where name = 'install'`,
  );
  const rows = await reader.query<{ number: string; hash: string }>(
    'select number, hash from sender.outbox where stream = $1 order by number',
    [STREAM],
  );
  remembered = { schema: 'sender', install, heads: new Map([[STREAM, { number: 4, hash: rows[3]?.hash ?? '' }]]) };
});
afterAll(async () => {
  await world?.end();
});

describe('streams of a restored database are compared', () => {
  test('with their readers: one that is behind gets the other rows, and none is lost [LOG-044]', async () => {
    await readTo(2);
    expect(await compare()).toMatchObject({
      schemas: ['reader', 'sender'],
      streams: 1,
      readers: 1,
      unread: 2,
      lost: [],
      faults: [],
      overKafka: false,
    });
  });

  test('with acknowledged rows: missing or changed ones are reported by number [LOG-044]', async () => {
    const [head] = await reader.query<{ hash: string }>(
      'select hash from sender.outbox where stream = $1 and number = 2',
      [STREAM],
    );
    await reader.query('update sender.stream set next = 3, hash = $1', [head?.hash]);
    await reader.query('delete from sender.outbox where number > 2');
    await readTo(1);
    expect(await compare()).toMatchObject({ unread: 1, lost: [{ stream: STREAM, from: 3, to: 4 }], faults: [] });
    remembered = { ...remembered, heads: new Map([[STREAM, { number: 2, hash: 'another' }]]) };
    expect(await compare()).toMatchObject({ lost: [{ stream: STREAM, from: 2, to: 2 }] });
    remembered = { ...remembered, install: 'another install' };
    expect(await compare()).toMatchObject({ lost: [] });
  });

  test('rows that several files and Kafka remember are counted as lost once [LOG-044]', async () => {
    const { schema, install } = remembered;
    const seen = (number: number): RememberedHeads => ({
      schema,
      install,
      heads: new Map([[STREAM, { number, hash: 'lost' }]]),
    });
    // A file, another file with more rows, and Kafka, whose rows do not name their install.
    const remembering = [seen(6), seen(9), { ...seen(8), install: '' }];
    expect((await compareStreams(reader, remembering)).lost).toEqual([{ stream: STREAM, from: 5, to: 9 }]);
    // The last row that is left differs from the one remembered at 4; the other file remembers the rows after it.
    expect((await compareStreams(reader, [seen(9), seen(4)])).lost).toEqual([{ stream: STREAM, from: 4, to: 9 }]);
  });

  test('after an acceptance every schema is of another install: remembered heads are void [LOG-044]', async () => {
    const installs = async (): Promise<(string | undefined)[]> =>
      (
        await reader.query<{ value: string }>(
          `select value from sender.meta where name = 'install'
           union all select value from reader.meta where name = 'install'`,
        )
      ).map(({ value }) => value);
    const before = await installs();
    remembered = { ...remembered, install: before[0] ?? '', heads: new Map([[STREAM, { number: 99, hash: 'lost' }]]) };
    expect(await compare()).toMatchObject({ lost: [{ stream: STREAM, to: 99 }] });
    await becomeAnotherInstall(reader);
    const after = await installs();
    expect([after.length, new Set([...before, ...after]).size]).toEqual([2, 4]);
    expect(await compare()).toMatchObject({ lost: [] });
  });

  test('heads that an acceptance keeps are lost without any other memory, until it commits [LOG-069]', async () => {
    remembered = { ...remembered, install: '', heads: new Map([[STREAM, { number: 99, hash: 'lost' }]]) };
    expect(await keptHeads(reader)).toEqual([]);
    await keepHeads(reader, [remembered]);
    await keepHeads(reader, [remembered]);
    expect(await keptHeads(reader)).toEqual([remembered]);
    expect(await compareStreams(reader, await keptHeads(reader))).toMatchObject({ lost: [{ from: 5, to: 99 }] });
    await becomeAnotherInstall(reader);
    expect(await keptHeads(reader)).toEqual([]);
  });

  test.each([
    ['is ahead of its sender', () => readTo(5, 'later'), /has read #5, and its sender has come to #4/],
    ['has read another row', () => readTo(4, 'another'), /#4 is not the row/],
    ['has another history', () => readTo(2, 'another'), /#3 follows another row/],
    [
      'finds a hole',
      async () => {
        await readTo(1);
        await reader.query('delete from sender.outbox where number = 2');
      },
      /#2 is gone/,
    ],
    [
      'finds a row that was altered',
      async () => {
        await readTo(1);
        await reader.query(`update sender.outbox set payload = '[]' where number = 3`);
      },
      /#3 does not have its hash/,
    ],
  ])('a reader that %s cannot continue, and the reason is reported [LOG-044]', async (_name, prepare, reason) => {
    await prepare();
    expect(await compare()).toMatchObject({
      faults: [{ stream: STREAM, consumer: 'reader.reader.words', reason: expect.stringMatching(reason) }],
    });
  });

  test('over Kafka they are read from the beginning, and sent from the slowest position [LOG-045]', async () => {
    await readTo(3);
    await reader.query(
      `insert into reader.owner (consumer, partition, owner, epoch, lease_until, kafka_offset)
        values ('reader.words', 0, 'one', 7, now() - interval '1 minute', 99)`,
    );
    await reader.query('insert into sender.relay (stream, sent) values ($1, 4)', [STREAM]);
    expect(await compare()).toMatchObject({ overKafka: true });
    await sendAgain(reader);
    expect(await reader.query('select stream, sent::int from sender.relay')).toEqual([{ stream: STREAM, sent: 3 }]);
    expect(await reader.query('select epoch::int, kafka_offset from reader.owner')).toEqual([
      { epoch: 7, kafka_offset: null },
    ]);
  });

  test('a database with which an exchange works is in use [LOG-044]', async () => {
    const lease = async (left: string): Promise<string | null> => {
      await reader.query('delete from reader.owner');
      await reader.query(
        `insert into reader.owner (consumer, partition, owner, epoch, lease_until)
          values ('reader.words', 0, 'one', 7, clock_timestamp() + $1::interval)`,
        [left],
      );
      return signOfUse(reader);
    };
    expect(await signOfUse(reader)).toBeNull();
    expect(await lease('4 seconds')).toBe('the lease reader.words of one');
    // An embedded exchange that was killed leaves a lease of a minute, and no lock.
    expect(await lease('50 seconds')).toBeNull();
    await reader.query('delete from reader.owner');
    const embedded = (world as TestDatabases).another({ exclusive: true });
    await embedded.lock();
    expect(await signOfUse(reader)).toBe('the lock of an embedded exchange');
  });

  describe('by a login that is no superuser', () => {
    const owner = `t${randomBytes(4).toString('hex')}_owner`;
    const asOwnerOf = async (schemas: readonly string[], work: (sql: SqlReader) => Promise<void>): Promise<void> => {
      await reader.query(`create role ${owner} login password 'owner'`);
      const url = new URL((world as TestDatabases).url);
      [url.username, url.password] = [owner, 'owner'];
      const client = new pg.Client({ connectionString: url.href });
      try {
        for (const schema of schemas) await reader.query(`grant ${roleOf(schema)} to ${owner}`);
        await client.connect();
        await work({ query: async (sql, params) => (await client.query(sql, params as unknown[])).rows });
      } finally {
        await client.end();
        await reader.query(`drop role ${owner}`);
      }
    };

    test('the owner, a member of the role of each schema, compares, sends again and accepts [LOG-044]', async () => {
      await readTo(2);
      remembered = { ...remembered, heads: new Map([[STREAM, { number: 9, hash: 'lost' }]]) };
      await asOwnerOf(['sender', 'reader'], async (sql) => {
        expect(await signOfUse(sql)).toBeNull();
        expect(await newestRow(sql)).toEqual(expect.any(Number));
        expect(await compareStreams(sql, [remembered])).toMatchObject({
          schemas: ['reader', 'sender'],
          unread: 2,
          lost: [{ from: 5, to: 9 }],
          faults: [],
        });
        await sendAgain(sql);
        await becomeAnotherInstall(sql);
        expect(await compareStreams(sql, [remembered])).toMatchObject({ lost: [] });
      });
    });

    test('one that may not read a schema is refused, because its lost rows would not be found', async () => {
      await asOwnerOf(['reader'], async (sql) => {
        await expect(compareStreams(sql, [remembered])).rejects.toThrow(/may not read sender: use the login that owns/);
        await expect(becomeAnotherInstall(sql)).rejects.toThrow(MissingRight);
      });
    });
  });
});
