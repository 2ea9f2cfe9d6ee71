import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { Alarms } from '@bourse/platform';
import { KafkaTopics } from './kafka-topics.js';

/** A broker whose login may not create topics until `mayCreate` is set. */
class Broker {
  mayCreate = false;
  partitions = 1;
  private readonly topics: string[] = [];
  admin(): Admin {
    return {
      connect: () => Promise.resolve(),
      disconnect: () => Promise.resolve(),
      listTopics: () => Promise.resolve([...this.topics]),
      createTopics: ({ topics }: { topics: { topic: string }[] }) => {
        if (!this.mayCreate) return Promise.reject(new Error('Topic authorization failed'));
        this.topics.push(...topics.map(({ topic }) => topic));
        return Promise.resolve(true);
      },
      fetchTopicMetadata: ({ topics }: { topics: string[] }) =>
        Promise.resolve({
          topics: topics.map((name) => ({ name, partitions: Array.from({ length: this.partitions }, () => ({})) })),
        }),
    } as unknown as Admin;
  }
}

const closing = new AbortController();
const fatal: string[] = [];
const begin = (broker: Broker, alarms: Alarms): KafkaTopics =>
  new KafkaTopics(
    broker,
    { partitions: { reference: 1 }, alarms, onFatal: (reason) => fatal.push(reason) },
    new Logger('Kafka'),
    closing.signal,
    () => undefined,
  );

beforeEach(() => {
  jest.useFakeTimers();
  Logger.overrideLogger(false);
});
afterEach(() => {
  jest.useRealTimers();
  fatal.length = 0;
});

test('topics that cannot be created raise an alarm that names the reason and clears itself [OBSERVE-022]', async () => {
  const [broker, alarms] = [new Broker(), new Alarms()];
  const topics = begin(broker, alarms);
  await jest.advanceTimersByTimeAsync(4_000);
  // A broker that is restarted is away as long.
  expect(alarms.list()).toEqual([]);
  await jest.advanceTimersByTimeAsync(8_000);
  expect(alarms.list()).toEqual([
    expect.objectContaining({
      name: 'kafka.topics',
      detail: 'topics cannot be checked or made: Topic authorization failed',
    }),
  ]);
  broker.mayCreate = true;
  await jest.advanceTimersByTimeAsync(2_000);
  expect(await topics.ready).toEqual(['reference']);
  expect(alarms.list()).toEqual([]);
  expect(fatal).toEqual([]);
});

test('another number of partitions is an alarm at once, and ends the process [OBSERVE-022]', async () => {
  const [broker, alarms] = [new Broker(), new Alarms()];
  Object.assign(broker, { mayCreate: true, partitions: 2 });
  await expect(begin(broker, alarms).ready).rejects.toThrow('reference has 2 partitions in Kafka and 1');
  expect(alarms.list().map(({ name }) => name)).toEqual(['kafka.topics']);
  expect(fatal).toHaveLength(1);
});
