import type { DirectTopic, Message } from '@bourse/events';
import { tracing, withTrace } from '@bourse/platform';
import {
  batched,
  schemaOfStream,
  type Database,
  type Databases,
  type OutboxRow,
  type StreamHead,
  type Tx,
} from '@bourse/persistence';
import { BaseLog, type LogOptions, type OpenPartition } from './base-log.js';
import type { Handle } from './background-loop.js';
import { delay } from './delay.js';
import { fencedBy, stepsOf } from './deliveries.js';
import type { Ownership } from '../ownership/ownership.js';
import { LogUnavailable, type Delivery, type OwnSpec, type WatchSpec } from '../ports.js';
import { StreamReader } from './stream-reader.js';

/** Rows a subscriber keeps in memory; others are fetched by number, so that a delivery never waits. */
const ROWS_KEPT_MAX = 10_000;
const COMMANDS_MAX = 10_000;
const FETCH_ROWS = 200;
const SEND_MS_MAX = 2_000;
/** Heads of all streams are read now and then: a commit whose answer was lost announces nothing. */
const SCAN_MS = 5_000;

/**
 * The log of the embedded run: rows are delivered in process right after their commit. Rows that are announced but
 * missing are fetched from the sender's outbox, which is in this process too; so callbacks in another order than the
 * commits do no harm.
 */
export class InProcessLog extends BaseLog {
  readonly shared = false;
  private readonly readers = new Map<string, Set<InProcessPartition>>();
  /** Databases with the positions of every owner that was started, by partition and consumer. */
  private readonly owned = new Map<string, Map<string, Database>>();
  private readonly boxes = new Map<string, CommandBox>();
  private readonly watchers = new Set<WatchSpec>();
  private readonly scanner: NodeJS.Timeout;
  /**
   * Dozens of partitions open when a process starts, and each reads the heads of all schemas: waiting calls share one
   * read.
   */
  private readonly headsOf = batched(async (asked: readonly Database[]) => {
    const databases = [...new Set(asked)];
    const heads = await Promise.all(databases.map((database) => this.readHeads(database)));
    return asked.map((database) => heads[databases.indexOf(database)] ?? []);
  });

  constructor(
    options: LogOptions,
    private readonly databases: Databases,
  ) {
    super(options);
    databases.onRows((rows) => this.handOver(rows));
    databases.onOpened((database) => void this.scan([database]));
    databases.onUncertain((database) => void this.scan([database]));
    databases.keepUnless((stream, number) => this.isRead(stream, number));
    this.scanner = setInterval(() => void this.scan(this.databases.opened()), SCAN_MS).unref();
  }

  protected async open(spec: OwnSpec, ownership: Ownership, abort: AbortController): Promise<OpenPartition> {
    const key = `${spec.topic}/${spec.partition}`;
    const box = this.boxOf(key);
    const readers = this.readers.get(key) ?? new Set();
    this.readers.set(key, readers);
    const partition = new InProcessPartition(spec, ownership, abort.signal, box, {
      fetch: (stream, from) => this.fetch(stream, from),
      fault: ({ stream, number, reason }) =>
        this.options.alarms.raise(`stream:${spec.consumer}:${stream}`, `stopped before #${number}: ${reason}`),
      closed: () => readers.delete(partition),
    });
    // Announcements are collected from here on; the scan finds the rows committed before.
    readers.add(partition);
    await partition.load();
    await this.scan(this.databases.opened());
    box.opened();
    return partition;
  }

  /** Calls the watcher with each row right after its commit. */
  watch(spec: WatchSpec): { stop(): Promise<void> } {
    this.watchers.add(spec);
    return {
      stop: () => {
        this.watchers.delete(spec);
        return Promise.resolve();
      },
    };
  }

  /** The order of the rows cannot be repeated by another process, and there is none. */
  protected openToRead(): Promise<never> {
    throw new Error('a log of one process is followed, not read');
  }

  async send(topic: DirectTopic, partition: number, message: Message): Promise<void> {
    if (partition < 0 || partition >= this.partitionsOf(topic))
      throw new RangeError(`${topic} has no partition ${partition}`);
    await this.boxOf(`${topic}/${partition}`).put(tracing.on ? withTrace(message) : message);
  }

  override lags(): ReadonlyMap<string, number> {
    return new Map(
      [...this.readers.values()].flatMap((readers) =>
        [...readers].map((reader) => [`${reader.consumer}/${reader.partition}`, reader.lag] as const),
      ),
    );
  }

