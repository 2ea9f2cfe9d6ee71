import { randomBytes } from 'node:crypto';
import kafkajs, {
  Kafka,
  logLevel,
  type Admin,
  type Consumer,
  type EachBatchPayload,
  type IHeaders,
  type KafkaConfig,
  type PartitionAssigner,
} from 'kafkajs';
import type { KafkaAccess, ServiceName } from '@bourse/platform';
import { DIRECT_TOPICS, type DirectTopic, type Message } from '@bourse/events';
import { chainHash, schemaOfStream, type Database, type Databases, type OutboxRow, type Tx } from '@bourse/persistence';
import { BaseLog, type LogOptions, type OpenPartition } from '../log/base-log.js';
import { delay } from '../log/delay.js';
import { kafkaAddress } from './kafka-address.js';
import { fencedBy, stepsOf } from '../log/deliveries.js';
import { KafkaRelay, ROW_HEADERS } from './kafka-relay.js';
import { KafkaSender, SendFailed } from './kafka-sender.js';
import { seenCommands, type Author, type RecordSeal } from '../seal/record-seal.js';
import type { Ownership, Position } from '../ownership/ownership.js';
import {
  LogReplaced,
  LogUnavailable,
  type Delivery,
  type LogMark,
  type OwnSpec,
  type ReadPartition,
  type ReadSpec,
} from '../ports.js';

// kafkajs is CommonJS and its index does not name everything statically.
const {
  AssignerProtocol: { MemberAssignment, MemberMetadata },
} = kafkajs;

export interface KafkaLogOptions extends LogOptions {
  readonly brokers: readonly string[];
  /** How to show ourselves to the broker; absent: it asks for nothing. */
  readonly access?: KafkaAccess;
  /**
   * Shows others who has written what, and us who has; without it everybody is believed, as in tests of the log alone.
   */
  readonly seal?: RecordSeal;
  /** Told of records that nobody of ours has signed; they are dropped. */
  readonly onForged?: (topic: string, what: string) => void;
  readonly onFatal: (reason: string) => void;
  /** Before each topic's name; tests keep apart by it. */
  readonly topicPrefix?: string;
  /** Tells when the topics are there. */
  readonly onReady?: (ready: boolean) => void;
  /** Makes the client; tests and the simulator bring their own broker. */
  readonly client?: (config: KafkaConfig) => Pick<Kafka, 'admin' | 'consumer' | 'producer'>;
  /** Tells other instances that this schema has rows to relay, and calls back when they say so. */
  readonly wake?: { tell(schema: string): void; onTold(listener: (schema: string) => void): void };
}

const SEND_MS_MAX = 2_000;
const MESSAGES_KEPT_MAX = 10_000;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
const RETENTION_MS = 7 * 24 * 3_600_000;
const FETCH_WAIT_MS = 500;
const SILENT_MS_MAX = 15_000;
const WITHOUT_READER_MS_MAX = 60_000;
const EARLIEST = '-2';

/** The log of the distributed run. */
export class KafkaLog extends BaseLog {
  readonly shared = true;
  private readonly kafka: Pick<Kafka, 'admin' | 'consumer' | 'producer'>;
  private readonly sender: KafkaSender;
  private readonly relays = new Map<string, KafkaRelay>();
  private readonly topics: Promise<readonly string[]>;
  private readonly closing = new AbortController();
  private readonly partitions = new Set<KafkaPartition>();

  constructor(
    private readonly kafkaOptions: KafkaLogOptions,
    databases: Databases,
  ) {
    super(kafkaOptions);
    this.kafka = (kafkaOptions.client ?? ((config) => new Kafka(config)))({
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
      missing: () => this.lookForTopics(),
      emptied: (topic, partition) => this.emptied(topic, partition),
    });
    kafkaOptions.onReady?.(false);
    this.topics = this.makeTopics();
    databases.onRows((rows) => this.handOver(rows));
    databases.onOpened((database) => this.relay(database));
    databases.onUncertain((database) => void this.relays.get(database.schema)?.look());
    databases.keepUnless((stream, number) => this.isRelayed(databases, stream, number));
    kafkaOptions.wake?.onTold((schema) => void this.relays.get(schema)?.look());
  }

  protected async open(spec: OwnSpec, ownership: Ownership, abort: AbortController): Promise<OpenPartition> {
    await this.topics;
    const partition = new KafkaPartition(spec, ownership, abort, this.nameOf(spec.topic), this.linksOf(spec));
    this.partitions.add(partition);
    abort.signal.addEventListener('abort', () => this.partitions.delete(partition), { once: true });
    await partition.start(this.kafka);
    return partition;
  }

