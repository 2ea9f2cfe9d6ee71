import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { expect, jest, test } from '@jest/globals';
import { Kafka, logLevel } from 'kafkajs';
import { chainHash, compareStreams, sendAgain, type SqlReader } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { eventually, testDatabases, testTimeoutMs } from '@bourse/testing';
import { emptyTopics, KafkaLog, logHeads, LogReplaced, type LogMark, type ReadPartition } from '../../src/index.js';
import { kafkaClient } from '../../src/kafka/kafka-client.js';
import { KafkaSender, SendFailed } from '../../src/kafka/kafka-sender.js';
import { logSuite } from '../log-suite.js';

jest.setTimeout(testTimeoutMs(36_000));

const PARTITIONS = {
  'ledger.commands': 1,
  'spot.commands': 1,
  'spot.events': 1,
  'user.events': 1,
  reference: 1,
  'wallet.commands': 1,
  'operator.actions': 1,
};

logSuite('Kafka', async () => {
  const brokers = process.env.TEST_KAFKA_BROKERS;
  if (!brokers) throw new Error('TEST_KAFKA_BROKERS is not set: this suite needs a broker');
  const topicPrefix = `test.${randomBytes(4).toString('hex')}.`;
  const test = await testDatabases();
  const fatal: string[] = [];
  return {
    test,
    patienceMs: 30_000,
    async process(instance) {
      const databases = test.another();
      const alarms = new Alarms();
      const log = new KafkaLog(
        {
          instance,
          partitions: PARTITIONS,
          alarms,
          brokers: brokers.split(','),
          topicPrefix,
          onFatal: (reason) => fatal.push(reason),
        },
        databases,
      );
      return {
        log,
        alarms,
        open: (schema) => databases.open({ schema, migrations: [] }),
        close: async () => {
          await log.close();
          await databases.close();
        },
      };
    },
    async end() {
      await test.end();
      if (fatal.length > 0) throw new Error(`a consumer ended for good: ${fatal.join('; ')}`);
    },
  };
});

/** One process on topics of its own, beside a producer that writes what it likes. */
async function solo() {
  const brokers = (process.env.TEST_KAFKA_BROKERS ?? '').split(',');
  const topicPrefix = `test.${randomBytes(4).toString('hex')}.`;
  const databases = await testDatabases();
  const database = await databases.databases.open({ schema: 'solo', migrations: [] });
  const alarms = new Alarms();
  const log = new KafkaLog(
    {
      instance: 'p',
      partitions: PARTITIONS,
      alarms,
      brokers,
      topicPrefix,
      onFatal: (reason) => {
        throw new Error(reason);
      },
    },
    databases.databases,
  );
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer({
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
    retry: { retries: 20 },
  });
  await producer.connect();
  const end = async (): Promise<void> => {
    await producer.disconnect();
    await log.close();
    await databases.end();
  };
  return { log, database, alarms, producer, topic: `${topicPrefix}spot.events`, got: [] as unknown[], end };
}

test('a watcher begins shortly before the end; a hole does not stop it [LOG-051]', async () => {
  const { log, alarms, producer, topic, got, end } = await solo();
  const stream = 'elsewhere>spot.events/0';
  const record = (number: number, body: string) => ({
    value: JSON.stringify([{ type: 'w', key: 'k', body }]),
    partition: 0,
    headers: { stream, number: String(number), prev: `of ${number - 1}`, hash: `of ${number}` },
  });
  const send = (...messages: ReturnType<typeof record>[]) => producer.send({ topic, messages });
  const many = Array.from({ length: 200 }, (_, index) => record(index + 1, `${index + 1}`));
  await eventually(() => send(...many).then(() => true), 20_000);
  const watching = log.watch({
    consumer: 'solo.latest',
    topic: 'spot.events',
    take: (messages) => void got.push(...messages.map((message) => message.body)),
  });
  await eventually(() => got.includes('200'), 20_000);
  expect(got).toEqual(Array.from({ length: 60 }, (_, index) => `${141 + index}`));
  // A repeat is dropped, a hole passed over, and no alarm is raised.
  await send(record(200, 'again'), record(207, 'after a hole'));
  await eventually(() => got.includes('after a hole'), 20_000);
  expect(got).not.toContain('again');
  expect(alarms.list()).toEqual([]);
  await watching.stop();
  await end();
});

