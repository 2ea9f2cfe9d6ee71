import { CompressionTypes, type Kafka, type Message as KafkaMessage, type Producer } from 'kafkajs';
import { delay } from '../log/delay.js';
import { ProduceFailed } from './kafka-client.js';

/** At most so many records and bytes in one request. */
const REQUEST_RECORDS = 1_000;
const REQUEST_BYTES = 4 * 1024 * 1024;
const COMPRESS_FROM_BYTES = 256 * 1024;
/** After a failed request of several partitions, partitions share no request for this long. */
const SEPARATE_MS = 60_000;

/** Called when the broker has lost its data. */
export interface BrokerLoss {
  /** A topic that we send to does not exist. */
  missing(): void;
  /** The offsets of a partition begin again: its records are gone. */
  emptied(topic: string, partition: number): void;
}

interface Waiting {
  readonly message: KafkaMessage;
  readonly bytes: number;
  done(): void;
  failed(error: SendFailed): void;
}

/** Messages that wait for one partition. At most one request under way has messages of it. */
interface Queue {
  readonly topic: string;
  readonly partition: number;
  readonly waiting: Waiting[];
  isUnderWay: boolean;
}

/** The part of a request for one partition. */
interface Part {
  readonly queue: Queue;
  readonly batch: readonly Waiting[];
  readonly bytes: number;
}

