import type { Tx } from '@bourse/persistence';
import type { Delivery, OwnedPartition } from '../ports.js';
import { delay } from './delay.js';

/** The rest after a commit, in multiples of the time that the commit took. */
const REST_SHARE = 3;
/** The longest rest after a commit. */
const REST_MS_MAX = 25;

/**
 * A partition whose owner rests after each commit, so that what comes meanwhile shares the next one: a commit costs as
 * much as several orders (decision 0241). The rest grows with the time that commits take, so that it is short on an
 * idle machine and longer where the processor is the limit. The first delivery after a silence does not wait.
 */
export class RestingPartition implements OwnedPartition {
  readonly consumer: string;
  readonly topic: string;
  readonly partition: number;
  readonly epoch: number;
  readonly signal: AbortSignal;
  private restsUntil = 0;
  private lastTookMs = 0;

  constructor(private readonly inner: OwnedPartition) {
    ({ consumer: this.consumer, topic: this.topic, partition: this.partition } = inner);
    ({ epoch: this.epoch, signal: this.signal } = inner);
  }

  async take(max: number): Promise<readonly Delivery[]> {
    const restMs = this.restsUntil - performance.now();
    if (restMs > 0) await delay(restMs, this.signal);
    return this.inner.take(max);
  }

  async advance(tx: Tx, deliveries: readonly Delivery[]): Promise<void> {
    const begunAt = performance.now();
    this.restsUntil = begunAt + this.lastTookMs + restOf(this.lastTookMs);
    tx.afterCommit(() => {
      const now = performance.now();
      this.lastTookMs = now - begunAt;
      this.restsUntil = now + restOf(this.lastTookMs);
    });
    await this.inner.advance(tx, deliveries);
  }

  stopStream(stream: string, number: number, reason: string): void {
    this.inner.stopStream(stream, number, reason);
  }
}

const restOf = (tookMs: number): number => Math.min(REST_SHARE * tookMs, REST_MS_MAX);
