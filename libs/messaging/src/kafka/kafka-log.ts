import { logLevel, type Kafka, type KafkaConfig } from 'kafkajs';
import { inSpan, tracing, withTrace, type KafkaAccess } from '@bourse/platform';
import type { DirectTopic, Message } from '@bourse/events';
import { schemaOfStream, type Database, type Databases, type OutboxRow } from '@bourse/persistence';
import { BaseLog, type LogOptions, type OpenPartition } from '../log/base-log.js';
import type { StreamsRead } from '../audit/audit-loop.js';
import { delay } from '../log/delay.js';
import { messagesOf } from '../log/deliveries.js';
import { kafkaAddress } from './kafka-address.js';
import { kafkaClient } from './kafka-client.js';
import { KafkaPartition, looseFrom, readOnlyFrom, type PartitionOwnership } from './kafka-partition.js';
import { KafkaRelay } from './kafka-relay.js';
import { KafkaSender, SendFailed } from './kafka-sender.js';
import { KafkaTopics } from './kafka-topics.js';
import type { PartitionEvents } from './partition-events.js';
import { SILENT_MS_MAX } from './partition-fetcher.js';
import type { RecordSeal } from '../seal/record-seal.js';
import type { Ownership } from '../ownership/ownership.js';
import {
  LogReplaced,
  LogUnavailable,
  type LogMark,
  type OwnSpec,
  type ReadPartition,
  type ReadSpec,
  type WatchSpec,
} from '../ports.js';

export interface KafkaLogOptions extends LogOptions {
  readonly brokers: readonly string[];
  /** How this process authenticates at the broker; absent: without authentication. */
  readonly access?: KafkaAccess;
  /** Signs what this process writes and verifies what it reads; without it nothing is verified, as in some tests. */
  readonly seal?: RecordSeal;
  /** Called with records whose signature is missing or wrong; they are dropped. */
  readonly onForged?: (topic: string, what: string) => void;
  readonly onFatal: (reason: string) => void;
  /** Prefix of each topic's name; it isolates tests from one another. */
  readonly topicPrefix?: string;
  /** Called with true once all topics exist. */
  readonly onReady?: (ready: boolean) => void;
  /** Makes the client; tests and the simulator bring their own broker. */
  readonly client?: (config: KafkaConfig) => Pick<Kafka, 'admin' | 'consumer' | 'producer'>;
  /** Notifies other instances that this schema has rows to relay, and calls back when they notify this one. */
  readonly wake?: { notify(schema: string): void; onNotified(listener: (schema: string) => void): void };
}

const SEND_MS_MAX = 2_000;
/** How many records before the end a new watcher reads: at one a second they cover a minute. */
const WATCHED_BEFORE = 60n;
const WATCHED_BATCH = 500;

/** The log of the distributed run: rows are relayed to Kafka, and each partition is read from there. */
export class KafkaLog extends BaseLog {
  readonly shared = true;
  private readonly kafka: Pick<Kafka, 'admin' | 'consumer' | 'producer'>;
  private readonly sender: KafkaSender;
  private readonly relays = new Map<string, KafkaRelay>();
  private readonly topics: KafkaTopics;
  private readonly closing = new AbortController();
  private readonly partitions = new Set<KafkaPartition>();
  /** How far consumers in all processes have read; null: not known. */
  private lowest: StreamsRead['lowest'] = null;

  constructor(
    private readonly kafkaOptions: KafkaLogOptions,
    databases: Databases,
  ) {
    super(kafkaOptions);
    this.kafka = (kafkaOptions.client ?? kafkaClient)({
      clientId: kafkaOptions.instance,
      ...kafkaAddress(kafkaOptions.brokers, kafkaOptions.access),
      logLevel: logLevel.ERROR,
      logCreator:
        () =>
        ({ label, log }) =>
          this.logger.debug(`kafka ${label} ${log.message}${typeof log.error === 'string' ? `: ${log.error}` : ''}`),
      connectionTimeout: 2_000,
      requestTimeout: 10_000,
      retry: { retries: 5, initialRetryTime: 100, maxRetryTime: 2_000 },
    });
    this.sender = new KafkaSender(this.kafka, {
      missing: () => this.topics.recheck(),
      emptied: (topic, partition) => this.emptied(topic, partition),
    });
    this.topics = new KafkaTopics(this.kafka, kafkaOptions, this.logger, this.closing.signal, (topicName) =>
      this.emptied(topicName, null),
    );
    databases.onRows((rows) => this.handOver(rows));
    databases.onOpened((database) => this.relay(database));
    databases.onUncertain((database) => void this.relays.get(database.schema)?.poll());
    databases.keepUnless((stream, number) => this.isDone(databases, stream, number));
    kafkaOptions.wake?.onNotified((schema) => void this.relays.get(schema)?.poll());
  }