/** A send was rejected. `certain`: it was surely not written. */
export class SendFailed extends Error {
  constructor(
    readonly certain: boolean,
    cause: unknown,
  ) {
    super(`not sent: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Sends to Kafka with one outstanding request per partition; messages that gather meanwhile go with the next.
 * Partitions that have messages at the same moment, such as the rows of one commit, share a request. After a rejected
 * request the producer is thrown away and another made (invariants §2.4), and the failure is passed on: a sender with
 * an outbox sends again from there. For a while after that each partition has requests of its own, so that one that
 * fails again holds up no other.
 */
export class KafkaSender {
  private producer: Promise<Producer> | undefined;
  private current: Producer | undefined;
  private readonly queues = new Map<string, Queue>();
  private isScheduled = false;
  private separateUntil = 0;
  private closed = false;
  /** The end of each partition after the last records that were sent from here. */
  private readonly ends = new Map<string, bigint>();

  constructor(
    private readonly kafka: Pick<Kafka, 'producer'>,
    private readonly loss: BrokerLoss = { missing: () => undefined, emptied: () => undefined },
  ) {}

  /** Resolves when all in-sync replicas have it. Rejects with `SendFailed`. Sends to one partition keep their order. */
  send(topic: string, partition: number, message: Omit<KafkaMessage, 'partition'>): Promise<void> {
    const key = `${topic}/${partition}`;
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { topic, partition, waiting: [], isUnderWay: false }));
    const { waiting } = queue;
    return new Promise((resolve, reject) => {
      const value = message.value as Buffer | string;
      waiting.push({
        message: { ...message, partition },
        bytes: Buffer.byteLength(value),
        done: resolve,
        failed: reject,
      });
      this.schedule();
    });
  }

  /** Begins requests once all that is sent in this turn of the event loop has gathered. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      this.sendWaiting();
    });
  }

  private sendWaiting(): void {
    const parts: Part[] = [];
    let bytes = 0;
    for (const queue of this.queues.values()) {
      if (queue.isUnderWay || queue.waiting.length === 0) continue;
      const part = takePart(queue);
      if (parts.length > 0 && (performance.now() < this.separateUntil || bytes + part.bytes > REQUEST_BYTES)) {
        void this.sendParts(parts.splice(0));
        bytes = 0;
      }
      parts.push(part);
      bytes += part.bytes;
    }
    if (parts.length > 0) void this.sendParts(parts);
  }

  private async sendParts(parts: readonly Part[]): Promise<void> {
    for (const { queue } of parts) queue.isUnderWay = true;
    const failures = await this.request(parts);
    if (parts.length > 1 && failures.size > 0) this.separateUntil = performance.now() + SEPARATE_MS;
    for (const part of parts) this.settle(part, failures.get(part));
  }

  private settle({ queue, batch }: Part, failure: SendFailed | undefined): void {
    if (failure) {
      // Waiting messages must not overtake the failed batch: they fail too, and surely were not sent.
      const behind = queue.waiting.splice(0);
      for (const one of batch) one.failed(failure);
      for (const one of behind) one.failed(new SendFailed(true, failure));
    } else for (const one of batch) one.done();
    queue.isUnderWay = false;
    if (queue.waiting.length > 0) this.schedule();
  }

  /** Returns the parts that were not acknowledged, each with the reason. */
  private async request(parts: readonly Part[]): Promise<Map<Part, SendFailed>> {
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    let producer: Producer;
    try {
      producer = await this.connected();
    } catch (error) {
      return new Map(parts.map((part) => [part, error as SendFailed]));
    }
    const failures = new Map<Part, SendFailed>();
    try {
      const written: Awaited<ReturnType<Producer['sendBatch']>> | undefined = await producer.sendBatch({
        acks: -1,
        timeout: 5_000,
        compression: bytes > COMPRESS_FROM_BYTES ? CompressionTypes.GZIP : CompressionTypes.None,
        topicMessages: parts.map(({ queue: { topic }, batch }) => ({
          topic,
          messages: batch.map(({ message }) => message),
        })),
      });
      for (const { topicName, partition, baseOffset } of written ?? []) {
        const part = parts.find(({ queue }) => queue.topic === topicName && queue.partition === partition);
        if (part && baseOffset !== undefined) this.noteEnd(part, BigInt(baseOffset));
      }
    } catch (error) {
      if (isMissingTopic(error)) this.loss.missing();
      await this.throwAway(producer);
      for (const part of parts) {
        const { topic, partition } = part.queue;
        const offset = error instanceof ProduceFailed ? error.offsetIn(topic, partition) : undefined;
        if (typeof offset === 'bigint') this.noteEnd(part, offset);
        else failures.set(part, new SendFailed(offset === null, error));
      }
    }
    return failures;
  }

  /** The end of a partition after the last records that were sent from here; null: none were. */
  endOf(topic: string, partition: number): string | null {
    const end = this.ends.get(`${topic}/${partition}`);
    return end === undefined ? null : String(end);
  }

  private noteEnd({ queue: { topic, partition }, batch }: Part, offset: bigint): void {
    const key = `${topic}/${partition}`;
    const before = this.ends.get(key);
    this.ends.set(key, offset + BigInt(batch.length));
    if (before !== undefined && offset < before) this.loss.emptied(topic, partition);
  }

  private connected(): Promise<Producer> {
    if (this.closed) return Promise.reject(new SendFailed(true, new Error('closed')));
    this.producer ??= this.connect();
    return this.producer;
  }

  private async connect(): Promise<Producer> {
    const producer = (this.current = this.kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
      // Few retries: the caller waits 2 s, and the outbox is the place where a row is safe.
      retry: { retries: 1, initialRetryTime: 100 },
    }));
    try {
      await producer.connect();
      return producer;
    } catch (error) {
      this.producer = undefined;
      throw new SendFailed(true, error);
    }
  }

  private async throwAway(producer: Producer): Promise<void> {
    if (this.current === producer) this.producer = undefined;
    // It is broken: whether it disconnects cleanly does not matter.
    await Promise.race([producer.disconnect().catch(() => undefined), delay(1_000)]);
  }

  async close(): Promise<void> {
    this.closed = true;
    const producer = await this.producer?.catch(() => undefined);
    await producer?.disconnect();
  }
}

/** Whether the broker does not know a topic. */
function isMissingTopic(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { type, cause, originalError } = error as { type?: string; cause?: unknown; originalError?: unknown };
  return type === 'UNKNOWN_TOPIC_OR_PARTITION' || isMissingTopic(cause) || isMissingTopic(originalError);
}

/** Takes the next messages of a partition, as many as fit into one request; at least one. */
function takePart(queue: Queue): Part {
  const { waiting } = queue;
  let count = 0;
  let bytes = 0;
  while (
    count < waiting.length &&
    count < REQUEST_RECORDS &&
    (count === 0 || bytes + (waiting[count]?.bytes ?? 0) <= REQUEST_BYTES)
  )
    bytes += waiting[count++]?.bytes ?? 0;
  return { queue, batch: waiting.splice(0, count), bytes };
}
