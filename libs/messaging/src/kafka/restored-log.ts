import { randomBytes } from 'node:crypto';
import { logLevel, type Admin, type Kafka, type KafkaConfig } from 'kafkajs';
import { schemaOfStream, type RememberedHeads } from '@bourse/persistence';
import type { KafkaAccess } from '@bourse/platform';
import { kafkaAddress } from './kafka-address.js';
import { kafkaClient } from './kafka-client.js';
import { ROW_HEADERS } from './kafka-relay.js';

/** Address of the log of a restored install. */
export interface LogAddress {
  readonly brokers: readonly string[];
  readonly access?: KafkaAccess;
  /** Names of the topics as they are in Kafka. */
  readonly topics: readonly string[];
  /** Makes the client; tests bring their own broker. */
  readonly client?: (config: KafkaConfig) => Pick<Kafka, 'admin' | 'consumer'>;
}

/** Reading fails after this time without a record. */
const SILENT_MS_MAX = 120_000;
/** Kafka's word for the end of a partition. */
const ALL_RECORDS = '-1';

/**
 * Reads the heads of the streams from the records that Kafka received since a moment: they lie beyond the database that
 * was set back, and beyond the files that remember heads, which may be lost with their machine. A missing topic yields
 * no heads [LOG-046].
 *
 * `since` is the time of the first record to read, ms; null reads all. `told` is called with the records read and the
 * records to read.
 */
export async function logHeads(
  { topics, ...address }: LogAddress,
  since: number | null,
  told: (read: number, of: number) => void = () => undefined,
): Promise<RememberedHeads[]> {
  const kafka = clientOf(address);
  const admin = kafka.admin();
  await admin.connect();
  try {
    const spans = await spansOf(admin, topics, since);
    const heads = new Map<string, Map<string, { number: number; hash: string }>>();
    await readSpans(kafka, admin, spans, told, (stream, number, hash) => {
      const ofSchema = heads.get(schemaOfStream(stream)) ?? new Map<string, { number: number; hash: string }>();
      heads.set(schemaOfStream(stream), ofSchema);
      if (number > (ofSchema.get(stream)?.number ?? 0)) ofSchema.set(stream, { number, hash });
    });
    // The log does not name its install; the operator has named it.
    return [...heads].map(([schema, ofSchema]) => ({ schema, install: '', heads: ofSchema }));
  } finally {
    await admin.disconnect();
  }
}

/**
 * Empties the topics without deleting them, so that nothing has to create them again and no client finds one missing.
 * They are filled again from the outboxes [LOG-045]. Throws when a record is left.
 */
export async function emptyTopics({ topics, ...address }: LogAddress): Promise<void> {
  const admin = clientOf(address).admin();
  await admin.connect();
  try {
    for (const topic of await existing(admin, topics)) {
      // Fetched first, so that the client knows the partitions' leaders.
      const partitions = await admin.fetchTopicOffsets(topic);
      const full = partitions.filter(({ low, high }) => low !== high);
      if (full.length > 0)
        await admin.deleteTopicRecords({
          topic,
          partitions: full.map(({ partition }) => ({ partition, offset: ALL_RECORDS })),
        });
      const left = (await admin.fetchTopicOffsets(topic)).find(({ low, high }) => low !== high);
      if (left) throw new Error(`Kafka keeps records of ${topic}/${left.partition}: is a process still writing?`);
    }
  } finally {
    await admin.disconnect();
  }
}

const clientOf = ({ brokers, access, client = kafkaClient }: Omit<LogAddress, 'topics'>) =>
  client({ clientId: 'bourse restored log', ...kafkaAddress(brokers, access), logLevel: logLevel.ERROR });

/** The range to read of one partition: offsets in [from, to). */
interface Span {
  readonly topic: string;
  readonly partition: number;
  readonly from: bigint;
  readonly to: bigint;
}

async function spansOf(admin: Admin, topics: readonly string[], since: number | null): Promise<Span[]> {
  const spans: Span[] = [];
  for (const topic of await existing(admin, topics)) {
    const begins =
      since === null
        ? null
        : new Map(
            (await admin.fetchTopicOffsetsByTimestamp(topic, since)).map(({ partition, offset }) => [
              partition,
              BigInt(offset),
            ]),
          );
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const from = begins?.get(partition) ?? BigInt(low);
      if (from < BigInt(high)) spans.push({ topic, partition, from, to: BigInt(high) });
    }
  }
  return spans;
}

async function readSpans(
  kafka: Pick<Kafka, 'consumer'>,
  admin: Admin,
  spans: readonly Span[],
  told: (read: number, of: number) => void,
  row: (stream: string, number: number, hash: string) => void,
): Promise<void> {
  if (spans.length === 0) return;
  const groupId = `bourse-restored-log-${randomBytes(4).toString('hex')}`;
  const consumer = kafka.consumer({ groupId, allowAutoTopicCreation: false });
  const open = new Map(spans.map((span) => [`${span.topic}/${span.partition}`, span]));
  const of = Number(spans.reduce((sum, { from, to }) => sum + to - from, 0n));
  let read = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`Kafka has given no record for ${SILENT_MS_MAX / 1_000} s`)),
        SILENT_MS_MAX,
      );
      const end = (settle: () => void) => {
        clearTimeout(timer);
        settle();
      };
      // A broker that has just started loads its groups first; the client retries within this time.
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (!payload.restart) end(() => reject(payload.error));
      });
      // Runs at each join, because an earlier seek is lost with the previous group generation.
      consumer.on(consumer.events.GROUP_JOIN, () => {
        for (const { topic, partition, from } of spans) consumer.seek({ topic, partition, offset: String(from) });
      });
      void (async () => {
        await consumer.connect();
        await consumer.subscribe({ topics: [...new Set(spans.map(({ topic }) => topic))], fromBeginning: true });
        await consumer.run({
          autoCommit: false,
          eachBatch: ({ batch }) => {
            const key = `${batch.topic}/${batch.partition}`;
            const span = open.get(key);
            if (span) timer.refresh();
            for (const { headers, offset } of span ? batch.messages : []) {
              if (BigInt(offset) >= span!.to) break;
              read += 1;
              const stream = headers?.[ROW_HEADERS.stream]?.toString();
              if (stream !== undefined)
                row(
                  stream,
                  Number(headers?.[ROW_HEADERS.number]?.toString()),
                  headers?.[ROW_HEADERS.hash]?.toString() ?? '',
                );
            }
            if (span && BigInt(batch.lastOffset()) >= span.to - 1n) open.delete(key);
            told(read, of);
            if (open.size === 0) end(resolve);
            return Promise.resolve();
          },
        });
      })().catch((error: unknown) => end(() => reject(error as Error)));
    });
  } finally {
    await consumer.disconnect();
    await admin.deleteGroups([groupId]).catch(() => undefined); // an empty group is forgotten by itself
  }
}

async function existing(admin: Admin, topics: readonly string[]): Promise<string[]> {
  const there = new Set(await admin.listTopics());
  return topics.filter((topic) => there.has(topic));
}
