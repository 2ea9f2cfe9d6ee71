import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel, type KafkaMessage, type Message } from 'kafkajs';
import { BOUNDS, type Fault, type Run } from './fault.js';
import { servicesWithFault } from './tools.js';
import { until, type World } from './world.js';

const TOPICS = [
  'ledger.commands',
  'spot.commands',
  'spot.events',
  'user.events',
  'reference',
  'wallet.commands',
  'operator.actions',
  'ledger.results.wallet-ledger',
] as const;
const FULL_KB = 0;

/** 3. The broker goes, comes back, has no room, has lost everything. */
export const brokerFaults: Fault = {
  number: 3,
  code: 'FAULT-030',
  name: 'Kafka: restart, kill, absence, full disk, emptied log',
  modes: ['distributed'],
  short: ['distributed'],
  run: async (run) => {
    const { world } = run;
    const { kafka } = world;
    await run.underLoad('restarted in order', { boundMs: BOUNDS.broker }, async (row) => {
      await kafka.stop();
      row.kills += 1;
      const from = Date.now();
      await kafka.start();
      return from;
    });
    if (run.short) return;
    await run.underLoad('killed', { boundMs: BOUNDS.broker }, async (row, traders) => {
      for (let n = 0; n < 2; n++) {
        await kafka.kill();
        row.kills += 1;
        const from = Date.now();
        await kafka.start();
        await traders.tradesOn(60_000);
        row.backMs = Math.max(row.backMs, Date.now() - from);
      }
      return Date.now();
    });
    await run.underLoad('absent for 60 s', { boundMs: BOUNDS.broker }, async (row, traders) => {
      await kafka.kill();
      row.kills += 1;
      await sleep(5_000);
      const before = traders.accepted;
      await sleep(55_000);
      if (traders.accepted > before) row.notes.push(`${traders.accepted - before} accepted meanwhile`);
      const from = Date.now();
      await kafka.start();
      return from;
    });
    await run.underLoad('half-open for 15 s', { boundMs: BOUNDS.broker }, async () => {
      world.kafkaLine.frozen = true;
      await sleep(15_000);
    });
    if (world.disk('kafka').own) {
      await run.underLoad('its disk is full for 15 s', { boundMs: BOUNDS.broker }, async (row, traders) => {
        world.disk('kafka').fill(FULL_KB);
        await until(
          'trading to stop',
          async () => {
            const before = traders.accepted;
            await sleep(1_000);
            return traders.accepted === before;
          },
          60_000,
        ).then(
          () => row.notes.push('trading stopped for want of room'),
          () => row.notes.push('the broker went on in what it had'),
        );
        await sleep(15_000);
        world.disk('kafka').free();
        const from = Date.now();
        // A broker that cannot write takes its log directory offline; its supervisor restarts it.
        if (kafka.alive) await kafka.kill();
        row.kills += 1;
        await kafka.start();
        return from;
      });
    }
    await run.underLoad('emptied log', { boundMs: BOUNDS.broker }, async (row) => {
      await kafka.kill();
      row.kills += 1;
      kafka.empty();
      const from = Date.now();
      await kafka.start();
      return from;
    });
  },
};

interface Copy {
  readonly topic: string;
  readonly partition: number;
  readonly message: KafkaMessage;
}

/** The broker as an outsider reads and writes it, past the proxy's faults. */
class Outsider {
  readonly kafka: Kafka;
  constructor(world: World) {
    this.kafka = new Kafka({
      clientId: 'faults',
      brokers: [`127.0.0.1:${world.kafkaLine.port}`],
      logLevel: logLevel.NOTHING,
    });
  }

  /** The last records of these topics, oldest first. */
  async last(topics: readonly string[], count: number): Promise<Copy[]> {
    const consumer = this.kafka.consumer({ groupId: `faults-${process.pid}-${Date.now()}`, maxWaitTimeInMs: 100 });
    const found: Copy[] = [];
    const admin = this.kafka.admin();
    await admin.connect();
    const ends = new Map<string, number>();
    for (const topic of topics)
      for (const { partition, high } of await admin.fetchTopicOffsets(topic))
        ends.set(`${topic}/${partition}`, Number(high));
    await admin.disconnect();
    await consumer.connect();
    const left = new Set([...ends].filter(([, high]) => high > 0).map(([key]) => key));
    await consumer.subscribe({ topics: [...topics], fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: ({ topic, partition, message }) => {
        const end = ends.get(`${topic}/${partition}`) ?? 0;
        if (Number(message.offset) >= end - count && Number(message.offset) < end)
          found.push({ topic, partition, message });
        if (Number(message.offset) >= end - 1) left.delete(`${topic}/${partition}`);
        return Promise.resolve();
      },
    });
    await until('the records to be read', () => left.size === 0, 90_000);
    await consumer.disconnect();
    return found;
  }

  async send(records: readonly (Message & { readonly topic: string; readonly partition: number })[]): Promise<void> {
    const producer = this.kafka.producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await producer.connect();
    for (const { topic, ...message } of records) await producer.send({ topic, messages: [message] });
    await producer.disconnect();
  }
}