test('over Kafka repeats are dropped; a hole stops the stream until it is sent again [LOG-016]', async () => {
  const { log, database, alarms, producer, topic, got, end } = await solo();
  log.consume({
    consumer: 'solo.words',
    topic: 'spot.events',
    database,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });

  const stream = 'elsewhere>spot.events/0';
  let previousHash = '';
  const rows = ['a', 'b', 'c', 'd', 'e'].map((body, index) => {
    const payload = JSON.stringify([{ type: 'w', key: 'k', body }]);
    const hash = chainHash(previousHash, payload);
    const row = {
      value: payload,
      partition: 0,
      headers: { stream, number: String(index + 1), prev: previousHash, hash },
    };
    previousHash = hash;
    return row;
  });
  const send = (...numbers: number[]) => producer.send({ topic, messages: numbers.map((number) => rows[number - 1]!) });
  const alarm = `stream:solo.words:${stream}`;

  await eventually(() => send(1, 2, 1, 2).then(() => true), 20_000);
  await eventually(() => got.length >= 2, 20_000);
  await send(2, 4, 5);
  await eventually(
    () => alarms.list().find(({ name, detail }) => name === alarm && detail.includes('#3 is missing')),
    20_000,
  );
  expect(got).toEqual(['a', 'b']);
  await send(3, 4, 5);
  await eventually(() => got.length >= 5, 20_000);
  expect(got).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(alarms.list()).toEqual([]);
  await eventually(
    async () =>
      (
        await database.query(`select 1 from position where consumer = 'solo.words' and stream = $1 and number = 5`, [
          stream,
        ])
      ).length === 1,
  );
  await end();
});

test('a record without a stream is dropped where only streams come; the next is applied [LOG-042]', async () => {
  const { log, database, alarms, producer, topic, got, end } = await solo();
  log.consume({
    consumer: 'solo.forged',
    topic: 'spot.events',
    database,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });
  const payload = JSON.stringify([{ type: 'word.v1', key: 'k', body: 'a' }]);
  await eventually(
    () =>
      producer
        .send({
          topic,
          messages: [
            { value: JSON.stringify({ type: 'word.v1', key: 'k', body: 'forged' }), partition: 0 },
            {
              value: payload,
              partition: 0,
              headers: { stream: 'elsewhere>spot.events/0', number: '1', prev: '', hash: chainHash('', payload) },
            },
          ],
        })
        .then(() => true),
    20_000,
  );
  await eventually(() => got.length > 0, 20_000);
  expect(got).toEqual(['a']);
  expect(alarms.list()).toEqual([]);
  await end();
});