  override own(spec: OwnSpec): Handle {
    const handle = super.own(spec);
    const key = `${spec.topic}/${spec.partition}`;
    const owners = this.owned.get(key) ?? new Map<string, Database>();
    this.owned.set(key, owners.set(spec.consumer, spec.database));
    return handle;
  }

  /**
   * Whether all owners of the partition have stored the number, and no stream is stopped, which would need a re-send.
   * An owner that has the partition not now, between two tries, reads on from its stored position [LOG-077].
   */
  private async isRead(stream: string, number: number): Promise<boolean> {
    if (this.options.alarms.list().some(({ name }) => name.startsWith('stream:'))) return false;
    for (const [consumer, database] of this.owned.get(stream.slice(stream.indexOf('>') + 1)) ?? []) {
      try {
        const stored = await database.tables.owners.positions(consumer);
        if ((stored.find((position) => position.stream === stream)?.number ?? 0) < number) return false;
      } catch (error) {
        this.logger.warn(`positions of ${consumer} could not be read: ${(error as Error).message}`);
        return false;
      }
    }
    return true;
  }

  override async close(): Promise<void> {
    clearInterval(this.scanner);
    await super.close();
  }

  private boxOf(key: string): CommandBox {
    let box = this.boxes.get(key);
    if (!box) this.boxes.set(key, (box = new CommandBox(key)));
    return box;
  }

  private handOver(rows: readonly OutboxRow[]): void {
    for (const row of rows) {
      for (const reader of this.readers.get(`${row.topic}/${row.partition}`) ?? []) reader.offer(row);
      for (const { topic, take } of this.watchers) if (topic === row.topic) take(messagesOfRow(row));
    }
  }

  /** Announces all rows that were committed before this call to the readers. */
  private async scan(databases: readonly Database[]): Promise<void> {
    for (const heads of await Promise.all(databases.map((database) => this.headsOf(database)))) {
      for (const { name, next } of heads) {
        for (const reader of this.readers.get(name.slice(name.indexOf('>') + 1)) ?? []) reader.reaches(name, next - 1);
      }
    }
  }

  private async readHeads(database: Database): Promise<readonly StreamHead[]> {
    try {
      return await database.tables.streams.heads();
    } catch (error) {
      this.logger.warn(`heads of the streams of ${database.schema} could not be read: ${(error as Error).message}`);
      return [];
    }
  }

  private async fetch(stream: string, from: number): Promise<OutboxRow[]> {
    const schema = schemaOfStream(stream);
    const sender = this.databases.opened().find((database) => database.schema === schema);
    if (!sender) throw new Error(`the database of ${stream} is not open in this process`);
    return sender.rowsOf(stream, from, FETCH_ROWS);
  }
}

/** A delivery that an owner has received before. */
function givenAgain(delivery: Delivery): Delivery {
  if (delivery.kind === 'row') return delivery;
  const { isFirst: _, ...again } = delivery;
  return again;
}

/** Rows delivered in memory carry their messages; rows from the outbox are parsed. */
const messagesOfRow = (row: OutboxRow): readonly Message[] =>
  (row.messages ?? JSON.parse(row.payload)) as readonly Message[];

interface PartitionLinks {
  fetch(stream: string, from: number): Promise<OutboxRow[]>;
  fault(fault: { stream: string; number: number; reason: string }): void;
  closed(): void;
}