const again = ({ topic, partition, message }: Copy): Message & { topic: string; partition: number } => ({
  topic,
  partition,
  key: message.key,
  value: message.value,
  headers: message.headers ?? {},
});
const shuffled = <T>(run: Run, items: readonly T[]): T[] =>
  items
    .map((item) => [run.random(1 << 20), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);

/** 6. Messages are delivered twice. */
export const repeated: Fault = {
  number: 6,
  code: 'FAULT-060',
  name: 'repeated records and commands',
  modes: ['embedded', 'distributed'],
  short: ['embedded', 'distributed'],
  run: async (run) => {
    const { world } = run;
    await run.underLoad(
      'every call twice at once, and once more later',
      { boundMs: BOUNDS.service, again: true },
      async () => {
        await sleep(run.short ? 3_000 : 10_000);
      },
    );
    if (world.mode === 'embedded') return;
    await run.underLoad('the last records of every topic once more', { boundMs: BOUNDS.service }, async (row) => {
      const outsider = new Outsider(world);
      for (let n = 0; n < (run.short ? 1 : 3); n++) {
        const copies = await outsider.last(TOPICS, 200);
        await outsider.send(copies.map(again));
        row.notes.push(`${copies.length} records repeated`);
      }
    });
  },
};

/** 7. Messages are reordered, within a stream and across streams; future ones arrive first. */
export const reordered: Fault = {
  number: 7,
  code: 'FAULT-070',
  name: 'reordered records',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    await run.underLoad('shuffled within and across keys, and early', { boundMs: BOUNDS.service }, async (row) => {
      const outsider = new Outsider(world);
      for (let n = 0; n < (run.short ? 1 : 4); n++) {
        const copies = await outsider.last(TOPICS, 100);
        await outsider.send(shuffled(run, copies).map(again));
        // Rows as they are committed, before their relay has them all sent: some numbers come before the ones that they
        // follow.
        const early: (Message & { topic: string; partition: number })[] = [];
        for (const schema of ['ledger', 'spot']) {
          const rows = await world.sql<{
            stream: string;
            number: string;
            topic: string;
            partition: number;
            previous_hash: string;
            hash: string;
            payload: string;
          }>(
            `select stream, number, topic, partition, previous_hash, hash, payload
              from ${schema}.outbox
              order by created_at desc limit 30`,
          );
          for (const one of rows)
            early.push({
              topic: one.topic,
              partition: one.partition,
              key: one.stream,
              value: one.payload,
              headers: { stream: one.stream, number: one.number, prev: one.previous_hash, hash: one.hash },
            });
        }
        await outsider.send(shuffled(run, early));
        // A number from far ahead: it must wait for those before it, and has a wrong content.
        const ahead = early[0];
        if (ahead)
          await outsider.send([
            { ...ahead, headers: { ...ahead.headers, number: String(Number(ahead.headers?.['number']) + 1_000) } },
          ]);
        row.notes.push(`${copies.length + early.length + 1} records out of order`);
        await sleep(1_000);
      }
    });
  },
};

/** 9. A consumer that is slow: it falls behind, keeps little, and catches up. */
export const slowConsumer: Fault = {
  number: 9,
  code: 'FAULT-090',
  name: 'slow consumer',
  modes: ['distributed'],
  short: [],
  run: async (run) => {
    const { world } = run;
    for (const service of servicesWithFault('slow')) {
      await run.underLoad(service, { boundMs: BOUNDS.service, paceMs: 20 }, async (row, traders) => {
        const part = world.part(service);
        const before = traders.accepted;
        for (const until = Date.now() + 12_000; Date.now() < until;) {
          part.signal('SIGSTOP');
          await sleep(300 + run.random(300));
          part.signal('SIGCONT');
          await sleep(100);
        }
        if (traders.accepted === before) row.wrong.push('nothing was accepted while it was slow');
      });
    }
  },
};

/** 10. Records that no service of the exchange writes. */
export const poison: Fault = {
  number: 10,
  code: 'FAULT-100',
  name: 'poison messages',
  modes: ['distributed'],
  short: ['distributed'],
  run: async (run) => {
    const { world } = run;
    await run.underLoad('in every topic', { boundMs: BOUNDS.service }, async (row) => {
      const outsider = new Outsider(world);
      const nonsense: Message[] = [
        { value: '{"type":' },
        { value: Buffer.from([0xff, 0xfe, 0x00, 0x80]) },
        { value: '' },
        { value: null },
        { value: 'null' },
        { value: '[]' },
        { value: '42' },
        { value: '{}' },
        { value: '{"type":"ledger.command.v99","key":"x","body":{}}' },
        {
          value: JSON.stringify({
            type: 'ledger.command.v1',
            key: '100001',
            body: { commandId: 'poison', journals: 'all of it' },
          }),
        },
        {
          value: JSON.stringify({
            type: 'spot.place.v1',
            key: 'BTC/USDT',
            body: { __proto__: { ok: true }, price: 'NaN', amount: '1e999999' },
          }),
        },
        { value: 'x'.repeat(1_000_000) },
      ];
      for (const topic of TOPICS) await outsider.send(nonsense.map((message) => ({ ...message, topic, partition: 0 })));
      row.notes.push(`${nonsense.length * TOPICS.length} records`);
    });
  },
};
