import { AsyncLocalStorage } from 'node:async_hooks';
import { Kafka, type KafkaConfig } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import produce, { type PartitionAnswer } from 'kafkajs/src/protocol/requests/produce/index.js';

/*
 * After each answer kafkajs 2.2.4 checks whether a request waits, and sets a timer to check again. Where none waits the
 * timer is in the past: it fires a millisecond later, and so on for as long as the connection exists (its issues 1556
 * and 1704). An idle service woke a thousand times a second. That check is not needed: a request that must wait sets a
 * timer of its own, and each answer checks the queue as well.
 */
const look = RequestQueue.prototype.scheduleCheckPendingRequests;
RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0) look.call(this);
};

/** Records on their way to brokers. */
interface Sending {
  /** Whether they may have reached one. */
  isBegun: boolean;
  /** By `<topic>/<partition>`. */
  readonly answers: Map<string, PartitionAnswer>;
}
const sendings = new AsyncLocalStorage<Sending>();

/*
 * kafkajs 2.2.4 looks for leaders before it sends records and after it has failed to, and passes on the last error of
 * all: a refused connection says nothing of the records. So what brokers have answered is noted beside it.
 */
const { protocol } = produce;
produce.protocol = (of) => (options) => {
  const { request, response } = protocol(of)(options);
  const sending = sendings.getStore();
  if (!sending) return { request, response };
  sending.isBegun = true;
  const parse: typeof response.parse = (answer) => {
    for (const { topicName, partitions } of answer.topics)
      for (const one of partitions) sending.answers.set(`${topicName}/${one.partition}`, one);
    return response.parse(answer);
  };
  return { request, response: { ...response, parse } };
};

/** Records were not, or not all, acknowledged. */
export class ProduceFailed extends Error {
  constructor(
    cause: unknown,
    private readonly sending: Readonly<Sending>,
  ) {
    super((cause as Error).message, { cause });
  }

  /** The offset of the partition's first record; null: surely none was appended; undefined: unknown. */
  offsetIn(topic: string, partition: number): bigint | null | undefined {
    if (!this.sending.isBegun) return null;
    const answer = this.sending.answers.get(`${topic}/${partition}`);
    if (answer?.errorCode === 0) return BigInt(answer.baseOffset);
    // A leader that is replaced, or waits for its replicas in vain, tells the offset that it has appended at.
    return answer?.baseOffset === '-1' && !UNCLEAR.has(answer.errorCode) ? null : undefined;
  }
}
/** Error codes after which the broker may still have appended: unknown, timed out, network, storage. */
const UNCLEAR: ReadonlySet<number> = new Set([-1, 7, 13, 56]);

/**
 * A client of Kafka whose connections are idle while no request is open, and whose producers reject batches with
 * `ProduceFailed`.
 */
export function kafkaClient(config: KafkaConfig): Kafka {
  const kafka = new Kafka(config);
  const create = kafka.producer.bind(kafka);
  kafka.producer = (options) => {
    const producer = create(options);
    const { sendBatch } = producer;
    producer.sendBatch = async (batch) => {
      const sending: Sending = { isBegun: false, answers: new Map() };
      try {
        return await sendings.run(sending, () => sendBatch(batch));
      } catch (error) {
        throw new ProduceFailed(error, sending);
      }
    };
    return producer;
  };
  return kafka;
}
