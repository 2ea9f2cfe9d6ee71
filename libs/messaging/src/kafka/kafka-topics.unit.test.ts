import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Admin } from 'kafkajs';
import { Alarms } from '@bourse/platform';
import { KafkaTopics } from './kafka-topics.js';

/** A broker whose login may not create topics until `mayCreate` is set. */
class Broker {
  mayCreate = false;
  partitions = 1;
  private readonly topics: string[] = [];
  /** Times of the records of the one partition. */
  records: readonly number[] = [];
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
      fetchTopicOffsetsByTimestamp: (_: string, time = Number.POSITIVE_INFINITY) => {
        const first = this.records.findIndex((at) => at >= time);
        return Promise.resolve([{ partition: 0, offset: String(first < 0 ? this.records.length : first) }]);
      },
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

describe('a log whose clock was a day ahead and was set back [LOG-085]', () => {
  const broker = new Broker();
  broker.mayCreate = true;
  let now: number;
  let ahead: number;
  /** Three records by the clock that was ahead, and an end behind them and one more. */
  const end = () => ({ topic: 'reference', partition: 0, offset: 4n, at: ahead });
  beforeEach(() => {
    now = Date.now();
    ahead = now + 86_400_000;
  });

  test('is still there when it holds records of that clock', async () => {
    const topics = begin(broker, new Alarms());
    await topics.ready;
    broker.records = [ahead - 2, ahead - 1, ahead, now - 2, now - 1];
    expect(await topics.lost([end()])).toEqual([]);
  });

  test('is lost when it holds none, or ends before that, however much others have written since', async () => {
    const topics = begin(broker, new Alarms());
    await topics.ready;
    broker.records = [now - 6, now - 5, now - 4, now - 3, now - 2, now - 1];
    expect(await topics.lost([end()])).toEqual([end()]);
    broker.records = [ahead];
    expect(await topics.lost([end()])).toEqual([end()]);
  });
});
