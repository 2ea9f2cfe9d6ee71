import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Tx } from '@bourse/persistence';
import type { Delivery, OwnedPartition } from '../ports.js';
import { delay } from './delay.js';
import { RestingPartition } from './resting-partition.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const message = { type: 'w', key: 'k', body: {} };
const command: Delivery = { kind: 'command', message, offset: null };

/** A partition to which deliveries come at given times, ms, and an owner whose commits take some time. */
class Owner {
  /** The time of each batch, and how many deliveries it had. */
  readonly batches: [at: number, size: number][] = [];
  private readonly ending = new AbortController();
  private readonly waiting: Delivery[] = [];
  private wake: (() => void) | undefined;
  private readonly begunAt = performance.now();
  private readonly resting: RestingPartition;
  private readonly ended: Promise<void>;

  constructor(commitMs: number) {
    const inner = {
      signal: this.ending.signal,
      take: async (max: number) => {
        while (this.waiting.length === 0) {
          if (this.ending.signal.aborted) throw new Error('the test has ended');
          await new Promise<void>((resolve) => (this.wake = resolve));
        }
        return this.waiting.splice(0, max);
      },
      advance: () => Promise.resolve(),
    };
    this.resting = new RestingPartition(inner as unknown as OwnedPartition);
    this.ended = this.run(commitMs).catch(() => undefined);
  }

  give(atMs: number, delivery: Delivery): void {
    setTimeout(() => {
      this.waiting.push(delivery);
      this.wake?.();
    }, atMs);
  }

  async after(ms: number): Promise<this['batches']> {
    await jest.advanceTimersByTimeAsync(ms);
    this.ending.abort();
    this.wake?.();
    await jest.advanceTimersByTimeAsync(1_000);
    await this.ended;
    return this.batches;
  }

  private async run(commitMs: number): Promise<void> {
    for (;;) {
      const deliveries = await this.resting.take(1_000);
      this.batches.push([performance.now() - this.begunAt, deliveries.length]);
      const callbacks: (() => void)[] = [];
      await this.resting.advance(
        { afterCommit: (one: () => void) => callbacks.push(one) } as unknown as Tx,
        deliveries,
      );
      await delay(commitMs);
      for (const callback of callbacks) callback();
    }
  }
}

test('deliveries during the pause share the next commit; a first delivery does not wait [LOG-064]', async () => {
  const owner = new Owner(5);
  for (const at of [10, 11, 16, 29, 100]) owner.give(at, command);
  // The commit of the first ends at 15 ms, and the rest, three times as long, at 30 ms.
  expect(await owner.after(200)).toEqual([
    [10, 1],
    [30, 3],
    [100, 1],
  ]);
});

test('a rest ends after 25 ms, however long the commit took [LOG-064]', async () => {
  const owner = new Owner(500);
  for (const at of [0, 1]) owner.give(at, command);
  expect(await owner.after(700)).toEqual([
    [0, 1],
    [525, 1],
  ]);
});