  protected async open(spec: OwnSpec, ownership: Ownership, abort: AbortController): Promise<OpenPartition> {
    await this.topics.ready;
    return this.start(spec, ownership, abort, this.eventsOf(spec));
  }

  protected async openToRead(
    spec: ReadSpec,
    mark: LogMark,
    { quiet = false }: { readonly quiet?: boolean } = {},
  ): Promise<ReadPartition> {
    await this.topics.ready;
    const end = await this.topics.endOf(spec);
    const abort = new AbortController();
    const name = `${spec.consumer}/${spec.partition}`;
    const raised = new Set<string>();
    const events = this.eventsOf(spec);
    const partition = await this.start(spec, readOnlyFrom(mark), abort, {
      ...events,
      stopped: (stream, number, reason) => {
        raised.add(stream);
        if (!quiet) events.stopped(stream, number, reason);
      },
      resumed: (stream) => {
        raised.delete(stream);
        if (!quiet) events.resumed(stream);
      },
      // Records before a mark were reported when they came.
      ...(quiet ? { forged: () => undefined, refused: () => undefined } : {}),
      replaced: (why) => abort.abort(new LogReplaced(`${name}: ${why}`)),
    });
    return {
      take: (max) => partition.take(max),
      mark: () => partition.mark,
      caughtUp: () => partition.hasTaken(end),
      close: async () => {
        // A reader that continues from another mark meets the fault again if it is still there.
        if (!quiet) for (const stream of raised) events.resumed(stream);
        await partition.close();
      },
    };
  }

  watch({ consumer, topic, take }: WatchSpec): { stop(): Promise<void> } {
    const handles = Array.from({ length: this.partitionsOf(topic) }, (_, partition) =>
      this.read({
        consumer,
        topic,
        partition,
        run: ({ signal }) => this.watchPartition({ consumer, topic, partition }, take, signal),
      }),
    );
    return { stop: async () => void (await Promise.all(handles.map((handle) => handle.stop()))) };
  }

  /** Reads from some records before the end on; a replaced log is read in the same way. */
  private async watchPartition(
    spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition'>,
    take: WatchSpec['take'],
    stopping: AbortSignal,
  ): Promise<void> {
    await this.topics.ready;
    const end = await this.topics.endOf(spec);
    const abort = new AbortController();
    const stop = (): void => abort.abort(stopping.reason);
    stopping.addEventListener('abort', stop, { once: true });
    const from = looseFrom(end > WATCHED_BEFORE ? end - WATCHED_BEFORE : 0n);
    const partition = await this.start(spec, from, abort, {
      ...this.eventsOf(spec),
      replaced: (why) => abort.abort(new LogReplaced(`${spec.consumer}/${spec.partition}: ${why}`)),
    });
    try {
      if (stopping.aborted) stop();
      for (;;) take((await partition.take(WATCHED_BATCH)).flatMap(messagesOf));
    } finally {
      stopping.removeEventListener('abort', stop);
      await partition.close();
    }
  }

  /** Opens a partition and keeps it in the list of open ones until it is aborted. */
  private async start(
    spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition' | 'fetchPauseMs'>,
    ownership: PartitionOwnership,
    abort: AbortController,
    events: PartitionEvents,
  ): Promise<KafkaPartition> {
    const partition = new KafkaPartition(spec, ownership, abort, this.topics.nameOf(spec.topic), this.kafka, events);
    this.partitions.add(partition);
    abort.signal.addEventListener('abort', () => this.partitions.delete(partition), { once: true });
    await partition.start();
    return partition;
  }

  private eventsOf(spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition'>): PartitionEvents {
    return {
      stopped: (stream, number, reason) =>
        this.options.alarms.raise(`stream:${spec.consumer}:${stream}`, `stopped before #${number}: ${reason}`),
      resumed: (stream) => this.options.alarms.clear(`stream:${spec.consumer}:${stream}`),
      silent: (isSilent) => {
        const name = `consumer:${spec.consumer}/${spec.partition}`;
        if (isSilent) this.options.alarms.raise(name, `has not polled Kafka for ${SILENT_MS_MAX / 1000} s`);
        else this.options.alarms.clear(name);
      },
      trouble: (what) => {
        this.logger.warn(what);
        this.topics.recheck();
      },
      refused: (what) => this.logger.error(what),
      ...(this.kafkaOptions.seal ? { seal: this.kafkaOptions.seal } : {}),
      forged: (what) => this.kafkaOptions.onForged?.(spec.topic, what),
      fatal: (reason) => this.kafkaOptions.onFatal(reason),
    };
  }

