import { expect, test } from '@jest/globals';
import type { Database, Databases } from '@bourse/persistence';
import { Alarms } from '@bourse/platform';
import { InProcessLog } from '../src/index.js';

const STREAM = 'spot>spot.events/0';

test('a row is dropped once every consumer has stored it, also one that is between two tries [LOG-077]', async () => {
  let isDone: (stream: string, number: number) => Promise<boolean> = () => Promise.resolve(false);
  const databases = {
    onRows: () => undefined,
    onOpened: () => undefined,
    onUncertain: () => undefined,
    keepUnless: (read: typeof isDone) => (isDone = read),
    opened: () => [],
  } as unknown as Databases;
  let number: number | null = 5;
  // The partition cannot be taken: it never opens.
  const database = {
    schema: 'notices',
    tables: {
      facts: { claim: (_: string, count: string) => Promise.resolve(count) },
      owners: {
        take: () => Promise.reject(new Error('away')),
        positions: () =>
          number === null ? Promise.reject(new Error('away')) : Promise.resolve([{ stream: STREAM, number, hash: '' }]),
      },
    },
  } as unknown as Database;
  const log = new InProcessLog({ instance: 'p', partitions: { 'spot.events': 2 }, alarms: new Alarms() }, databases);
  log.consume({ consumer: 'notices.spot', topic: 'spot.events', database, handle: () => Promise.resolve() });
  expect([await isDone(STREAM, 5), await isDone(STREAM, 6)]).toEqual([true, false]);
  number = null;
  expect(await isDone(STREAM, 5)).toBe(false);
  expect(await isDone('spot>user.events/0', 5)).toBe(true); // nobody reads it
  await log.close();
});
