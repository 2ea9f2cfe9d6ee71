import { expect, test } from '@jest/globals';
import type { Kafka } from 'kafkajs';
import type { Databases } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { KafkaLog } from '../src/index.js';

const STREAM = 'spot>spot.events/0';

test('a row that Kafka has is dropped once the slowest consumer of all processes has it [LOG-074]', async () => {
  let isDone: (stream: string, number: number) => Promise<boolean> = () => Promise.resolve(false);
  const spot = {
    schema: 'spot',
    tables: { streams: { relayed: () => Promise.resolve(new Map([[STREAM, { sent: 9, kafkaEnd: '9', sentAt: 0 }]])) } },
  };
  const databases = {
    onRows: () => undefined,
    onOpened: () => undefined,
    onUncertain: () => undefined,
    keepUnless: (read: typeof isDone) => (isDone = read),
    opened: () => [spot],
  } as unknown as Databases;
  const done = (): Promise<void> => Promise.resolve();
  const admin = { connect: done, disconnect: done, listTopics: () => Promise.resolve([]) };
  const alarms = new Alarms();
  const log = new KafkaLog(
    {
      ...{ instance: 'p', partitions: {}, brokers: [], alarms },
      client: () => ({ admin: () => ({ ...admin, fetchTopicMetadata: () => ({ topics: [] }) }) }) as unknown as Kafka,
      onFatal: (reason) => {
        throw new Error(reason);
      },
    },
    databases,
  );
  expect(await isDone(STREAM, 5)).toBe(false); // no round of the auditors yet
  log.noteRead({ lowest: { [STREAM]: 5 } });
  expect([await isDone(STREAM, 5), await isDone(STREAM, 6)]).toEqual([true, false]);
  log.noteRead({ lowest: {} }); // it has no consumers
  expect([await isDone(STREAM, 9), await isDone(STREAM, 10)]).toEqual([true, false]);
  log.noteRead({ lowest: null });
  expect(await isDone(STREAM, 5)).toBe(false);
  log.noteRead({ lowest: { [STREAM]: 9 } });
  alarms.raise(`relay:${STREAM}`, 'stopped');
  expect(await isDone(STREAM, 5)).toBe(false);
  await log.close();
});
