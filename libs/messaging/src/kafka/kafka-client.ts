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
  /** Requests that are not answered: they may have reached a broker. */
  open: number;
  /** By `<topic>/<partition>`; of several answers, the first that is no refusal. */
  readonly answers: Map<string, PartitionAnswer>;
}
const sendings = new AsyncLocalStorage<Sending>();

/*
 * kafkajs 2.2.4 reads the leaders before it sends records, sends them again after a failure, and passes on the last
 * error of all: a refused connection says nothing of the records. So the answers of the brokers are noted beside it.
 */
const { protocol } = produce;
produce.protocol = (of) => (options) => {
  const { request, response } = protocol(of)(options);
  const sending = sendings.getStore();
  if (!sending) return { request, response };
  sending.open += 1;
  const parse: typeof response.parse = (answer) => {
    sending.open -= 1;
    for (const { topicName, partitions } of answer.topics)
      for (const one of partitions) {
        const key = `${topicName}/${one.partition}`;
        if (isRefusal(sending.answers.get(key))) sending.answers.set(key, one);
      }
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
    const answer = this.sending.answers.get(`${topic}/${partition}`);
    if (answer?.errorCode === 0) return BigInt(answer.baseOffset);
    return this.sending.open === 0 && isRefusal(answer) ? null : undefined;
  }
}
/** Error codes after which the broker may still have appended: unknown, timed out, network, storage. */
const UNCLEAR: ReadonlySet<number> = new Set([-1, 7, 13, 56]);
/**
 * Whether this answer means that no record was appended. A leader that is replaced, or waits for its replicas in vain,
 * gives the offset at which it has appended.
 */
const isRefusal = (answer: PartitionAnswer | undefined): boolean =>
  answer === undefined || (answer.baseOffset === '-1' && !UNCLEAR.has(answer.errorCode));

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
      const sending: Sending = { open: 0, answers: new Map() };
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