  send(topic: DirectTopic, partition: number, message: Message): Promise<void> {
    return tracing.on
      ? inSpan(
          `send ${topic}`,
          { kind: 'producer', attributes: { 'messaging.system': 'kafka', 'messaging.destination.name': topic } },
          () => this.sendRecord(topic, partition, withTrace(message)),
        )
      : this.sendRecord(topic, partition, message);
  }

  private async sendRecord(topic: DirectTopic, partition: number, message: Message): Promise<void> {
    if (partition < 0 || partition >= this.partitionsOf(topic))
      throw new RangeError(`${topic} has no partition ${partition}`);
    const value = JSON.stringify(message);
    const headers = this.kafkaOptions.seal?.ofCommand(topic, partition, value);
    const sent = this.sender.send(this.topics.nameOf(topic), partition, {
      key: message.key,
      value,
      ...(headers ? { headers } : {}),
    });
    const late = new AbortController();
    try {
      await Promise.race([sent, delay(SEND_MS_MAX, late.signal)]);
    } catch (error) {
      // A record that may have been written counts as sent: the caller waits for its answer, and gets "unknown" if none
      // comes.
      if (error instanceof SendFailed && error.certain)
        throw new LogUnavailable(`${topic}/${partition}: ${error.message}`, { cause: error });
      this.logger.warn(
        `a command for ${topic}/${partition} may or may not have been written: ${(error as Error).message}`,
      );
    } finally {
      sent.catch(() => undefined); // decided above; a later failure changes nothing
      late.abort();
    }
  }

  override async close(): Promise<void> {
    this.closing.abort();
    await super.close();
    await this.sender.close();
  }

  override lags(): ReadonlyMap<string, number> {
    return new Map(
      [...this.partitions].map((partition) => [`${partition.consumer}/${partition.partition}`, partition.lag]),
    );
  }

  /** Rows not yet acknowledged by the broker, by schema. */
  backlog(): ReadonlyMap<string, number> {
    return new Map([...this.relays].map(([schema, relay]) => [schema, relay.backlog]));
  }

  /** Takes how far consumers in all processes have read. */
  noteRead({ lowest }: StreamsRead): void {
    this.lowest = lowest;
  }

  /**
   * Whether the broker has the row, so that Kafka's retention applies to it, all consumers have read it as far as is
   * known, and no alarm is raised that sending again would clear. A consumer in another process may have stopped before
   * it, or be away.
   */
  private async isDone(databases: Databases, stream: string, number: number): Promise<boolean> {
    if (!this.lowest || (this.lowest[stream] ?? number) < number) return false;
    if (this.options.alarms.list().some(({ name }) => /^(stream|relay):/.test(name))) return false;
    const database = databases.opened().find(({ schema }) => schema === schemaOfStream(stream));
    return ((await database?.tables.streams.relayed())?.get(stream)?.sent ?? 0) >= number;
  }

  private handOver(rows: readonly OutboxRow[]): void {
    const schema = rows[0]?.stream.split(/[.>]/, 1)[0];
    if (schema === undefined) return;
    const relay = this.relays.get(schema);
    if (relay) relay.offer(rows);
    else this.kafkaOptions.wake?.notify(schema);
  }

  /** Relays the rows of a schema while this instance has the lease of its relay. */
  private relay(database: Database): void {
    this.hold({
      consumer: 'relay',
      partition: 0,
      database,
      work: async (_ownership, abort) => {
        await this.topics.ready;
        const relay = new KafkaRelay(
          database,
          this.sender,
          this.topics,
          this.options.alarms,
          abort.signal,
          this.kafkaOptions.seal,
        );
        this.relays.set(database.schema, relay);
        try {
          await relay.run();
        } finally {
          this.relays.delete(database.schema);
        }
      },
    });
  }

  /** The broker has emptied a partition or a whole topic: it is read and filled again from its beginning. */
  private emptied(topicName: string, partition: number | null): void {
    for (const relay of this.relays.values()) void relay.rewind(topicName);
    for (const open of this.partitions)
      if (open.topicName === topicName && (partition === null || open.partition === partition)) open.emptied();
  }
}
