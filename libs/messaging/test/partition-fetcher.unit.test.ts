import { expect, test } from '@jest/globals';
import { eventually } from '@bourse/testing/eventually';
import type { Consumer, Kafka } from 'kafkajs';
import { PartitionFetcher } from '../src/kafka/partition-fetcher.js';

const EVENTS = { GROUP_JOIN: 'join', FETCH: 'fetch', CRASH: 'crash' } as const;

test('a consumer that cannot join reports each failed try, until one joins [LOG-056]', async () => {
  const crashes: ((event: { payload: { error: Error } }) => void)[] = [];
  const failures = [undefined, new Error('no such topic'), new Error('no such topic'), undefined];
  const consumer = () => ({
    events: EVENTS,
    on: (event: string, listener: (typeof crashes)[number]) => {
      if (event === EVENTS.CRASH) crashes.push(listener);
    },
    connect: () => Promise.resolve(),
    subscribe: () => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve();
    },
    run: () => Promise.resolve(),
    seek: () => undefined,
    disconnect: () => Promise.resolve(),
  });
  const troubles: string[] = [];
  const fetcher = new PartitionFetcher(
    { consumer: () => consumer() as unknown as Consumer } satisfies Pick<Kafka, 'consumer'>,
    {
      consumer: 'solo.words',
      partition: 0,
      epoch: 1,
      topicName: 'spot.events',
      signal: new AbortController().signal,
      nextOffset: null,
      receive: () => Promise.resolve(),
    },
    {
      silent: () => undefined,
      trouble: (what) => troubles.push(what),
      fatal: (reason) => {
        throw new Error(reason);
      },
    },
  );
  await fetcher.start();
  crashes[0]!({ payload: { error: new Error('the topic is gone') } });
  await eventually(() => failures.length === 0);
  expect(troubles).toEqual([
    'solo.words/0 reads on with a new consumer: the topic is gone',
    'solo.words/0 has no consumer yet: no such topic',
    'solo.words/0 has no consumer yet: no such topic',
  ]);
  await fetcher.close();
});
