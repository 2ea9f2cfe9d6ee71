import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Consumer, ConsumerRunConfig, EachBatchPayload, Kafka } from 'kafkajs';
import { logHeads, type LogAddress } from './restored-log.js';

const MINUTE_MS = 60_000;
const TOPIC = 'spot.events';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A log of four rows, of which the consumer gets as many as `rows`, one a minute. */
function slowLog(rows: number): LogAddress {
  const nothing = (): Promise<void> => Promise.resolve();
  const admin = {
    connect: nothing,
    disconnect: nothing,
    deleteGroups: nothing,
    listTopics: () => Promise.resolve([TOPIC]),
    fetchTopicOffsets: () => Promise.resolve([{ partition: 0, low: '0', high: '4' }]),
  };
  const consumer = {
    events: {},
    on: () => undefined,
    connect: nothing,
    disconnect: nothing,
    subscribe: nothing,
    run: ({ eachBatch }: Required<Pick<ConsumerRunConfig, 'eachBatch'>>) => {
      for (let number = 1; number <= rows; number += 1) {
        const headers = { stream: `spot>${TOPIC}/0`, number: String(number), hash: `h${number}` };
        const messages = [{ offset: String(number - 1), headers }];
        const batch = { topic: TOPIC, partition: 0, messages, lastOffset: () => String(number - 1) };
        setTimeout(() => void eachBatch({ batch } as unknown as EachBatchPayload), number * MINUTE_MS);
      }
      return Promise.resolve();
    },
  } as unknown as Consumer;
  const client = (): Pick<Kafka, 'admin' | 'consumer'> =>
    ({ admin: () => admin, consumer: () => consumer }) as unknown as Kafka;
  return { brokers: [], topics: [TOPIC], client };
}

test('a large log is read to its end, however long that takes [LOG-072]', async () => {
  const heads = logHeads(slowLog(4), null);
  await jest.advanceTimersByTimeAsync(5 * MINUTE_MS);
  expect(await heads).toEqual([
    { schema: 'spot', install: '', heads: new Map([[`spot>${TOPIC}/0`, { number: 4, hash: 'h4' }]]) },
  ]);
});

test('a log that gives nothing for two minutes fails the reading [LOG-072]', async () => {
  const heads = logHeads(slowLog(1), null).catch((error: unknown) => (error as Error).message);
  await jest.advanceTimersByTimeAsync(4 * MINUTE_MS);
  expect(await heads).toBe('Kafka has given no record for 120 s');
});
