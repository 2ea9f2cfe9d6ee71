import type { Kafka, KafkaConfig } from 'kafkajs';
import type { NetworkConditions } from './network.js';
import type { SimulatedProcess, Simulator } from './simulator.js';
import type { FaultPlan } from './fault-plan.js';

interface Stored {
  readonly key: string | null;
  readonly value: string | null;
  readonly headers: Readonly<Record<string, string>>;
}
interface Sent {
  readonly key?: string | null;
  readonly value: string | null;
  readonly partition?: number;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Reader {
  eachBatch(payload: object): Promise<void>;
  offset: number;
  topic: string;
  partition: number;
  running: boolean;
  fetching: boolean;
}

class BrokerError extends Error {
  constructor(
    message: string,
    readonly code?: string,
    readonly type?: string,
  ) {
    super(message);
    this.name = 'KafkaJSError';
  }
}

/**
 * A log that behaves as Kafka, behind the interface of its client: records of a partition stay in order; a send whose
 * answer is lost may have been written, and again by the client's retry; readers start at the offset that they name,
 * are disconnected now and then, and read again.
 */
export class SimulatedBroker {
  private readonly partitions = new Map<string, Stored[]>();
  private readonly counts = new Map<string, number>();
  private readonly readers = new Set<{ readonly process: SimulatedProcess; readonly reader: Reader; wake(): void }>();

  constructor(
    private readonly simulator: Simulator,
    private readonly plan: FaultPlan,
    private readonly conditions: NetworkConditions,
  ) {}

  client(process: SimulatedProcess): (config: KafkaConfig) => Pick<Kafka, 'admin' | 'consumer' | 'producer'> {
    return () =>
      ({
        admin: () => this.admin(process),
        producer: () => this.producer(process),
        consumer: () => this.consumer(process),
      }) as unknown as Pick<Kafka, 'admin' | 'consumer' | 'producer'>;
  }

  private get down(): boolean {
    return !this.conditions.healed && this.simulator.now < this.conditions.brokerDownUntil;
  }

  /** A request and its answer, each on its way for a moment. */
  private request<T>(process: SimulatedProcess, what: string, serve: () => T): Promise<T> {
    const { simulator } = this;
    return new Promise<T>((resolve, reject) => {
      if (this.down) {
        simulator.schedule(process, 1, `broker refuses ${what}`, () =>
          reject(new BrokerError('connect ECONNREFUSED', 'ECONNREFUSED')),
        );
        return;
      }
      simulator.after(0.2 + simulator.random.next() * 2, `${process.id} ⇒ ${what}`, () => {
        try {
          const value = serve();
          simulator.schedule(process, 0.2 + simulator.random.next() * 2, `⇐ ${what}`, () => resolve(value));
        } catch (error) {
          simulator.schedule(process, 0.2 + simulator.random.next() * 2, `⇐ ${what} fails`, () =>
            reject(error as Error),
          );
        }
      });
    });
  }

  private offsetsOf(topic: string): readonly { partition: number; offset: string; low: string; high: string }[] {
    return Array.from({ length: this.counts.get(topic) ?? 0 }, (_, partition) => {
      const high = String(this.partitions.get(`${topic}/${partition}`)?.length ?? 0);
      return { partition, offset: high, low: '0', high };
    });
  }

  private admin(process: SimulatedProcess): object {
    return {
      connect: () => this.request(process, 'admin', () => undefined),
      disconnect: () => Promise.resolve(),
      listTopics: () => this.request(process, 'topics', () => [...this.counts.keys()]),
      createTopics: ({ topics }: { topics: { topic: string; numPartitions: number }[] }) =>
        this.request(process, 'create topics', () => {
          for (const { topic, numPartitions } of topics)
            if (!this.counts.has(topic)) this.counts.set(topic, numPartitions);
        }),
      fetchTopicOffsets: (topic: string) => this.request(process, 'offsets', () => this.offsetsOf(topic)),
      // No log is ever lost here: as if no record were later.
      fetchTopicOffsetsByTimestamp: (topic: string) => this.request(process, 'offsets', () => this.offsetsOf(topic)),
      fetchTopicMetadata: () =>
        this.request(process, 'metadata', () => ({
          topics: [...this.counts].map(([name, count]) => ({
            name,
            partitions: Array.from({ length: count }, (_, partitionId) => ({ partitionId })),
          })),
        })),
    };
  }