class InProcessPartition implements OpenPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly epoch: number;
  private readonly streams = new Map<string, StreamReader>();
  private early: OutboxRow[] | null = [];
  private kept = 0;
  private wake: (() => void) | undefined;

  constructor(
    spec: OwnSpec,
    private readonly ownership: Ownership,
    readonly signal: AbortSignal,
    private readonly box: CommandBox,
    private readonly links: PartitionLinks,
  ) {
    ({ consumer: this.consumer, topic: this.topic, partition: this.partition } = spec);
    this.epoch = ownership.epoch;
    signal.addEventListener('abort', () => this.wakeUp(), { once: true });
    box.onPut = () => this.wakeUp();
  }

  /** Number of rows that are known to exist and were not taken yet. */
  get lag(): number {
    let rows = 0;
    for (const reader of this.streams.values()) rows += reader.reached - reader.number;
    return rows;
  }

  /** Reads the stored positions; rows announced meanwhile wait. */
  async load(): Promise<void> {
    for (const [stream, position] of await this.ownership.positions())
      this.streams.set(stream, new StreamReader(stream, position));
    const early = this.early ?? [];
    this.early = null;
    for (const row of early) this.offer(row);
  }

  offer(row: OutboxRow): void {
    if (this.early) {
      this.early.push(row);
      return;
    }
    const reader = this.readerOf(row.stream);
    if (this.kept >= ROWS_KEPT_MAX) reader.reaches(row.number);
    else if (reader.offer(row)) this.kept += 1;
    this.wakeUp();
  }

  reaches(stream: string, number: number): void {
    const reader = this.readerOf(stream);
    reader.reaches(number);
    if (reader.waiting) this.wakeUp();
  }

  async take(max: number): Promise<readonly Delivery[]> {
    for (;;) {
      if (this.signal.aborted) throw fencedBy(this.signal);
      const deliveries = await this.gather(max);
      if (deliveries.length > 0) return deliveries;
      if (this.signal.aborted) throw fencedBy(this.signal);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        // A row may have come during the last check.
        if (this.signal.aborted || this.box.waiting > 0 || [...this.streams.values()].some((reader) => reader.waiting))
          this.wakeUp();
      });
    }
  }

  async advance(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    await this.ownership.advance(tx, stepsOf(deliveries), null);
    tx.afterCommit(() => this.box.done(deliveries));
  }

  stopStream(stream: string, number: number, reason: string): void {
    this.readerOf(stream).stop(number, reason);
    this.links.fault({ stream, number, reason });
  }

  async close(): Promise<void> {
    this.links.closed();
    this.box.closed();
  }

  private async gather(max: number): Promise<Delivery[]> {
    const out: Delivery[] = [];
    // Half of a batch is for commands of the edge when both wait, so that neither starves the other.
    const rowsMax = this.box.waiting > 0 ? Math.ceil(max / 2) : max;
    let messages = 0;
    for (const reader of this.streams.values()) {
      while (messages < rowsMax && reader.waiting) {
        if (reader.missing !== null && !(await this.fetchInto(reader, reader.missing))) break;
        const before = reader.size;
        const row = reader.next();
        this.kept -= before - reader.size;
        if (!row) break;
        const parsed = messagesOfRow(row);
        out.push({ kind: 'row', row, messages: parsed });
        messages += parsed.length;
      }
      if (reader.fault) this.links.fault(reader.fault);
    }
    // Round robin: the first stream moves to the end.
    const [first] = this.streams;
    if (first && this.streams.size > 1) {
      this.streams.delete(first[0]);
      this.streams.set(...first);
    }
    out.push(...this.box.take(max - Math.min(messages, max - 1)));
    return out;
  }

  private async fetchInto(reader: StreamReader, number: number): Promise<boolean> {
    const rows = await this.links.fetch(reader.stream, number);
    if (rows[0]?.number !== number) {
      reader.stop(
        number,
        'it is not in the outbox of its sender ' +
          (rows[0] ? `(the next there is #${rows[0].number})` : '(nothing is there)'),
      );
      return false;
    }
    for (const row of rows) if (reader.offer(row)) this.kept += 1;
    return true;
  }

  private readerOf(stream: string): StreamReader {
    let reader = this.streams.get(stream);
    if (!reader) this.streams.set(stream, (reader = new StreamReader(stream, { number: 0, hash: '' })));
    return reader;
  }

  private wakeUp(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

/**
 * Direct commands for one partition. Taken ones stay until their transaction has committed: a new owner in this process
 * gets them again.
 */
class CommandBox {
  private queue: Delivery[] = [];
  private readonly taken = new Set<Delivery>();
  private open = false;
  onPut: () => void = () => undefined;

  constructor(private readonly key: string) {}

  get waiting(): number {
    return this.open ? this.queue.length : 0;
  }

  async put(message: Message): Promise<void> {
    for (const deadline = Date.now() + SEND_MS_MAX; !this.open || this.queue.length >= COMMANDS_MAX; await delay(10)) {
      if (Date.now() >= deadline) throw new LogUnavailable(`${this.key} ${this.open ? 'is full' : 'has no owner'}`);
    }
    this.queue.push({ kind: 'command', message, offset: null, isFirst: true });
    this.onPut();
  }

  take(max: number): Delivery[] {
    if (!this.open || max <= 0 || this.queue.length === 0) return [];
    const deliveries = this.queue.splice(0, max);
    for (const delivery of deliveries) this.taken.add(delivery);
    return deliveries;
  }

  done(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) this.taken.delete(delivery);
  }

  opened(): void {
    // A commit of which the outcome is unknown may have carried them out.
    this.queue = [...[...this.taken].map(givenAgain), ...this.queue];
    this.taken.clear();
    this.open = true;
    this.onPut();
  }

  closed(): void {
    this.open = false;
  }
}