test('messages that a crash of the database took back are read again, even after other streams [LOG-041]', async () => {
  const { log, database, alarms, producer, topic, got, end } = await solo();
  const own = log.consume({
    consumer: 'solo.views',
    topic: 'spot.events',
    database,
    relaxed: true,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });
  const heads = new Map<string, { number: number; hash: string }>();
  const row = (stream: string, body: string) => {
    const { number, hash: previousHash } = heads.get(stream) ?? { number: 0, hash: '' };
    const payload = JSON.stringify([{ type: 'w', key: 'k', body }]);
    const hash = chainHash(previousHash, payload);
    heads.set(stream, { number: number + 1, hash });
    return { value: payload, partition: 0, headers: { stream, number: String(number + 1), prev: previousHash, hash } };
  };
  const send = (message: ReturnType<typeof row>) => producer.send({ topic, messages: [message] });
  const stands = () =>
    database.query<{ stream: string; number: number; hash: string }>(
      `select stream, number, hash from position where consumer = 'solo.views' order by 1`,
    );

  const first = row('one>spot.events/0', 'a1');
  await eventually(() => send(first).then(() => true), 20_000);
  await eventually(async () => (await stands()).length === 1, 20_000);
  const [before] = await database.query<{ kafka_offset: string }>(
    `select kafka_offset from owner where consumer = 'solo.views'`,
  );
  const [was] = await stands();
  await send(row('one>spot.events/0', 'a2'));
  await eventually(async () => Number((await stands())[0]?.number) === 2, 20_000);
  // The database is restored without its last commit; the process that made it does not notice.
  await database.execute(`update position set number = $1, hash = $2 where consumer = 'solo.views'`, [
    was?.number,
    was?.hash,
  ]);
  await database.execute(`update owner set kafka_offset = $1 where consumer = 'solo.views'`, [before?.kafka_offset]);
  await send(row('other>spot.events/0', 'b1'));
  await send(row('one>spot.events/0', 'a3'));
  // Rows of a batch that could not be committed were seen too, so the tables show when it is over.
  await eventually(async () => (await stands()).map(({ number }) => Number(number)).join() === '3,1', 20_000);
  expect(got.filter((body) => body === 'a2')).toHaveLength(2);
  expect(alarms.list()).toEqual([]);
  await own.stop();
  await end();
});

test('after a restore topics are filled from the outbox, without the lost time [LOG-045] [LOG-046]', async () => {
  const brokers = (process.env.TEST_KAFKA_BROKERS ?? '').split(',');
  const topicPrefix = `test.${randomBytes(4).toString('hex')}.`;
  const world = await testDatabases();
  const reader: SqlReader = { query: (sql, params) => world.query(sql, params as unknown[]) as never };
  const start = async () => {
    const databases = world.another();
    const alarms = new Alarms();
    const log = new KafkaLog(
      {
        instance: 'p',
        partitions: PARTITIONS,
        alarms,
        brokers,
        topicPrefix,
        onFatal: (reason) => {
          throw new Error(reason);
        },
      },
      databases,
    );
    const database = await databases.open({ schema: 'solo', migrations: [] });
    const got: unknown[] = [];
    log.consume({
      consumer: 'solo.words',
      topic: 'spot.events',
      database,
      handle: async (messages) => {
        got.push(...messages.map((message) => message.body));
      },
    });
    const emit = (body: string): Promise<void> =>
      database.transaction(async (tx) => {
        tx.emit('spot.events', 0, { type: 'word.v1', key: 'k', body });
      });
    return {
      alarms,
      got,
      emit,
      end: async (): Promise<void> => {
        await log.close();
        await databases.close();
      },
    };
  };
  const before = await start();
  for (const body of ['a', 'b', 'c']) await before.emit(body);
  await eventually(() => before.got.length === 3, 30_000);
  await before.end();

  // The copy is of a moment when `c` was not sent, and `b` not read.
  const rows = await world.query<{ hash: string }>('select hash from solo.outbox order by number');
  await world.query('delete from solo.outbox where number = 3');
  await world.query('update solo.stream set next = 3, hash = $1', [rows[1]?.hash]);
  await world.query(`update solo.position set number = 1, hash = $1 where consumer = 'solo.words'`, [rows[0]?.hash]);
  await world.query(`update solo.owner set lease_until = '-infinity'`);
  expect(await compareStreams(reader, [])).toMatchObject({ unread: 1, faults: [], overKafka: true, lost: [] });
  // No file remembers; the log does, from before the copy and when it is read from its moment on.
  const address = { brokers, topics: Object.keys(PARTITIONS).map((topic) => `${topicPrefix}${topic}`) };
  const sent = await world.query<{ at: Date }>('select max(created_at) as at from solo.outbox');
  for (const since of [null, Number(sent[0]?.at)])
    expect(await compareStreams(reader, await logHeads(address, since))).toMatchObject({
      lost: [{ stream: 'solo>spot.events/0', from: 3, to: 3 }],
      faults: [],
    });
  expect(await logHeads(address, Date.now() + 3_600_000)).toEqual([]);
  await emptyTopics(address);
  expect(await logHeads(address, null)).toEqual([]);
  await sendAgain(reader);

  const after = await start();
  await after.emit('d');
  await eventually(() => after.got.length >= 2, 60_000);
  expect(after.got).toEqual(['b', 'd']);
  expect(after.alarms.list()).toEqual([]);
  await after.end();
  await world.end();
});

