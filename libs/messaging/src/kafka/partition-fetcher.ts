import { randomBytes } from 'node:crypto';
import type { Consumer, EachBatchPayload, Kafka } from 'kafkajs';
import { delay } from '../log/delay.js';
import type { PartitionEvents } from './partition-events.js';
import { singlePartitionAssigner } from './single-partition-assigner.js';

/** Largest record that the log takes. */
export const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
/** A consumer that has not polled for this long is replaced. */
export const SILENT_MS_MAX = 15_000;
const FETCH_WAIT_MS = 500;
const WITHOUT_CONSUMER_MS_MAX = 60_000;
const EARLIEST = '-2';

/** The partition for which records are fetched. */
export interface FetchedPartition {
  readonly consumer: string;
  readonly partition: number;
  readonly epoch: number;
  /** Name of the topic in Kafka. */
  readonly topicName: string;
  readonly signal: AbortSignal;
  /** Next offset to read; null: from the beginning. */
  readonly nextOffset: bigint | null;
  receive(batch: EachBatchPayload): Promise<void>;
}

/** Fetches the records of one partition with a consumer of its own, which is replaced when it fails. */
export class PartitionFetcher {
  private consumer: Consumer | undefined;
  private polledAt = performance.now();
  private watch: NodeJS.Timeout | undefined;

  constructor(
    private readonly kafka: Pick<Kafka, 'consumer'>,
    private readonly target: FetchedPartition,
    private readonly events: Pick<PartitionEvents, 'silent' | 'trouble' | 'fatal'>,
  ) {}

  /** Begins to fetch, and to watch that the consumer polls. */
  async start(): Promise<void> {
    await this.join();
    this.watch = setInterval(() => {
      const silent = performance.now() - this.polledAt > SILENT_MS_MAX;
      this.events.silent(silent);
      if (silent && this.consumer) void this.replace(new Error(`it has not polled for ${SILENT_MS_MAX / 1000} s`));
    }, 5_000).unref();
  }

  /** Counts as a poll: the partition waits for room in its queue. */
  polled(): void {
    this.polledAt = performance.now();
  }

  /** Reads from the partition's next offset on. */
  seek(): void {
    try {
      if (this.consumer) this.seekOn(this.consumer);
    } catch {
      // kafkajs has stopped it without an event yet: the next consumer seeks when it joins.
    }
  }

  /** Stops watching and leaves the group. */
  async close(): Promise<void> {
    clearInterval(this.watch);
    await this.consumer?.disconnect();
  }

  private seekOn(consumer: Consumer): void {
    const { topicName: topic, partition, nextOffset } = this.target;
    consumer.seek({ topic, partition, offset: nextOffset === null ? EARLIEST : String(nextOffset) });
  }

  /**
   * A consumer in a group of its own, which ends with it: partitions are assigned by leases, not by the group protocol,
   * and a dead member would hold up its group (invariants §2.3).
   */
  private async join(): Promise<void> {
    const { topicName, consumer: name, partition, epoch } = this.target;
    const unique = randomBytes(4).toString('hex');
    const consumer = this.kafka.consumer({
      groupId: `${topicName}.${name}.${partition}.${epoch}.${unique}`,
      partitionAssigners: [singlePartitionAssigner(topicName, partition)],
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      minBytes: 1,
      maxBytesPerPartition: MESSAGE_BYTES_MAX,
      sessionTimeout: 10_000,
      heartbeatInterval: 2_000,
      // It gives up early: a new consumer in a new group starts sooner than a second try in the old group.
      retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 500, restartOnFailure: () => Promise.resolve(false) },
    });
    consumer.on(consumer.events.GROUP_JOIN, () => this.seekOn(consumer));
    consumer.on(consumer.events.FETCH, () => this.polled());
    // A start that failed is reported by kafkajs in this event only.
    const crash: { error?: Error } = {};
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      crash.error = payload.error;
      if (this.consumer === consumer) void this.replace(payload.error);
    });
    try {
      await consumer.connect();
      // From the beginning also when the broker has lost its log: repeats are dropped by number, and a hole is seen.
      await consumer.subscribe({ topics: [topicName], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.target.receive(payload),
      });
      if (crash.error) throw crash.error;
      this.polled();
      this.consumer = consumer;
    } catch (error) {
      await consumer.disconnect();
      throw error;
    }
  }

  /**
   * kafkajs stops without an event on some errors and waits for its own dead consumer on others: whatever the error,
   * reading continues with a new consumer. After a minute without one the process must end.
   */
  private async replace(error: Error): Promise<void> {
    const old = this.consumer;
    this.consumer = undefined;
    const { signal } = this.target;
    const name = `${this.target.consumer}/${this.target.partition}`;
    this.events.trouble(`${name} reads on with a new consumer: ${error.message}`);
    // The old consumer is broken: whether it can still leave its group does not matter.
    await Promise.race([
      old?.disconnect().catch((late: unknown) => this.events.trouble(`${name}: ${(late as Error).message}`)),
      delay(2_000),
    ]);
    for (const deadline = Date.now() + WITHOUT_CONSUMER_MS_MAX; !signal.aborted; await delay(500, signal)) {
      try {
        await this.join();
        if (signal.aborted) await this.close();
        return;
      } catch (again) {
        const { message } = again as Error;
        if (Date.now() > deadline) return this.events.fatal(`${name} cannot read from Kafka: ${message}`);
        // The topic may have disappeared since the last check, so each report checks it again.
        this.events.trouble(`${name} has no consumer yet: ${message}`);
      }
    }
  }
}
