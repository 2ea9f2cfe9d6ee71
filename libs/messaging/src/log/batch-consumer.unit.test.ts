import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Logger } from '@nestjs/common';
import type { Alarms } from '@bourse/platform';
import type { Database } from '@bourse/persistence';
import type { ConsumeSpec, Delivery, OwnedPartition } from '../ports.js';
import { BatchConsumer, fetchPauseOf } from './batch-consumer.js';
import { delay } from './delay.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Batches that a consumer has handled within the time, when each of them comes `everyMs` after it is asked for. */
async function batchesWithin(ms: number, everyMs: number, gather: Partial<ConsumeSpec>): Promise<number> {
  const ending = new AbortController();
  const delivery: Delivery = { kind: 'command', message: { type: 'w', key: 'k', body: {} }, offset: null };
  const owned = {
    signal: ending.signal,
    take: async () => {
      await delay(everyMs, ending.signal);
      if (ending.signal.aborted) throw new Error('the test has ended');
      return [delivery];
    },
    advance: () => Promise.resolve(),
  } as unknown as OwnedPartition;
  const database = { transaction: (work: (tx: never) => Promise<void>) => work(undefined as never) };
  let handled = 0;
  const spec: ConsumeSpec = {
    consumer: 'test',
    topic: 'w',
    database: database as unknown as Database,
    handle: () => Promise.resolve(void (handled += 1)),
    ...gather,
  };
  const ended = new BatchConsumer(spec, {} as Alarms, {} as Logger).run(owned).catch(() => undefined);
  await jest.advanceTimersByTimeAsync(ms);
  ending.abort();
  await jest.advanceTimersByTimeAsync(ms);
  await ended;
  return handled;
}

test('a consumer that gathers when busy pauses after twenty batches that follow each other [LOG-062]', async () => {
  const busy = { gatherMs: 250, gatherWhen: 'busy' } as const;
  // Twenty batches in 200 ms, then one for each pause of 250 ms and the 10 ms until it comes.
  expect(await batchesWithin(200 + 4 * 260, 10, busy)).toBe(20 + 4);
  expect(await batchesWithin(10_000, 101, busy)).toBe(99);
  expect(await batchesWithin(200 + 4 * 260, 10, { gatherMs: 250 })).toBe(5);
});

test('a consumer that gathers when busy fetches without a pause, another one as rarely as it gathers [LOG-062]', () => {
  expect(fetchPauseOf({ gatherMs: 250, gatherWhen: 'busy' })).toBeUndefined();
  expect(fetchPauseOf({ gatherMs: 250 })).toBe(250);
  expect(fetchPauseOf({})).toBeUndefined();
});
