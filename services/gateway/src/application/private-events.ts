import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PRIVATE_EVENTS, type PrivateEvent, type PrivateEventName } from '@bourse/contract';
import { Clock } from '@bourse/platform';
import { LiveEvents } from './live-events.js';
import { PrivateStreams, type NumberedEvent, type Since } from '../domain/private-stream.js';
import { Latency } from './latency.js';

const SWEEP_MS = 600_000;

/** Private events of all users: numbered here once their owner has stored what they tell, and handed to the sockets. */
@Injectable()
export class PrivateEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly streams: PrivateStreams;
  private readonly listeners: ((userId: number, event: NumberedEvent) => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly live = new LiveEvents((userId, event, payload) => {
    const at = this.clock.real();
    const userSeq = this.streams.seqOf(userId);
    const sent = { event, userSeq, at, payload: { ...payload, ts: at, user_seq: userSeq } };
    for (const listener of this.listeners) listener(userId, sent);
  });

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
    this.live.stop();
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

  /** An event of one user, by the lane that the contract names for it. */
  add(userId: number, event: PrivateEventName, payload: Readonly<Record<string, unknown>>): void {
    const now = this.clock.real();
    const { lane }: PrivateEvent = PRIVATE_EVENTS[event];
    if (lane !== 'numbered') return this.live.add(userId, event, payload, lane);
    const numbered = this.streams.add(userId, event, payload, now);
    const orderId = (payload['order'] as { id?: unknown } | undefined)?.id;
    if (typeof orderId === 'string') this.latency.pushed(orderId, now);
    for (const listener of this.listeners) listener(userId, numbered);
  }
}