test('every reader of a partition, also from another mark, gets the same rows in order [LOG-048]', async () => {
  const { log, database, alarms, producer, topic, end } = await solo();
  const emit = (body: string): Promise<void> =>
    database.transaction(async (tx) => {
      tx.emit('spot.events', 0, { type: 'word.v1', key: 'k', body });
    });
  interface Reader {
    readonly got: unknown[];
    partition?: ReadPartition;
    ended?: Error;
  }
  const read = (mark: LogMark): Reader => {
    const reader: Reader = { got: [] };
    log.read({
      consumer: 'solo.readers',
      topic: 'spot.events',
      partition: 0,
      run: async (reading) => {
        if (reader.ended) return;
        reader.partition = await reading.from(mark);
        try {
          for (;;)
            for (const delivery of await reader.partition.take(2))
              if (delivery.kind === 'row') reader.got.push(...delivery.messages.map(({ body }) => body));
        } catch (error) {
          reader.ended = error as Error;
        }
      },
    });
    return reader;
  };
  const foreign = (body: string, number: number, prev: string) => {
    const value = JSON.stringify([{ type: 'w', key: 'k', body }]);
    const headers = { stream: 'elsewhere>spot.events/0', number: String(number), prev, hash: chainHash(prev, value) };
    return { value, partition: 0, headers };
  };
  const beginning: LogMark = { offset: null, positions: new Map() };
  const first = read(beginning);
  await emit('a');
  const x = foreign('x', 1, '');
  await eventually(() => producer.send({ topic, messages: [x, x] }).then(() => true), 20_000);
  await emit('b');
  await eventually(() => first.got.length === 3, 30_000);
  const mark = first.partition!.mark();
  await producer.send({ topic, messages: [x, foreign('y', 2, x.headers.hash)] });
  await emit('c');
  await eventually(() => first.got.length === 5, 30_000);
  const [again, onwards] = [read(beginning), read(mark)];
  await eventually(() => again.got.length === 5 && onwards.got.length === 2, 30_000);
  expect(again.got).toEqual(first.got);
  expect(onwards.got).toEqual(first.got.slice(3));
  for (const { partition } of [first, again, onwards]) expect(partition!.mark()).toEqual(first.partition!.mark());
  expect(onwards.partition!.caughtUp()).toBe(true);
  expect(await database.query(`select 1 from owner where consumer = 'solo.readers'`)).toEqual([]);
  expect(alarms.list()).toEqual([]);

  // Another log is in its place: shorter than what was read of it.
  const beyond = read({ offset: '1000', positions: new Map(mark.positions) });
  await producer.send({ topic, messages: [foreign('z', 3, 'of no matter')] });
  await eventually(() => beyond.ended !== undefined || beyond.partition?.caughtUp() === true, 30_000);
  const admin = new Kafka({ brokers: (process.env.TEST_KAFKA_BROKERS ?? '').split(',') }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  await eventually(() => first.ended !== undefined && again.ended !== undefined, 60_000);
  expect(first.ended).toBeInstanceOf(LogReplaced);
  await end();
});

test('a broker that dies behind the record that it has written leaves the outcome open [LOG-071]', async () => {
  const { producer, topic, end } = await solo();
  await eventually(
    () => producer.send({ topic, messages: [{ value: 'first', partition: 0 }] }).then(() => true),
    20_000,
  );
  const brokers = (process.env.TEST_KAFKA_BROKERS ?? '').split(',');
  const PRODUCE = 0;
  let isDead = false;
  const client = kafkaClient({
    brokers,
    logLevel: logLevel.NOTHING,
    retry: { retries: 1, initialRetryTime: 50 },
    socketFactory: ({ host, port, onConnect }) => {
      const socket = connect({ host, port: isDead ? 1 : port }, onConnect);
      const { write } = socket;
      socket.write = ((request: Buffer, ...rest: []) => {
        if (request.readInt16BE(4) === PRODUCE) {
          isDead = true;
          // It has the record once it answers; nobody hears the answer.
          socket.removeAllListeners('data');
          socket.once('data', () =>
            socket.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
          );
        }
        return write.call(socket, request, ...rest);
      }) as typeof socket.write;
      return socket;
    },
  });
  const sender = new KafkaSender(client);
  const error = await sender.send(topic, 0, { value: 'second' }).catch((failure: unknown) => failure);
  expect(error).toBeInstanceOf(SendFailed);
  expect((error as SendFailed).certain).toBe(false);
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ partition: 0, high: '2' }]);
  await admin.disconnect();
  await sender.close();
  await end();
});

