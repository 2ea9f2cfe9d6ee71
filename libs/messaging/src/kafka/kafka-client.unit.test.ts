import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Producer, ProducerBatch, RecordMetadata } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';
import produce from 'kafkajs/src/protocol/requests/produce/index.js';
import { notingAnswers, ProduceFailed } from './kafka-client.js';

const ANSWER_MS = 5;

let sent: number[];
let queue: RequestQueue;
beforeEach(() => {
  jest.useFakeTimers();
  sent = [];
  queue = new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 1_000,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'broker',
    logger: { debug: () => undefined },
  });
});
afterEach(() => {
  queue.destroy();
  jest.useRealTimers();
});
const ask = (correlationId: number): void =>
  queue.push({ entry: { correlationId }, expectResponse: true, sendRequest: () => sent.push(correlationId) });

describe('a connection to Kafka [LOG-052]', () => {
  test('sets no timer while no request waits, whatever was answered', () => {
    ask(1);
    queue.checkPendingRequests(); // as after each answer
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });

  test('sends the waiting requests at the end of a throttle, and is idle then', () => {
    queue.maybeThrottle(ANSWER_MS);
    ask(1);
    expect([sent, jest.getTimerCount()]).toEqual([[], 1]);
    jest.advanceTimersByTime(4 * ANSWER_MS);
    expect([sent, jest.getTimerCount()]).toEqual([[1], 0]);
  });
});

const TOPICS = ['a', 'b'];
const BATCH: ProducerBatch = {
  topicMessages: TOPICS.map((topic) => ({ topic, messages: [{ value: 'row', partition: 0 }] })),
};
type Answers = Readonly<Record<string, { errorCode: number; baseOffset: string }>>;

/** A request of kafkajs for these topics, and its answer; without one it is lost. */
async function request(topics: readonly string[], answers?: Answers): Promise<void> {
  const partitions = [{ partition: 0, messages: [] }];
  const { response } = produce.protocol({ version: 7 })({
    topicData: topics.map((topic) => ({ topic, partitions })),
  });
  if (!answers) return;
  const parsed = response.parse({
    topics: Object.entries(answers).map(([topicName, answer]) => ({
      topicName,
      partitions: [{ partition: 0, ...answer }],
    })),
  });
  await parsed.catch(() => undefined); // kafkajs takes a refusal for a failure
}
const WRITTEN = { errorCode: 0, baseOffset: '7' };
const NOT_LEADER = { errorCode: 6, baseOffset: '-1' };

/** The offsets that are known after these requests, by topic: null: surely not appended; undefined: unknown. */
async function offsetsAfter(requests: () => Promise<void>, failure?: Error): Promise<unknown[]> {
  const sendBatch = async (): Promise<RecordMetadata[]> => {
    await requests();
    if (failure) throw failure;
    return [];
  };
  const error = await notingAnswers({ sendBatch } as unknown as Producer)
    .sendBatch(BATCH)
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof ProduceFailed)) return ['sent', 'sent'];
  return TOPICS.map((topic) => error.offsetIn(topic, 0));
}

test('a batch of which kafkajs leaves out a partition in its retry is not sent as a whole [LOG-071]', async () => {
  const both = { a: WRITTEN, b: WRITTEN };
  expect(await offsetsAfter(() => request(TOPICS, both))).toEqual(['sent', 'sent']);
  expect(await offsetsAfter(() => request(TOPICS, { a: WRITTEN, b: NOT_LEADER }))).toEqual([7n, null]);
  expect(await offsetsAfter(() => request(['a'], { a: WRITTEN }))).toEqual([7n, null]);
});

test('a refusal is certain only where each request with the partition was answered [LOG-071]', async () => {
  const failure = new Error('connect ECONNREFUSED');
  const lost = async (): Promise<void> => {
    await request(['a']);
    await request(TOPICS, { a: NOT_LEADER, b: NOT_LEADER });
  };
  expect(await offsetsAfter(lost, failure)).toEqual([undefined, null]);
  expect(await offsetsAfter(() => Promise.resolve(), failure)).toEqual([null, null]);
});

test('an answer that appended counts, whichever answer comes before or after it [LOG-071]', async () => {
  const failure = new Error('not all were written');
  const appended = { ...NOT_LEADER, baseOffset: '9' };
  const twice = (first: Answers, second: Answers) => async (): Promise<void> => {
    await request(['a'], first);
    await request(['a'], second);
  };
  expect(await offsetsAfter(twice({ a: appended }, { a: WRITTEN }), failure)).toEqual([7n, null]);
  expect(await offsetsAfter(twice({ a: appended }, { a: NOT_LEADER }), failure)).toEqual([undefined, null]);
  expect(await offsetsAfter(twice({ a: NOT_LEADER }, { a: WRITTEN }), failure)).toEqual([7n, null]);
});
