import { hash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { inSpan, Refused, tracing } from '@bourse/platform';
import type { LedgerReply } from '@bourse/events';
import { delay } from '../log/delay.js';
import { Asks, AskUnavailable, Counters, Marks, Replies, Views } from '../ports.js';
import type { Ask } from './define.js';
import { Waiters } from './waiters.js';

const encoded = <T>(value: unknown): T => JSON.parse(JSON.stringify(value ?? null)) as T;

/** Replies within one process. */
export class InProcessReplies extends Replies {
  // A reply is only lost here when its writer fails between commit and reply: the stored answer can be polled late.
  private readonly waiters = new Waiters(1_000);

  constructor(readonly instance: string) {
    super();
  }

  publish(replyTo: string, reply: LedgerReply): void {
    // Passed on as it is: no receiver changes a reply.
    if (replyTo === this.instance) this.waiters.settle(reply);
  }

  wait(
    commandId: string,
    timeoutMs: number,
    poll?: () => Promise<LedgerReply | null>,
    bodyHash?: string | null,
  ): Promise<LedgerReply | null> {
    return this.waiters.wait(commandId, timeoutMs, poll, bodyHash);
  }
}

type Receive = (payload: never, channel: string) => void;

/** Subscriptions by exact channel, and by prefix ending in `/`. */
export class Subscriptions {
  private readonly logger = new Logger('Views');
  private readonly receivers = new Map<string, Set<Receive>>();

  add(channelOrPrefix: string, receive: Receive): () => void {
    const set = this.receivers.get(channelOrPrefix) ?? new Set();
    this.receivers.set(channelOrPrefix, set.add(receive));
    return () => {
      set.delete(receive);
      if (set.size === 0 && this.receivers.get(channelOrPrefix) === set) this.receivers.delete(channelOrPrefix);
    };
  }

  /** Calls all subscribers of this channel. A subscriber that fails keeps no other from receiving. */
  deliver(channel: string, payload: unknown): void {
    for (const key of keysOf(channel)) this.deliverTo(key, channel, payload);
  }

  /** Calls the subscribers of exactly this channel or prefix. */
  deliverTo(channelOrPrefix: string, channel: string, payload: unknown): void {
    for (const receive of this.receivers.get(channelOrPrefix) ?? []) this.call(receive, channel, payload);
  }

  call(receive: Receive, channel: string, payload: unknown): void {
    try {
      receive(payload as never, channel);
    } catch (error) {
      this.logger.error(`a receiver of ${channel} failed: ${(error as Error).stack ?? String(error)}`);
    }
  }

  wants(channel: string): boolean {
    return keysOf(channel).some((key) => this.receivers.has(key));
  }
}

/** The channel, and each prefix of it that ends in `/`. */
function keysOf(channel: string): string[] {
  const keys = [channel];
  for (let at = channel.indexOf('/'); at >= 0 && at < channel.length - 1; at = channel.indexOf('/', at + 1))
    keys.push(channel.slice(0, at + 1));
  return keys;
}

export const matches = (channel: string, channelOrPrefix: string): boolean =>
  channel === channelOrPrefix || (channelOrPrefix.endsWith('/') && channel.startsWith(channelOrPrefix));

/**
 * Views within one process. Receivers are called later, never inside the publisher's stack, and get a copy of their own
 * as JSON would produce it.
 */
export class InProcessViews extends Views {
  private readonly subscriptions = new Subscriptions();
  private readonly keptValues = new Map<string, unknown>();

  publish(channel: string, payload: object, keep = false): void {
    if (!keep && !this.subscriptions.wants(channel)) return;
    const copy = encoded(payload);
    if (keep) this.keptValues.set(channel, copy);
    setImmediate(() => this.subscriptions.deliver(channel, copy));
  }

  subscribe(channelOrPrefix: string, receive: Receive): () => void {
    const unsubscribe = this.subscriptions.add(channelOrPrefix, receive);
    for (const [channel, payload] of this.keptValues) {
      if (matches(channel, channelOrPrefix)) this.subscriptions.call(receive, channel, payload);
    }
    return unsubscribe;
  }

  onGap(): void {
    /* nothing is ever missed within one process */
  }

  kept<T>(channel: string): Promise<T | null> {
    return Promise.resolve((this.keptValues.get(channel) ?? null) as T | null);
  }
}

const ASK_MS = 2_000;

/** Questions within one process. A handler that registers while the question waits still gets it. */
export class InProcessAsks extends Asks {
  private readonly handlers = new Map<string, (question: never) => unknown>();

  handle<Q, A>({ name }: Ask<Q, A>, answer: (question: NoInfer<Q>) => A | Promise<A>): void {
    this.handlers.set(name, answer);
  }

  ask<Q, A>({ name }: Ask<Q, A>, question: NoInfer<Q>, timeoutMs = ASK_MS): Promise<A> {
    return tracing.on
      ? inSpan(`answer ${name}`, {}, () => this.askHandler<Q, A>(name, question, timeoutMs))
      : this.askHandler<Q, A>(name, question, timeoutMs);
  }

  private async askHandler<Q, A>(name: string, question: Q, timeoutMs: number): Promise<A> {
    const turn = { ended: false };
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new AskUnavailable(`${name} did not answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([this.answer<A>(name, question, turn), late]);
    } finally {
      clearTimeout(timer);
      turn.ended = true;
    }
  }

  private async answer<A>(name: string, question: unknown, turn: { readonly ended: boolean }): Promise<A> {
    let handler = this.handlers.get(name);
    for (; !handler && !turn.ended; handler = this.handlers.get(name)) await delay(20);
    if (!handler) throw new AskUnavailable(`nobody answers ${name}`);
    try {
      return encoded<A>(await handler(encoded(question)));
    } catch (error) {
      if (error instanceof Refused || error instanceof AskUnavailable) throw error;
      throw new AskUnavailable(`${name} failed: ${(error as Error).message}`, { cause: error });
    }
  }
}

const SWEEP_MS = 10_000;
/**
 * This many windows take about 20 MB. Beyond it the oldest are dropped: a reset rate does less harm than a process
 * without memory.
 */
const WINDOWS_MAX = 100_000;
const MARKS_MAX = 20_000;
const KEY_LENGTH_MAX = 120;

/** A key of bounded length: a longer one is replaced by its beginning and its hash [HARD-204]. */
export const boundedKey = (key: string): string =>
  key.length <= KEY_LENGTH_MAX ? key : `${key.slice(0, 40)}#${hash('sha256', key, 'base64url')}`;

/** Marks of this process; the oldest go first when there are too many. */
export class InProcessMarks extends Marks {
  private readonly marks = new Map<string, number>();

  constructor(private readonly max = MARKS_MAX) {
    super();
  }

  leave(name: string, keptMs: number): void {
    const now = performance.now();
    // Reinserted at the end: the map is in the order in which marks were set.
    this.marks.delete(name);
    this.marks.set(name, now + keptMs);
    if (this.marks.size > this.max) this.forget(now);
  }

  find(names: readonly string[]): Promise<string | null | undefined> {
    const now = performance.now();
    return Promise.resolve(names.find((name) => (this.marks.get(name) ?? 0) > now) ?? null);
  }

  private forget(now: number): void {
    for (const [name, until] of this.marks) {
      if (until > now && this.marks.size <= this.max) break;
      this.marks.delete(name);
    }
  }
}

/** Counters in memory, one fixed window per key. Number and length of the keys are bounded. */
export class InProcessCounters extends Counters {
  private readonly windows = new Map<string, { count: number; until: number }>();
  private readonly sweeper = setInterval(() => this.sweep(), SWEEP_MS).unref();

  constructor(private readonly max = WINDOWS_MAX) {
    super();
  }

  /** Windows that are remembered now. */
  get size(): number {
    return this.windows.size;
  }

  hit(given: string, windowMs: number, times = 1): Promise<{ count: number; resetsInMs: number }> {
    const now = performance.now();
    const key = boundedKey(given);
    let window = this.windows.get(key);
    if (!window || window.until <= now) {
      // Reinserted at the end: the map is in the order in which windows began.
      this.windows.delete(key);
      if (this.windows.size >= this.max) this.dropOldest();
      this.windows.set(key, (window = { count: 0, until: now + windowMs }));
    }
    window.count += times;
    return Promise.resolve({ count: window.count, resetsInMs: Math.ceil(window.until - now) });
  }

  close(): void {
    clearInterval(this.sweeper);
  }

  private sweep(): void {
    const now = performance.now();
    for (const [key, { until }] of this.windows) if (until <= now) this.windows.delete(key);
  }

  /** Removes expired windows and, if these are few, the oldest tenth, so that it rarely has to run. */
  private dropOldest(): void {
    this.sweep();
    const keep = Math.floor(this.max * 0.9);
    for (const key of this.windows.keys()) {
      if (this.windows.size <= keep) break;
      this.windows.delete(key);
    }
  }
}