  protected async openToRead(
    spec: ReadSpec,
    mark: LogMark,
    { quiet = false }: { readonly quiet?: boolean } = {},
  ): Promise<ReadPartition> {
    await this.topics;
    const end = await this.endOf(spec);
    const abort = new AbortController();
    const name = `${spec.consumer}/${spec.partition}`;
    const raised = new Set<string>();
    const links = this.linksOf(spec);
    const partition = new KafkaPartition(spec, standingAt(mark), abort, this.nameOf(spec.topic), {
      ...links,
      stopped: (stream, number, reason) => {
        raised.add(stream);
        if (!quiet) links.stopped(stream, number, reason);
      },
      resumed: (stream) => {
        raised.delete(stream);
        if (!quiet) links.resumed(stream);
      },
      // What lies before a mark was told of when it came.
      ...(quiet ? { forged: () => undefined, refused: () => undefined } : {}),
      replaced: (why) => abort.abort(new LogReplaced(`${name}: ${why}`)),
    });
    this.partitions.add(partition);
    abort.signal.addEventListener('abort', () => this.partitions.delete(partition), { once: true });
    await partition.start(this.kafka);
    return {
      take: (max) => partition.take(max),
      mark: () => partition.mark,
      caughtUp: () => partition.hasTaken(end),
      close: async () => {
        // Who reads on from another mark meets the fault again, or does not.
        if (!quiet) for (const stream of raised) links.resumed(stream);
        await partition.close();
      },
    };
  }

  /** Offset of the record that will come next into a partition; 0 when it has none. */
  private async endOf({ topic, partition }: ReadSpec): Promise<bigint> {
    const admin = this.kafka.admin({ retry: { retries: 2 } });
    try {
      await admin.connect();
      const spans = await admin.fetchTopicOffsets(this.nameOf(topic));
      const { low = '0', high = '0' } = spans.find((span) => span.partition === partition) ?? {};
      return low === high ? 0n : BigInt(high);
    } finally {
      await admin.disconnect();
    }
  }

