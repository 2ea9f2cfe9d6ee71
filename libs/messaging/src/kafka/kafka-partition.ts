import type { EachBatchPayload, IHeaders, Kafka } from 'kafkajs';
import type { Message } from '@bourse/events';
import type { Tx } from '@bourse/persistence';
import type { OpenPartition } from '../log/base-log.js';
import { delay } from '../log/delay.js';
import { fencedBy, stepsOf } from '../log/deliveries.js';
import type { Ownership } from '../ownership/ownership.js';
import type { Delivery, LogMark, OwnSpec } from '../ports.js';
import type { PartitionEvents } from './partition-events.js';
import { PartitionFetcher, type FetchedPartition } from './partition-fetcher.js';
import { RecordDecoder, type DecodedRecord } from './record-decoder.js';
import { StreamPositions } from './stream-positions.js';

const MESSAGES_KEPT_MAX = 10_000;
/** Pause between two fetches: a fetch costs the broker and this process as much as several records. */
const FETCH_PAUSE_MS = 3;
/** Offset given to records the broker has lost; sorts before every real offset. */
const LOST = -1n;

/** The parts of its ownership that a partition needs while it is read. */
export type PartitionOwnership = Pick<Ownership, 'epoch' | 'kafkaOffset' | 'heldOffset' | 'positions' | 'advance'> & {
  /** Streams may begin with any row and skip rows. */
  readonly isLoose?: boolean;
  /** Nothing is ever committed. */
  readonly isReadOnly?: boolean;
};

/** Begins at a mark and owns nothing: a partition that is only read. */
export const readOnlyFrom = ({ offset, positions }: LogMark): PartitionOwnership => ({
  epoch: 0,
  kafkaOffset: offset,
  heldOffset: null,
  positions: () => Promise.resolve(new Map(positions)),
  isReadOnly: true,
  advance: () => Promise.reject(new Error('a reader stores no position')),
});

/** Begins at an offset and accepts any row of each stream. */
export const looseFrom = (offset: bigint): PartitionOwnership => ({
  ...readOnlyFrom({ offset: String(offset), positions: new Map() }),
  isLoose: true,
});

/** A log that ends before the applied offset for this long was replaced. Ms. */
const SHORT_MS = 5_000;
/** Pause before such a log is fetched again. */
const SHORT_PAUSE_MS = 250;

