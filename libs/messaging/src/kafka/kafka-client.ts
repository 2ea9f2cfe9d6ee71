import { AsyncLocalStorage } from 'node:async_hooks';
import { Kafka, type KafkaConfig, type Producer } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import produce, { type PartitionAnswer } from 'kafkajs/src/protocol/requests/produce/index.js';

/*
 * After each answer kafkajs 2.2.4 checks whether a request waits, and sets a timer to check again. If none waits, the
 * timer is due at once and fires every millisecond for as long as the connection exists (its issues 1556 and 1704): an
 * idle service woke a thousand times a second. That check is not needed: a request that must wait sets a timer of its
 * own, and each answer checks the queue as well.
 */
const look = RequestQueue.prototype.scheduleCheckPendingRequests;
RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0) look.call(this);
};

/** The records of a batch for one partition, on their way to its leader. */
export interface PartitionSend {
  /** Requests with them that are not answered: they may have reached a broker. */
  readonly open: number;
  /** Of several answers: one that appended, else the first that is no refusal. */
  readonly answer: PartitionAnswer | undefined;
}
/** By `<topic>/<partition>`; a partition without an entry was in no request. */
type Sending = Map<string, PartitionSend>;
const sendings = new AsyncLocalStorage<Sending>();

/*
 * kafkajs 2.2.4 reads the leaders before it sends records, sends them again after a failure, and reports only the last
 * error: a refused connection says nothing about the records. Therefore the answers of the brokers are recorded
 * separately.
 */
const { protocol } = produce;
produce.protocol = (of) => (options) => {
  const { request, response } = protocol(of)(options);
  const sending = sendings.getStore();
  if (!sending) return { request, response };
  const note = (topic: string, partition: number, opened: 1 | -1, answered?: PartitionAnswer): void => {
    const { open, answer } = sending.get(`${topic}/${partition}`) ?? { open: 0, answer: undefined };
    const isBetter = answered !== undefined && (answered.errorCode === 0 || isRefusal(answer));
    sending.set(`${topic}/${partition}`, { open: open + opened, answer: isBetter ? answered : answer });
  };
  for (const { topic, partitions } of options.topicData)
    for (const { partition } of partitions) note(topic, partition, 1);
  const parse: typeof response.parse = (answer) => {
    for (const { topicName, partitions } of answer.topics)
      for (const one of partitions) note(topicName, one.partition, -1, one);
    return response.parse(answer);
  };
  return { request, response: { ...response, parse } };
};

/** Records were not, or not all, acknowledged. */
export class ProduceFailed extends Error {
  constructor(
    cause: unknown,
    private readonly sending: ReadonlyMap<string, PartitionSend>,
  ) {
    super((cause as Error).message, { cause });
  }

  /** The offset of the partition's first record; null: surely none was appended; undefined: unknown. */
  offsetIn(topic: string, partition: number): bigint | null | undefined {
    const { open, answer } = this.sending.get(`${topic}/${partition}`) ?? { open: 0, answer: undefined };
    if (answer?.errorCode === 0) return BigInt(answer.baseOffset);
    return open === 0 && isRefusal(answer) ? null : undefined;
  }
}
/** Error codes after which the broker may still have appended: unknown, timed out, network, replicas, storage. */
const UNCLEAR: ReadonlySet<number> = new Set([-1, 7, 13, 20, 56]);
/**
 * Whether this answer means that no record was appended. A leader that is replaced, or waits for its replicas in vain,
 * gives the offset at which it has appended.
 */
const isRefusal = (answer: PartitionAnswer | undefined): boolean =>
  answer === undefined || (answer.baseOffset === '-1' && !UNCLEAR.has(answer.errorCode));

/** Lets a producer reject batches with `ProduceFailed`, and each batch of which a partition was not acknowledged. */
export function notingAnswers<P extends Pick<Producer, 'sendBatch'>>(producer: P): P {
  const { sendBatch } = producer;
  producer.sendBatch = async (batch) => {
    const sending: Sending = new Map();
    try {
      const written = await sendings.run(sending, () => sendBatch(batch));
      // The retry of kafkajs leaves out a partition whose new leader has answered for others already.
      for (const { topic, messages } of batch.topicMessages ?? [])
        for (const { partition } of messages)
          if (partition !== undefined && sending.get(`${topic}/${partition}`)?.answer?.errorCode !== 0)
            throw new Error(`no broker has acknowledged ${topic}/${partition}`);
      return written;
    } catch (error) {
      throw new ProduceFailed(error, sending);
    }
  };
  return producer;
}

/** A client of Kafka whose connections are idle while no request is open, and whose producers note answers. */
export function kafkaClient(config: KafkaConfig): Kafka {
  const kafka = new Kafka(config);
  const create = kafka.producer.bind(kafka);
  kafka.producer = (options) => notingAnswers(create(options));
  return kafka;
}
