import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { PRIVATE_EVENTS, type PrivateEvent, type PrivateEventName } from '@bourse/contract';
import { ledgerPartition, TOPICS } from '@bourse/events';
import { Log } from '@bourse/messaging';
import { Clock, Readiness, Unavailable } from '@bourse/platform';
import { LiveEvents } from './live-events.js';
import { PrivateStreams, type NumberedEvent, type Since } from '../domain/private-stream.js';
import { Latency } from '../../shared/application/latency.js';

const SWEEP_MS = 600_000;
/** Another gateway may have sent an event moments ago that this one still has to read. */
const BEHIND_MS_MAX = 2_000;
const POLL_INTERVAL_MS = 20;
const READY = 'private events';

/**
 * Private events of all users: numbered here once their owner has stored the underlying change, and passed to the
 * sockets.
 */
@Injectable()
export class PrivateEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly streams: PrivateStreams[];
  private readonly unread: Set<number>;
  private readonly unloaded: Set<number>;
  private markLoaded: () => void = () => undefined;
  /** Resolves when the numbers are known: before that no number may be sent to a socket. */
  readonly loaded: Promise<void>;
  private readonly listeners: ((userId: number, event: NumberedEvent) => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private readonly live = new LiveEvents((userId, event, payload) => {
    const at = this.clock.real();
    const userSeq = this.seqOf(userId);
    const sent = { event, userSeq, at, payload: { ...payload, ts: at, user_seq: userSeq } };
    for (const listener of this.listeners) listener(userId, sent);
  });

  constructor(
    private readonly clock: Clock,
    private readonly latency: Latency,
    private readonly log: Log,
    private readonly readiness: Readiness,
  ) {
    // In a single process the numbers begin with the process; several processes start from the noted numbers.
    const partitions = Array.from({ length: log.partitionsOf(TOPICS.userEvents) }, (_, partition) => partition);
    this.streams = partitions.map(() => new PrivateStreams(clock.real()));
    this.unloaded = new Set(log.shared ? partitions : []);
    this.unread = new Set(this.unloaded);
    this.loaded = log.shared ? new Promise((resolve) => (this.markLoaded = resolve)) : Promise.resolve();
    if (log.shared) readiness.set(READY, false);
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      for (const streams of this.streams) streams.sweep(this.clock.real());
    }, SWEEP_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.live.stop();
  }

  onEvent(listener: (userId: number, event: NumberedEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Continues from the numbers of a partition that the gateways have noted. */
  begin(partition: number, streams: PrivateStreams): void {
    this.streams[partition] = streams;
    this.unloaded.delete(partition);
    if (this.unloaded.size === 0) this.markLoaded();
  }

  /** All events that the log had of a partition when this process began to read it are here. */
  caughtUp(partition: number): void {
    this.unread.delete(partition);
    if (this.unread.size === 0) this.readiness.set(READY, true);
  }

  seqOf(userId: number): number {
    return this.streamsOf(userId).seqOf(userId);
  }

  /**
   * Events after a number. An event that another gateway has sent and that is not here yet is awaited. Throws
   * `Unavailable` while this process still reads the events that it has missed.
   */
  async since(userId: number, userSeq: number): Promise<Since> {
    if (this.log.shared) {
      const until = performance.now() + BEHIND_MS_MAX;
      while ((this.unread.size > 0 || userSeq > this.seqOf(userId)) && performance.now() < until)
        await sleep(POLL_INTERVAL_MS);
      if (this.unread.size > 0) throw new Unavailable('private events that were missed are still being read');
    }
    return this.streamsOf(userId).since(userId, userSeq, this.clock.real());
  }

  /** Adds an event of one user, on the lane that the contract names for it. */
  add(userId: number, event: PrivateEventName, payload: Readonly<Record<string, unknown>>): void {
    const now = this.clock.real();
    const { lane }: PrivateEvent = PRIVATE_EVENTS[event];
    if (lane !== 'numbered') return this.live.add(userId, event, payload, lane);
    const numbered = this.streamsOf(userId).add(userId, event, payload, now);
    const orderId = (payload['order'] as { id?: unknown } | undefined)?.id;
    if (typeof orderId === 'string') this.latency.pushed(orderId, now);
    for (const listener of this.listeners) listener(userId, numbered);
  }

  private streamsOf(userId: number): PrivateStreams {
    return this.streams[ledgerPartition(userId, this.streams.length)]!;
  }
}