test('rows whose topic is lost while the exchange is down are sent again at its start [LOG-073]', async () => {
  const brokers = (process.env.TEST_KAFKA_BROKERS ?? '').split(',');
  const topicPrefix = `test.${randomBytes(4).toString('hex')}.`;
  const world = await testDatabases();
  const start = async (schema: string) => {
    const databases = world.another();
    const onFatal = (reason: string): never => {
      throw new Error(reason);
    };
    const options = { instance: schema, partitions: PARTITIONS, brokers, topicPrefix, onFatal };
    const alarms = new Alarms();
    const log = new KafkaLog({ ...options, alarms }, databases);
    const database = await databases.open({ schema, migrations: [] });
    const emit = (body: string): Promise<void> =>
      database.transaction(async (tx) => {
        tx.emit('spot.events', 0, { type: 'word.v1', key: 'k', body });
      });
    /** Until the broker has so many rows. */
    const sent = (rows: number): Promise<unknown> =>
      eventually(
        async () => (await world.query(`select 1 from ${schema}.relay where sent = $1`, [rows])).length === 1,
        30_000,
      );
    const end = async (): Promise<void> => {
      await log.close();
      await databases.close();
    };
    return { log, database, alarms, emit, sent, end };
  };
  const before = await start('solo');
  await before.emit('a');
  await before.sent(1);
  await before.emit('b');
  await before.sent(2);
  await before.end();
  await world.query(`update solo.relay set sent_at = sent_at - interval '1 hour'`);
  const topic = `${topicPrefix}spot.events`;
  const admin = new Kafka({ brokers, logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  // Another service is back first, creates the topic, and writes more to it than it had.
  const other = await start('other');
  for (const body of ['x', 'y', 'z']) await other.emit(body);
  await other.sent(3);

  const after = await start('solo');
  const got: unknown[] = [];
  after.log.consume({
    consumer: 'solo.words',
    topic: 'spot.events',
    database: after.database,
    handle: async (messages) => {
      got.push(...messages.map((message) => message.body));
    },
  });
  await after.emit('c');
  await eventually(() => got.length >= 6, 60_000);
  expect(got).toEqual(['x', 'y', 'z', 'a', 'b', 'c']);
  expect(after.alarms.list()).toEqual([]);
  await after.sent(3);
  await after.end();
  // A log that is still there gets nothing twice.
  const later = await start('solo');
  await later.emit('d');
  await later.sent(4);
  expect(await admin.fetchTopicOffsets(topic)).toMatchObject([{ high: '7' }]);
  await admin.disconnect();
  await later.end();
  await other.end();
  await world.end();
});
