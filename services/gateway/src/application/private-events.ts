import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import { PrivateStreams, type NumberedEvent, type Since } from '../domain/private-stream.js';
import { Latency } from './latency.js';

const SWEEP_MS = 600_000;

/** Private events of all users: numbered here once their owner has stored what they tell, and handed to the sockets. */
@Injectable()
export class PrivateEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly streams: PrivateStreams;
  private readonly listeners: ((userId: number, event: NumberedEvent) => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly latency: Latency,
  ) {
    this.streams = new PrivateStreams(clock.real());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.streams.sweep(this.clock.real()), SWEEP_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  onEvent(listener: (userId: number, event: NumberedEvent) => void): void {
    this.listeners.push(listener);
  }

  seqOf(userId: number): number {
    return this.streams.seqOf(userId);
  }

  since(userId: number, userSeq: number): Since {
    return this.streams.since(userId, userSeq, this.clock.real());
  }

  add(userId: number, event: string, payload: Readonly<Record<string, unknown>>): void {
    const now = this.clock.real();
    const numbered = this.streams.add(userId, event, payload, now);
    const orderId = (payload['order'] as { id?: unknown } | undefined)?.id;
    if (typeof orderId === 'string') this.latency.pushed(orderId, now);
    for (const listener of this.listeners) listener(userId, numbered);
  }
}