  private linksOf(spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition'>): Links {
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
        this.lookForTopics();
      },
      refused: (what) => this.logger.error(what),
      ...(this.kafkaOptions.seal ? { seal: this.kafkaOptions.seal } : {}),
      forged: (what) => this.kafkaOptions.onForged?.(spec.topic, what),
      fatal: (reason) => this.kafkaOptions.onFatal(reason),
    };
  }

  async send(topic: DirectTopic, partition: number, message: Message): Promise<void> {
    if (partition < 0 || partition >= this.partitionsOf(topic))
      throw new RangeError(`${topic} has no partition ${partition}`);
    const value = JSON.stringify(message);
    const headers = this.kafkaOptions.seal?.ofCommand(topic, partition, value);
    const sent = this.sender.send(this.nameOf(topic), partition, {
      key: message.key,
      value,
      ...(headers ? { headers } : {}),
    });
    const late = new AbortController();
    try {
      await Promise.race([sent, delay(SEND_MS_MAX, late.signal)]);
    } catch (error) {
      // What may have been written counts as handed over: the caller waits for its answer, and is told "unknown" if
      // none comes.
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

  /**
   * The broker has it, so the consumers' own retention counts from there; nothing is wrong that a re-send would have to
   * mend.
   */
  private async isRelayed(databases: Databases, stream: string, number: number): Promise<boolean> {
    if (this.options.alarms.list().some(({ name }) => /^(stream|relay):/.test(name))) return false;
    const database = databases.opened().find(({ schema }) => schema === schemaOfStream(stream));
    return ((await database?.tables.streams.relayed())?.get(stream) ?? 0) >= number;
  }

  /** Rows not yet acknowledged by the broker, by schema. */
  backlog(): ReadonlyMap<string, number> {
    return new Map([...this.relays].map(([schema, relay]) => [schema, relay.backlog]));
  }

  private nameOf(topic: string): string {
    return `${this.kafkaOptions.topicPrefix ?? ''}${topic}`;
  }

  private handOver(rows: readonly OutboxRow[]): void {
    const schema = rows[0]?.stream.split(/[.>]/, 1)[0];
    if (schema === undefined) return;
    const relay = this.relays.get(schema);
    if (relay) relay.offer(rows);
    else this.kafkaOptions.wake?.tell(schema);
  }

  private relay(database: Database): void {
    this.hold({
      consumer: 'relay',
      partition: 0,
      database,
      work: async (_ownership, abort) => {
        await this.topics;
        const relay = new KafkaRelay(
          database,
          this.sender,
          (topic) => this.nameOf(topic),
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

  /** Topics are made once with their fixed number of partitions; another number stops the start. */
  private async makeTopics(): Promise<readonly string[]> {
    for (let waitMs = 100; !this.closing.signal.aborted; waitMs = Math.min(waitMs * 2, 2_000)) {
      const admin = this.kafka.admin({ retry: { retries: 0 } });
      try {
        await admin.connect();
        const made = await this.ensureTopics(admin);
        this.kafkaOptions.onReady?.(true);
        return made;
      } catch (error) {
        if (error instanceof WrongPartitions) {
          this.options.alarms.raise('kafka.topics', error.message);
          this.kafkaOptions.onFatal(error.message);
          throw error;
        }
        this.logger.warn(`topics could not be checked: ${(error as Error).message}`);
        await delay(waitMs, this.closing.signal);
      } finally {
        await admin.disconnect();
      }
    }
    return [];
  }

  /**
   * Topics that were there at the start may be gone, with all that a broker had: they are made again, and filled again
   * from the outbox.
   */
  private lookForTopics(): void {
    this.looking ??= (async () => {
      await this.topics; // the first look is the start's own
      for (const topic of await this.makeTopics()) this.emptied(topic, null);
    })()
      .catch((error: unknown) => this.logger.warn(`topics: ${(error as Error).message}`))
      .finally(() => {
        this.looking = undefined;
      });
  }
  private looking: Promise<void> | undefined;

  /** A partition, or a whole topic, counts from anew. */
  private emptied(topic: string, partition: number | null): void {
    for (const open of this.partitions)
      if (open.topicName === topic && (partition === null || open.partition === partition)) open.emptied();
    for (const relay of this.relays.values())
      relay
        .rewind(topic)
        .catch((error: unknown) => this.logger.warn(`${topic} could not be filled again: ${(error as Error).message}`));
  }

  /** The names of those that had to be made. */
  private async ensureTopics(admin: Admin): Promise<string[]> {
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
    const { topics } = await admin.fetchTopicMetadata({
      topics: Object.keys(this.options.partitions).map((topic) => this.nameOf(topic)),
    });
    for (const [topic, count] of Object.entries(this.options.partitions)) {
      const found = topics.find(({ name }) => name === this.nameOf(topic))?.partitions.length;
      if (found !== count)
        throw new WrongPartitions(
          `${this.nameOf(topic)} has ${found ?? 'no'} partitions in Kafka and ${count} ` +
            'in the settings; the number is fixed at install',
        );
    }
    return missing.map(([topic]) => this.nameOf(topic));
  }
}

class WrongPartitions extends Error {}

interface Links {
  stopped(stream: string, number: number, reason: string): void;
  resumed(stream: string): void;
  silent(silent: boolean): void;
  trouble(what: string): void;
  refused(what: string): void;
  /** Who checks what has come; absent: everybody is believed. */
  readonly seal?: RecordSeal;
  forged(what: string): void;
  fatal(reason: string): void;
  /** The log begins anew, and is not read on; absent: it is read from its beginning. */
  replaced?(why: string): void;
}

/** What a reader of a partition needs of its ownership. */
type Standing = Pick<Ownership, 'epoch' | 'kafkaOffset' | 'positions' | 'advance'>;

/** Stands at a mark and owns nothing. */
const standingAt = ({ offset, positions }: LogMark): Standing => ({
  epoch: 0,
  kafkaOffset: offset,
  positions: () => Promise.resolve(new Map(positions)),
  advance: () => Promise.reject(new Error('who only reads notes nothing')),
});

/** What was read and not taken yet, with the offset after it. */
interface Queued {
  readonly offset: bigint;
  readonly at: number;
  readonly row?: OutboxRow;
  readonly command?: Message;
  readonly author?: ServiceName;
  readonly messages: readonly Message[];
}

class KafkaPartition implements OpenPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly epoch: number;
  readonly signal: AbortSignal;
  private reader: Consumer | undefined;
  private positions = new Map<string, Position>();
  private readonly seen = seenCommands();
  private readonly stoppedStreams = new Set<string>();
  private readonly queue: Queued[] = [];
  private queuedMessages = 0;
  private readonly offsets = new WeakMap<Delivery, bigint>();
  /** Next offset to read; smaller ones were queued already. Null: from the beginning. */
  private nextOffset: bigint | null;
  /** Offset that our last commit has noted. */
  private committedOffset: string | null;
  /** Offset after the last record that was given. */
  private takenTo: bigint | null;
  private highWatermark = 0n;
  private wake: () => void = () => undefined;
  private roomFor: () => void = () => undefined;
  private polledAt = performance.now();
  private watch: NodeJS.Timeout | undefined;

  constructor(
    spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition'>,
    private readonly ownership: Standing,
    private readonly abort: AbortController,
    readonly topicName: string,
    private readonly links: Links,
  ) {
    ({ consumer: this.consumer, topic: this.topic, partition: this.partition } = spec);
    this.epoch = ownership.epoch;
    this.signal = abort.signal;
    this.nextOffset = ownership.kafkaOffset === null ? null : BigInt(ownership.kafkaOffset);
    this.committedOffset = ownership.kafkaOffset;
    this.takenTo = this.nextOffset;
    this.signal.addEventListener(
      'abort',
      () => {
        this.wake();
        this.roomFor();
      },
      { once: true },
    );
  }

  async start(kafka: Pick<Kafka, 'consumer'>): Promise<void> {
    this.positions = await this.ownership.positions();
    await this.join(kafka);
    this.watch = setInterval(() => {
      const silent = performance.now() - this.polledAt > SILENT_MS_MAX;
      this.links.silent(silent);
      if (silent && this.reader) void this.replace(kafka, new Error(`it has not polled for ${SILENT_MS_MAX / 1000} s`));
    }, 5_000).unref();
  }

  /**
   * A reader in a group of its own, thrown away with it: the group protocol shares out nothing, and a dead member would
   * hold up its group (invariants §2.3).
   */
  private async join(kafka: Pick<Kafka, 'consumer'>): Promise<void> {
    const unique = randomBytes(4).toString('hex');
    const groupId = `${this.topicName}.${this.consumer}.${this.partition}.${this.epoch}.${unique}`;
    const reader = kafka.consumer({
      groupId,
      partitionAssigners: [exactly(this.topicName, this.partition)],
      allowAutoTopicCreation: false,
      maxWaitTimeInMs: FETCH_WAIT_MS,
      minBytes: 1,
      maxBytesPerPartition: MESSAGE_BYTES_MAX,
      sessionTimeout: 10_000,
      heartbeatInterval: 2_000,
      // It gives up early and is replaced by one in a new group, which is there sooner than a second try in the old
      // one.
      retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 500, restartOnFailure: () => Promise.resolve(false) },
    });
    reader.on(reader.events.GROUP_JOIN, () =>
      reader.seek({
        topic: this.topicName,
        partition: this.partition,
        offset: this.nextOffset === null ? EARLIEST : String(this.nextOffset),
      }),
    );
    reader.on(reader.events.FETCH, () => {
      this.polledAt = performance.now();
    });
    // kafkajs also tells of a start that failed in this way alone.
    const crash: { error?: Error } = {};
    reader.on(reader.events.CRASH, ({ payload }) => {
      crash.error = payload.error;
      if (this.reader === reader) void this.replace(kafka, payload.error);
    });
    try {
      await reader.connect();
      // From the beginning also when the broker has lost its log: repeats are dropped by number, and a hole is seen.
      await reader.subscribe({ topics: [this.topicName], fromBeginning: true });
      await reader.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        eachBatch: (payload) => this.receive(payload),
      });
      if (crash.error) throw crash.error;
      this.polledAt = performance.now();
      this.reader = reader;
    } catch (error) {
      await reader.disconnect();
      throw error;
    }
  }

  /**
   * kafkajs stops in silence on some errors and waits for its dead self on others: whatever it was, read on with a new
   * consumer. Without one for a minute the process must end.
   */
  private async replace(kafka: Pick<Kafka, 'consumer'>, error: Error): Promise<void> {
    const old = this.reader;
    this.reader = undefined;
    const name = `${this.consumer}/${this.partition}`;
    this.links.trouble(`${name} reads on with a new consumer: ${error.message}`);
    // It is broken: whether it says goodbye does not matter.
    await Promise.race([
      old?.disconnect().catch((late: unknown) => this.links.trouble(`${name}: ${(late as Error).message}`)),
      delay(2_000),
    ]);
    for (const deadline = Date.now() + WITHOUT_READER_MS_MAX; !this.signal.aborted; await delay(500, this.signal)) {
      try {
        await this.join(kafka);
        if (this.signal.aborted) await this.close();
        return;
      } catch (again) {
        if (Date.now() > deadline)
          return this.links.fatal(`${name} cannot read from Kafka: ${(again as Error).message}`);
      }
    }
  }

  /** The broker has lost what the partition had: it is read from its beginning, and repeats are dropped by number. */
  emptied(): void {
    if (this.links.replaced) return this.links.replaced('the broker has lost what it had');
    this.nextOffset = null;
    this.reader?.seek({ topic: this.topicName, partition: this.partition, offset: EARLIEST });
  }

  /** Where it stands after all that was given. */
  get mark(): LogMark {
    return { offset: this.takenTo === null ? null : String(this.takenTo), positions: new Map(this.positions) };
  }

  /** Whether all records before an offset were given, or passed over. */
  hasTaken(end: bigint): boolean {
    return (this.nextOffset ?? 0n) >= end && this.queue.length === 0;
  }

  /** Records of the partition that were not taken yet. */
  get lag(): number {
    return Math.max(0, Number(this.highWatermark - (this.nextOffset ?? 0n))) + this.queue.length;
  }

  /** Moves records into the queue; when it is full, waits and keeps the membership alive. */
  private async receive({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    this.highWatermark = BigInt(batch.highWatermark);
    // What we have read lies beyond the end: this is another log than it was.
    if (this.nextOffset !== null && this.highWatermark < this.nextOffset) {
      if (this.links.replaced) return this.links.replaced('it ends before what was read of it');
      this.nextOffset = null;
    }
    for (const record of batch.messages) {
      const offset = BigInt(record.offset);
      if (this.nextOffset === null || offset >= this.nextOffset) {
        while (this.queuedMessages >= MESSAGES_KEPT_MAX && !this.signal.aborted) {
          await this.room();
          this.polledAt = performance.now();
          await heartbeat();
        }
        if (this.signal.aborted || !isRunning() || isStale()) return;
        this.push(offset, Number(record.timestamp), record.headers, record.value);
        this.nextOffset = offset + 1n;
      }
      resolveOffset(record.offset);
    }
    await heartbeat();
  }

  private push(offset: bigint, at: number, headers: IHeaders | undefined, value: Buffer | null): void {
    const text = value?.toString('utf8') ?? '';
    const stream = headers?.[ROW_HEADERS.stream]?.toString();
    const row = stream === undefined ? undefined : this.rowOf(stream, headers, text);
    // Before anybody looks into it: what nobody of ours has signed takes no number and stops nothing, so that the true
    // record is still taken.
    const signed = this.authenticate(row, headers, text);
    if (signed && 'forged' in signed)
      return this.links.forged(
        `the record at offset ${offset} of ${this.topicName}/${this.partition}: ${signed.forged}`,
      );
    const author = signed ? { author: signed.author } : {};
    let queued: Queued;
    try {
      if (!row) {
        if (!DIRECT_TOPICS.has(this.topic)) throw new Error('it belongs to no stream, and nobody sends commands here');
        const command = messageOf(JSON.parse(text));
        queued = { offset, at, command, messages: [command], ...author };
      } else queued = { offset, at, row, messages: JSON.parse(text) as Message[], ...author };
    } catch (error) {
      // Nobody of ours writes this. A command that is none is nobody's and is passed over; a row that does not parse
      // leaves a hole, which stops its stream.
      const what =
        `the record at offset ${offset} of ${this.topicName}/${this.partition} ` +
        `is not taken: ${(error as Error).message}`;
      if (stream === undefined) return this.links.refused(what);
      this.stoppedStreams.add(stream);
      this.links.stopped(stream, 0, what);
      return;
    }
    this.queue.push(queued);
    this.queuedMessages += queued.messages.length;
    this.wake();
  }

  private rowOf(stream: string, headers: IHeaders | undefined, payload: string): OutboxRow {
    const header = (name: string): string => headers?.[name]?.toString() ?? '';
    return {
      stream,
      number: Number(header(ROW_HEADERS.number)),
      topic: this.topic,
      partition: this.partition,
      previousHash: header(ROW_HEADERS.previousHash),
      hash: header(ROW_HEADERS.hash),
      payload,
    };
  }

  /** Null: everybody is believed. */
  private authenticate(row: OutboxRow | undefined, headers: IHeaders | undefined, text: string): Author | null {
    const { seal } = this.links;
    if (!seal) return null;
    return row
      ? seal.authorOfRow(row, headers)
      : seal.authorOfCommand(this.topic, this.partition, text, headers, this.seen);
  }

  async take(max: number): Promise<readonly Delivery[]> {
    for (;;) {
      if (this.signal.aborted) throw fencedBy(this.signal);
      const deliveries: Delivery[] = [];
      let messages = 0;
      while (messages < max) {
        const queued = this.queue.shift();
        if (!queued) break;
        this.queuedMessages -= queued.messages.length;
        if (queued.row && !this.continues(queued.row)) continue;
        this.takenTo = queued.offset + 1n;
        const author = queued.author === undefined ? {} : { author: queued.author };
        const delivery: Delivery = queued.row
          ? { kind: 'row', row: queued.row, messages: queued.messages, at: queued.at, ...author }
          : { kind: 'command', message: queued.command as Message, offset: String(queued.offset), ...author };
        this.offsets.set(delivery, queued.offset);
        deliveries.push(delivery);
        messages += queued.messages.length;
      }
      if (this.queuedMessages < MESSAGES_KEPT_MAX) this.roomFor();
      if (deliveries.length > 0) return deliveries;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        if (this.queue.length > 0 || this.signal.aborted) resolve();
      });
    }
  }

  async advance(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    let last: bigint | null = null;
    for (const delivery of deliveries) {
      const offset = this.offsets.get(delivery);
      if (offset !== undefined && (last === null || offset > last)) last = offset;
    }
    const to = last === null ? null : String(last + 1n);
    await this.ownership.advance(tx, stepsOf(deliveries), { from: this.committedOffset, to });
    tx.afterCommit(() => {
      this.committedOffset = to ?? this.committedOffset;
    });
  }

  stopStream(stream: string, number: number, reason: string): void {
    // Re-sent from this number on it goes on; until then nothing of it passes.
    this.positions.set(stream, { number: number - 1, hash: null });
    this.stoppedStreams.add(stream);
    this.links.stopped(stream, number, reason);
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    this.abort.abort();
    this.queue.length = 0;
    await this.reader?.disconnect();
  }

  /** Repeats are dropped; a hole or a fork stops the stream until the missing row is sent again. */
  private continues(row: OutboxRow): boolean {
    const position = this.positions.get(row.stream) ?? { number: 0, hash: '' };
    if (row.number <= position.number) return false;
    const fault =
      row.number > position.number + 1
        ? `#${position.number + 1} is missing, #${row.number} has come`
        : position.hash !== null && row.previousHash !== position.hash
          ? `the row before it has hash ${position.hash || '(none)'} here and ` +
            `${row.previousHash || '(none)'} there: the stream has forked or was set back`
          : // Who has checked the signature has compared it.
            !this.links.seal && chainHash(row.previousHash, row.payload) !== row.hash
            ? 'its payload does not have its hash'
            : null;
    if (fault !== null) {
      if (!this.stoppedStreams.has(row.stream)) {
        this.stoppedStreams.add(row.stream);
        this.links.stopped(row.stream, position.number + 1, fault);
      }
      return false;
    }
    this.positions.set(row.stream, { number: row.number, hash: row.hash });
    if (this.stoppedStreams.delete(row.stream)) this.links.resumed(row.stream);
    return true;
  }

  /** Waits for room in the queue, at most a second. */
  private room(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 1_000);
      this.roomFor = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A command as it must be before anybody looks into it. @throws TypeError */
function messageOf(value: unknown): Message {
  const { type, key, body } = (value ?? {}) as Partial<Message>;
  if (typeof type !== 'string' || typeof key !== 'string' || typeof body !== 'object' || body === null)
    throw new TypeError('it has no type, key and body');
  return value as Message;
}

/** An assigner that gives the group's one member exactly one partition. */
function exactly(topic: string, partition: number): PartitionAssigner {
  const name = 'BourseOwner';
  return () => ({
    name,
    version: 0,
    assign: ({ members }) =>
      Promise.resolve(
        members.slice(0, 1).map(({ memberId }) => ({
          memberId,
          memberAssignment: MemberAssignment.encode({
            version: 0,
            assignment: { [topic]: [partition] },
            userData: Buffer.alloc(0),
          }),
        })),
      ),
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version: 0, topics, userData: Buffer.alloc(0) }),
    }),
  });
}