/** A partition in Kafka while it is open: fetched records wait in a queue until they are taken. */
export class KafkaPartition implements OpenPartition, FetchedPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly epoch: number;
  readonly signal: AbortSignal;
  /** Next offset to read; smaller ones were queued already. Null: from the beginning. */
  nextOffset: bigint | null;
  private readonly fetchPauseMs: number;
  private readonly fetcher: PartitionFetcher;
  private readonly decoder: RecordDecoder;
  private readonly streams: StreamPositions;
  private readonly queue: DecodedRecord[] = [];
  private queuedMessages = 0;
  /** Offsets of the deliveries that were given and not committed yet, in the order in which they were given. */
  private readonly unapplied = new Map<Delivery, bigint>();
  /** All before this offset was applied, except rows of streams that wait or have stopped. */
  private appliedTo: bigint;
  /** How often the log has begun again. */
  private beginnings = 0;
  /** Offset that our last commit has stored. */
  private committedOffset: string | null;
  /** Offset after the last record that was given. */
  private takenTo: bigint | null;
  private highWatermark = 0n;
  /** Since when the log ends before the applied offset; null: it does not. */
  private shortSince: number | null = null;
  private wake: () => void = () => undefined;
  private roomFor: () => void = () => undefined;

  constructor(
    spec: Pick<OwnSpec, 'consumer' | 'topic' | 'partition' | 'fetchPauseMs'>,
    private readonly ownership: PartitionOwnership,
    private readonly abort: AbortController,
    readonly topicName: string,
    kafka: Pick<Kafka, 'consumer'>,
    private readonly events: PartitionEvents,
  ) {
    ({ consumer: this.consumer, topic: this.topic, partition: this.partition } = spec);
    this.fetchPauseMs = spec.fetchPauseMs ?? FETCH_PAUSE_MS;
    this.epoch = ownership.epoch;
    this.signal = abort.signal;
    const from = ownership.heldOffset ?? ownership.kafkaOffset;
    this.nextOffset = from === null ? null : BigInt(from);
    this.appliedTo = BigInt(ownership.kafkaOffset ?? 0);
    this.committedOffset = ownership.kafkaOffset;
    this.takenTo = this.nextOffset;
    this.fetcher = new PartitionFetcher(kafka, this, events);
    this.decoder = new RecordDecoder(this, events.seal);
    this.streams = new StreamPositions(events, ownership.isLoose);
    this.signal.addEventListener(
      'abort',
      () => {
        this.wake();
        this.roomFor();
      },
      { once: true },
    );
  }

  /** Loads the stored positions and begins to fetch. */
  async start(): Promise<void> {
    this.streams.load(await this.ownership.positions());
    await this.fetcher.start();
  }

  /** The broker has lost what the partition had: it is read from its beginning, and repeats are dropped by number. */
  emptied(): void {
    if (this.events.replaced) return this.events.replaced('the broker has lost what it had');
    this.beginAgain();
    this.fetcher.seek();
  }

  /** Rows that were read and not applied may be anywhere in the restarted log. */
  private beginAgain(): void {
    this.beginnings += 1;
    this.nextOffset = null;
    this.takenTo = 0n;
    this.appliedTo = 0n;
    for (const delivery of this.unapplied.keys()) this.unapplied.set(delivery, LOST);
    for (const [index, record] of this.queue.entries()) this.queue[index] = { ...record, offset: LOST };
  }

  /** The mark after all that was given. */
  get mark(): LogMark {
    return { offset: this.takenTo === null ? null : String(this.takenTo), positions: this.streams.snapshot() };
  }

  /** Whether all records before an offset were given, or passed over. */
  hasTaken(end: bigint): boolean {
    return (this.nextOffset ?? 0n) >= end && this.queue.length === 0;
  }

  /** Records of the partition that were not taken yet. */
  get lag(): number {
    return Math.max(0, Number(this.highWatermark - (this.nextOffset ?? 0n))) + this.queue.length;
  }

  /**
   * Moves records into the queue; when it is full, waits and keeps the membership alive. The next fetch begins when it
   * resolves.
   */
  async receive({ batch, resolveOffset, heartbeat, isRunning, isStale }: EachBatchPayload): Promise<void> {
    this.highWatermark = BigInt(batch.highWatermark);
    if (this.nextOffset !== null) {
      const isShort = this.highWatermark < this.appliedTo;
      this.shortSince = isShort ? (this.shortSince ?? performance.now()) : null;
      // A newly elected leader may report a lower end for a moment.
      if (isShort && performance.now() - this.shortSince! < SHORT_MS) {
        await delay(SHORT_PAUSE_MS, this.signal);
        return heartbeat();
      }
      // Offsets beyond the end were read: the log was replaced.
      if (isShort || this.highWatermark < this.nextOffset) {
        if (this.events.replaced) return this.events.replaced('it ends before what was read of it');
        this.beginAgain();
        return this.fetcher.seek();
      }
    }
    for (const record of batch.messages) {
      const offset = BigInt(record.offset);
      if (this.nextOffset === null || offset >= this.nextOffset) {
        while (this.queuedMessages >= MESSAGES_KEPT_MAX && !this.signal.aborted) {
          await this.room();
          this.fetcher.polled();
          await heartbeat();
        }
        if (this.signal.aborted || !isRunning() || isStale()) return;
        this.push(offset, Number(record.timestamp), record.headers, record.value);
        this.nextOffset = offset + 1n;
      }
      resolveOffset(record.offset);
    }
    await delay(this.fetchPauseMs, this.signal);
    await heartbeat();
  }

  private push(offset: bigint, at: number, headers: IHeaders | undefined, value: Buffer | null): void {
    const decoded = this.decoder.decode(offset, at, headers, value);
    if (decoded.kind === 'forged') return this.events.forged(decoded.reason);
    if (decoded.kind === 'unreadable') {
      if (decoded.stream === null) return this.events.refused(decoded.reason);
      return this.streams.reportUnreadable(decoded.stream, decoded.reason);
    }
    // It is read again for the rows around it.
    if (decoded.record.command && offset < this.appliedTo) return;
    this.queue.push(decoded.record);
    this.queuedMessages += decoded.record.messages.length;
    this.wake();
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
        if (queued.row && !this.streams.continues(queued.row)) continue;
        this.takenTo = queued.offset + 1n;
        const delivery = deliveryOf(queued);
        if (!this.ownership.isReadOnly) this.unapplied.set(delivery, queued.offset);
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
    const steps = stepsOf(deliveries);
    const given = new Set(deliveries);
    const reached = new Map(steps.map(({ stream, number }) => [stream, number]));
    const applied: Delivery[] = [];
    const { beginnings } = this;
    let to = this.appliedTo;
    let held: bigint | null = null;
    for (const [delivery, offset] of this.unapplied) {
      // A row that was sent again is applied under both offsets.
      const isApplied =
        given.has(delivery) ||
        (delivery.kind === 'row' && delivery.row.number <= (reached.get(delivery.row.stream) ?? 0));
      if (isApplied) {
        applied.push(delivery);
        if (offset >= to) to = offset + 1n;
      } else held ??= offset;
    }
    held ??= this.takenTo;
    const stored = {
      from: this.committedOffset,
      to: applied.length === 0 ? this.committedOffset : String(to),
      // Rows from `to` on are read anyway.
      held: held === null || held >= to ? null : String(held === LOST ? 0n : held),
    };
    await this.ownership.advance(tx, steps, stored);
    tx.afterCommit(() => {
      this.committedOffset = stored.to;
      if (this.beginnings === beginnings) this.appliedTo = to;
      for (const delivery of applied) this.unapplied.delete(delivery);
    });
  }

  stopStream(stream: string, number: number, reason: string): void {
    this.streams.stopBefore(stream, number, reason);
  }

  async close(): Promise<void> {
    this.abort.abort();
    this.queue.length = 0;
    await this.fetcher.close();
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

function deliveryOf({ row, command, messages, at, offset, author: writer }: DecodedRecord): Delivery {
  const author = writer === undefined ? {} : { author: writer };
  return row
    ? { kind: 'row', row, messages, at, ...author }
    : { kind: 'command', message: command as Message, offset: String(offset), ...author };
}
