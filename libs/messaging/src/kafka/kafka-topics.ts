import type { Logger } from '@nestjs/common';
import type { Admin, Kafka } from 'kafkajs';
import type { Alarms } from '@bourse/platform';
import { delay } from '../log/delay.js';
import { MESSAGE_BYTES_MAX } from './partition-fetcher.js';

/**
 * Number of failures after which an operator must act: more than occur during a restart of the broker (about ten
 * seconds).
 */
const TRIES_MAX = 8;
const ALARM = 'kafka.topics';
const RETENTION_MS = 7 * 24 * 3_600_000;
/** Margin for the clocks of senders, whose times the records have. Ms. */
const CLOCKS_DIFFER_MS = 60_000;

/** The end of a partition at a time; null: the time is not known. */
export interface PartitionEnd {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly at: number | null;
}

export interface KafkaTopicsOptions {
  /** Partitions of each topic, fixed at install. */
  readonly partitions: Readonly<Record<string, number>>;
  readonly alarms: Alarms;
  readonly onFatal: (reason: string) => void;
  /** Before each topic's name in Kafka. */
  readonly topicPrefix?: string;
  /** Called with true once all topics exist. */
  readonly onReady?: (ready: boolean) => void;
}

/** The topics of the log in Kafka: creates those that are missing, and checks the number of their partitions. */
export class KafkaTopics {
  /** Resolves when all topics exist. */
  readonly ready: Promise<readonly string[]>;
  private rechecking: Promise<void> | undefined;

  /** `recreated` is called with each topic that existed at the start and had to be created again. */
  constructor(
    private readonly kafka: Pick<Kafka, 'admin'>,
    private readonly options: KafkaTopicsOptions,
    private readonly logger: Logger,
    private readonly closing: AbortSignal,
    private readonly recreated: (topicName: string) => void,
  ) {
    options.onReady?.(false);
    this.ready = this.create();
  }

  /** Name of a topic in Kafka. */
  nameOf(topic: string): string {
    return `${this.options.topicPrefix ?? ''}${topic}`;
  }

  /** Offset of the record that will come next into a partition; 0 when it has none. */
  endOf({ topic, partition }: { readonly topic: string; readonly partition: number }): Promise<bigint> {
    return this.asAdmin(async (admin) => {
      const span = (await admin.fetchTopicOffsets(this.nameOf(topic))).find((one) => one.partition === partition);
      return !span || span.low === span.high ? 0n : BigInt(span.high);
    });
  }

  /** The ends whose log was restarted since: the first later record, or else the next one, has a lower offset. */
  lost<E extends PartitionEnd>(ends: readonly E[]): Promise<readonly E[]> {
    return this.asAdmin(async (admin) => {
      // An unused topic has nothing to lose.
      const used = ends.filter(({ topic }) => this.options.partitions[topic] !== undefined);
      const isLost = await Promise.all(
        used.map(async (end) => {
          // Without such a record, or without a time, kafkajs returns the offset of the next one.
          const firstFrom = async (time: number | undefined): Promise<bigint> => {
            const found = await admin.fetchTopicOffsetsByTimestamp(this.nameOf(end.topic), time);
            return BigInt(found.find(({ partition }) => partition === end.partition)?.offset ?? 0);
          };
          const now = Date.now();
          if (end.at === null || end.at <= now + 2 * CLOCKS_DIFFER_MS)
            return (await firstFrom(end.at === null ? undefined : end.at + CLOCKS_DIFFER_MS)) < end.offset;
          // The clock was set back: for as long nothing can be later than this end, but the log that it belongs to has
          // records of the time that has not come yet.
          return (await firstFrom(undefined)) < end.offset || (await firstFrom(now + CLOCKS_DIFFER_MS)) >= end.offset;
        }),
      );
      return used.filter((_, index) => isLost[index]);
    });
  }

  private async asAdmin<T>(read: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = this.kafka.admin({ retry: { retries: 2 } });
    try {
      await admin.connect();
      return await read(admin);
    } finally {
      await admin.disconnect();
    }
  }

  /**
   * Topics that existed at the start may be gone, with all their records: they are created again, and filled again from
   * the outbox.
   */
  recheck(): void {
    this.rechecking ??= (async () => {
      await this.ready; // the start checks first
      for (const topicName of await this.create()) this.recreated(topicName);
    })()
      .catch((error: unknown) => this.logger.warn(`topics: ${(error as Error).message}`))
      .finally(() => {
        this.rechecking = undefined;
      });
  }

  /**
   * Topics are created once with their fixed number of partitions; another number stops the start. Returns the names of
   * the created ones.
   */
  private async create(): Promise<readonly string[]> {
    let tries = 0;
    for (let waitMs = 100; !this.closing.aborted; waitMs = Math.min(waitMs * 2, 2_000)) {
      const admin = this.kafka.admin({ retry: { retries: 0 } });
      try {
        await admin.connect();
        const created = await this.createMissing(admin);
        this.options.alarms.clear(ALARM);
        this.options.onReady?.(true);
        return created;
      } catch (error) {
        if (error instanceof WrongPartitionCount) {
          this.options.alarms.raise(ALARM, error.message);
          this.options.onFatal(error.message);
          throw error;
        }
        const reason = `topics cannot be checked or made: ${(error as Error).message}`;
        this.logger.warn(reason);
        tries += 1;
        if (tries === TRIES_MAX) this.options.alarms.raise(ALARM, reason);
        await delay(waitMs, this.closing);
      } finally {
        await admin.disconnect();
      }
    }
    return [];
  }

  private async createMissing(admin: Admin): Promise<string[]> {
    const existing = new Set(await admin.listTopics());
    const missing = Object.entries(this.options.partitions).filter(([topic]) => !existing.has(this.nameOf(topic)));
    if (missing.length > 0) {
      await admin.createTopics({
        waitForLeaders: true,
        topics: missing.map(([topic, numPartitions]) => ({
          topic: this.nameOf(topic),
          numPartitions,
          replicationFactor: -1,
          configEntries: [
            { name: 'cleanup.policy', value: 'delete' },
            { name: 'retention.ms', value: String(RETENTION_MS) },
            { name: 'max.message.bytes', value: String(MESSAGE_BYTES_MAX) },
            { name: 'unclean.leader.election.enable', value: 'false' },
          ],
        })),
      });
    }
    await this.checkPartitionCounts(admin);
    return missing.map(([topic]) => this.nameOf(topic));
  }

  private async checkPartitionCounts(admin: Admin): Promise<void> {
    const { topics } = await admin.fetchTopicMetadata({
      topics: Object.keys(this.options.partitions).map((topic) => this.nameOf(topic)),
    });
    for (const [topic, count] of Object.entries(this.options.partitions)) {
      const found = topics.find(({ name }) => name === this.nameOf(topic))?.partitions.length;
      if (found !== count)
        throw new WrongPartitionCount(
          `${this.nameOf(topic)} has ${found ?? 'no'} partitions in Kafka and ${count} ` +
            'in the settings; the number is fixed at install',
        );
    }
  }
}

class WrongPartitionCount extends Error {}