  private producer(process: SimulatedProcess): object {
    return {
      connect: () => this.request(process, 'connect', () => undefined),
      disconnect: () => Promise.resolve(),
      sendBatch: ({ topicMessages }: { topicMessages: { topic: string; messages: Sent[] }[] }) => {
        const fault =
          !this.conditions.healed && this.simulator.random.chance(this.plan.chances.send)
            ? this.simulator.random.int(4)
            : -1;
        const append = (parts: typeof topicMessages): void => {
          for (const { topic, messages } of parts) this.append(topic, messages);
        };
        const sizes = topicMessages.map(({ topic, messages }) => `${topic} ${messages.length}`);
        return this.request(process, `produce ${sizes.join(', ')}`, () => {
          if (fault === 1) {
            // One partition is refused, the others are written.
            append(topicMessages.slice(1));
            throw new BrokerError('Not the leader', undefined, 'NOT_LEADER_FOR_PARTITION');
          }
          append(topicMessages);
          // Written, and the broker dies: the client cannot connect again.
          if (fault === 0) throw new BrokerError('connect ECONNREFUSED', 'ECONNREFUSED');
          // Written, but the answer is lost.
          if (fault === 2) throw new BrokerError('Request timed out', undefined, 'REQUEST_TIMED_OUT');
          if (fault === 3) append(topicMessages); // written twice
        });
      },
    };
  }

  private append(topic: string, messages: readonly Sent[]): void {
    const touched = new Set<string>();
    for (const { key, value, partition = 0, headers = {} } of messages) {
      const name = `${topic}/${partition}`;
      const log = this.partitions.get(name) ?? [];
      this.partitions.set(name, log);
      log.push({ key: key ?? null, value, headers });
      touched.add(name);
    }
    for (const { reader, wake } of this.readers) if (touched.has(`${reader.topic}/${reader.partition}`)) wake();
  }

  private consumer(process: SimulatedProcess): object {
    const { simulator } = this;
    const listeners = new Map<string, (event: unknown) => void>();
    const reader: Reader = {
      eachBatch: () => Promise.resolve(),
      offset: 0,
      topic: '',
      partition: 0,
      running: false,
      fetching: false,
    };
    const entry = {
      process,
      reader,
      wake: () => {
        if (reader.running && !reader.fetching) fetchSoon(0.3 + simulator.random.next());
      },
    };
    let seeks = 0;
    const fetchSoon = (ms: number): void => {
      reader.fetching = true;
      simulator.schedule(process, ms, `fetch ${reader.topic}/${reader.partition}`, () => {
        void fetch();
      });
    };
    const fetch = async (): Promise<void> => {
      if (!reader.running) return;
      if (this.down) {
        fetchSoon(200);
        return;
      }
      listeners.get('fetch')?.({});
      if (!this.conditions.healed && simulator.random.chance(this.plan.chances.send / 20)) {
        reader.running = false;
        this.readers.delete(entry);
        listeners.get('crash')?.({ payload: { error: new Error('the reader has crashed'), restart: false } });
        return;
      }
      const log = this.partitions.get(`${reader.topic}/${reader.partition}`) ?? [];
      const from = reader.offset;
      const records = log.slice(from, from + 1 + simulator.random.int(40));
      if (records.length > 0) {
        const before = seeks;
        let resolved = from;
        await reader.eachBatch({
          batch: {
            highWatermark: String(log.length),
            messages: records.map((record, index) => ({
              offset: String(from + index),
              key: record.key === null ? null : Buffer.from(record.key),
              value: record.value === null ? null : Buffer.from(record.value),
              headers: Object.fromEntries(
                Object.entries(record.headers).map(([name, text]) => [name, Buffer.from(text)]),
              ),
            })),
          },
          resolveOffset: (offset: string) => {
            resolved = Number(offset) + 1;
          },
          heartbeat: () => Promise.resolve(),
          isRunning: () => reader.running,
          isStale: () => false,
        });
        // Now and then the same records are read once more.
        if (seeks === before)
          reader.offset =
            !this.conditions.healed && simulator.random.chance(this.plan.chances.send)
              ? from
              : Math.max(from, resolved);
      }
      reader.fetching = false;
      if (reader.running)
        fetchSoon(
          reader.offset < (this.partitions.get(`${reader.topic}/${reader.partition}`)?.length ?? 0)
            ? 0.3 + simulator.random.next()
            : 500,
        );
    };
    return {
      events: { GROUP_JOIN: 'join', FETCH: 'fetch', CRASH: 'crash' },
      on: (name: string, listener: (event: unknown) => void) => {
        listeners.set(name, listener);
      },
      connect: () => this.request(process, 'connect', () => undefined),
      disconnect: () => {
        reader.running = false;
        this.readers.delete(entry);
        return Promise.resolve();
      },
      subscribe: () => Promise.resolve(),
      seek: ({ topic, partition, offset }: { topic: string; partition: number; offset: string }) => {
        seeks += 1;
        Object.assign(reader, { topic, partition, offset: Math.max(0, Number(offset)) });
      },
      run: ({ eachBatch }: { eachBatch: Reader['eachBatch'] }) =>
        this.request(process, 'join', () => undefined).then(() => {
          Object.assign(reader, { eachBatch, running: true });
          listeners.get('join')?.({});
          this.readers.add(entry);
          fetchSoon(0.5);
        }),
    };
  }
}
