import { createSecureContext, type SecureContext } from 'node:tls';
import { Logger } from '@nestjs/common';
import { createClient } from 'redis';
import type { LedgerReply } from '@bourse/events';
import type { AuthorityFile } from '@bourse/platform';
import { boundedKey, Subscriptions, matches, InProcessCounters, InProcessMarks } from './in-process.js';
import { Counters, Marks, Replies, Views, type Counted } from '../ports.js';
import { Waiters } from './waiters.js';

type Client = ReturnType<typeof createClient>;
type Receive = (payload: never, channel: string) => void;

const REPLY = 'bourse:reply:';
const VIEW = 'bourse:view:';
const KEPT = 'bourse:kept:';
const WAKE = 'bourse:wake';
const RATE = 'bourse:rate:';
const MARK = 'bourse:mark:';
const READY_MS_MAX = 10_000;
/**
 * A caller waits no longer than this for Redis (invariants §3). After a timeout Redis counts as unavailable for a
 * while.
 */
const ANSWER_MS_MAX = 200;
const DO_WITHOUT_MS = 1_000;
/** While Redis hangs, the queue must not hold commands whose results nobody waits for. */
const QUEUE_MAX = 10_000;

const reconnectStrategy = (retries: number): number => Math.min(50 * 2 ** retries, 2_000);

/**
 * Address of Redis, with user and password. `ca`: the authorities that a connection of `rediss://` trusts; null: those
 * of the system.
 */
export interface RedisAddress {
  readonly url: string;
  readonly ca: AuthorityFile | null;
}

/** Settings of every client of Redis. */
export function redisSettings({ url, ca }: RedisAddress): {
  readonly url: string;
  readonly socket: { readonly tls: true; readonly secureContext?: SecureContext } | Record<never, never>;
} {
  if (!url.startsWith('rediss:')) return { url, socket: {} };
  return { url, socket: { tls: true, ...(ca === null ? {} : { secureContext: trusting(ca) }) } };
}

/** The client copies its settings once for all connections; the getter reads the file for each connection. */
const trusting = (file: AuthorityFile): SecureContext => ({
  get context(): unknown {
    const { context } = createSecureContext({ ca: file.read() }) as { readonly context: unknown };
    return context;
  },
});

/**
 * Both connections of a process to Redis. Nothing in it is durable: messages sent while it is down are lost, and every
 * caller tolerates that.
 */
export class RedisLink {
  private readonly logger = new Logger('Redis');
  readonly commands: Client;
  readonly subscriber: Client;
  private readonly started: Promise<void>;
  private readonly gapListeners: (() => void)[] = [];
  private wasReady = false;

  constructor(address: RedisAddress, onReady: (ready: boolean) => void) {
    const { url, socket } = redisSettings(address);
    // Commands fail at once while it is away: a view or a reply that waits in a queue would come too late to be of use.
    this.commands = createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: QUEUE_MAX,
      socket: { ...socket, reconnectStrategy, connectTimeout: 2_000 },
    });
    this.subscriber = createClient({
      url,
      pingInterval: 5_000,
      socket: { ...socket, reconnectStrategy, connectTimeout: 2_000 },
    });
    for (const client of [this.commands, this.subscriber])
      client.on('error', (error: Error) => this.logger.debug(error.message));
    this.subscriber.on('ready', () => {
      onReady(true);
      this.wasReady = true;
    });
    for (const client of [this.commands, this.subscriber])
      client.on('ready', () => {
        // A listener reads and publishes by the commands, and receives by the subscriber.
        if (this.commands.isReady && this.subscriber.isReady) for (const listener of this.gapListeners) listener();
      });
    this.subscriber.on('reconnecting', () => {
      if (this.wasReady) this.logger.warn('the connection to Redis was lost');
    });
    onReady(false);
    this.started = Promise.all([this.commands.connect(), this.subscriber.connect()]).then(
      () => undefined,
      (error: unknown) => this.logger.error(`Redis: ${(error as Error).message}`),
    );
  }

  /** Resolves when both connections were there once, or after 10 s. */
  async ready(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.started,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, READY_MS_MAX);
      }),
    ]);
    clearTimeout(timer);
  }

  /** Both connections are there, at first or again: something may have been missed, and kept values may be lost. */
  onGap(listener: () => void): void {
    this.gapListeners.push(listener);
  }

  /**
   * For commands that a caller waits for. Rejects when Redis does not answer in time, and immediately for a second
   * after that.
   */
  async inTime<T>(ask: () => Promise<T>): Promise<T> {
    if (performance.now() < this.hangsUntil) throw new Error('Redis does not answer');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        this.hangsUntil = performance.now() + DO_WITHOUT_MS;
        reject(new Error(`Redis has not answered within ${ANSWER_MS_MAX} ms`));
      }, ANSWER_MS_MAX);
    });
    const asked = ask();
    asked.catch(() => undefined); // a rejection after the timeout is ignored
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }
  private hangsUntil = 0;

  /** For what may be lost. */
  quietly(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.logger.debug(`${what}: ${(error as Error).message}`));
  }

  close(): void {
    for (const client of [this.commands, this.subscriber]) client.destroy();
  }

  /** Wakes the relays of a schema in other instances. */
  readonly wake = {
    notify: (schema: string): void => this.quietly(this.commands.publish(WAKE, schema), 'wake'),
    onNotified: (listener: (schema: string) => void): void =>
      this.quietly(
        this.subscriber.subscribe(WAKE, (schema) => listener(schema)),
        'wake',
      ),
  };
}

export class RedisReplies extends Replies {
  private readonly waiters = new Waiters();

  constructor(
    readonly instance: string,
    private readonly link: RedisLink,
  ) {
    super();
    link.quietly(
      link.subscriber.subscribe(REPLY + instance, (text) => this.waiters.settle(JSON.parse(text) as LedgerReply)),
      'reply channel',
    );
  }

  publish(replyTo: string, reply: LedgerReply): void {
    if (replyTo === this.instance) this.waiters.settle(JSON.parse(JSON.stringify(reply)) as LedgerReply);
    else this.link.quietly(this.link.commands.publish(REPLY + replyTo, JSON.stringify(reply)), 'reply');
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

export class RedisViews extends Views {
  private readonly subscriptions = new Subscriptions();
  private readonly counts = new Map<string, number>();

  constructor(private readonly link: RedisLink) {
    super();
    // Payloads published meanwhile are lost, but the kept values are current.
    link.onGap(() => {
      for (const key of this.counts.keys())
        this.deliverKept(key, (payload, channel) => this.subscriptions.deliverTo(key, channel, payload));
    });
  }

  publish(channel: string, payload: object, keep = false): void {
    const text = JSON.stringify(payload);
    const { commands } = this.link;
    this.link.quietly(
      keep
        ? commands
            .multi()
            .set(KEPT + channel, text)
            .publish(VIEW + channel, text)
            .exec()
        : commands.publish(VIEW + channel, text),
      channel,
    );
  }

  subscribe(channelOrPrefix: string, receive: Receive): () => void {
    const unsubscribe = this.subscriptions.add(channelOrPrefix, receive);
    const isPrefix = channelOrPrefix.endsWith('/');
    const name = isPrefix ? `${escapeGlob(VIEW + channelOrPrefix)}*` : VIEW + channelOrPrefix;
    const count = this.counts.get(channelOrPrefix) ?? 0;
    this.counts.set(channelOrPrefix, count + 1);
    const { subscriber } = this.link;
    if (count === 0) {
      const listen = (text: string, channel: string): void =>
        this.subscriptions.deliverTo(channelOrPrefix, channel.slice(VIEW.length), JSON.parse(text));
      this.link.quietly(
        isPrefix ? subscriber.pSubscribe(name, listen) : subscriber.subscribe(name, listen),
        channelOrPrefix,
      );
    }
    this.deliverKept(channelOrPrefix, (payload, channel) => this.subscriptions.call(receive, channel, payload));
    return () => {
      unsubscribe();
      const left = (this.counts.get(channelOrPrefix) ?? 1) - 1;
      if (left > 0) this.counts.set(channelOrPrefix, left);
      else {
        this.counts.delete(channelOrPrefix);
        this.link.quietly(isPrefix ? subscriber.pUnsubscribe(name) : subscriber.unsubscribe(name), channelOrPrefix);
      }
    };
  }

  onGap(listener: () => void): void {
    this.link.onGap(listener);
  }

  async kept<T>(channel: string): Promise<T | null> {
    const text = await this.link.commands.get(KEPT + channel);
    return text === null ? null : (JSON.parse(text) as T);
  }

  private deliverKept(channelOrPrefix: string, deliver: (payload: unknown, channel: string) => void): void {
    this.link.quietly(
      (async () => {
        await this.link.ready();
        for (const channel of await this.keptChannels(channelOrPrefix)) {
          const payload = await this.kept(channel);
          if (payload !== null) deliver(payload, channel);
        }
      })(),
      `kept values of ${channelOrPrefix}`,
    );
  }

  private async keptChannels(channelOrPrefix: string): Promise<string[]> {
    if (!channelOrPrefix.endsWith('/')) return [channelOrPrefix];
    const channels: string[] = [];
    for await (const keys of this.link.commands.scanIterator({
      MATCH: `${escapeGlob(KEPT + channelOrPrefix)}*`,
      COUNT: 500,
    })) {
      for (const key of keys)
        if (matches(key.slice(KEPT.length), channelOrPrefix)) channels.push(key.slice(KEPT.length));
    }
    return channels;
  }
}

const escapeGlob = (text: string): string => text.replace(/[\\*?[\]]/g, '\\$&');

const HIT = `local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { count, redis.call('PTTL', KEYS[1]) }`;

/** Counters shared by all instances. While Redis is down each instance counts for itself, and marks its counts so. */
export class RedisCounters extends Counters {
  private readonly logger = new Logger('Counters');
  private readonly local = new InProcessCounters();

  constructor(private readonly link: RedisLink) {
    super();
  }

  async hit(key: string, windowMs: number, times = 1): Promise<Counted> {
    try {
      const [count = 1, resetsInMs = windowMs] = (await this.link.inTime(() =>
        this.link.commands.eval(HIT, { keys: [RATE + boundedKey(key)], arguments: [String(windowMs), String(times)] }),
      )) as number[];
      return { count, resetsInMs };
    } catch (error) {
      this.logger.debug(`counted alone: ${(error as Error).message}`);
      return { ...(await this.local.hit(key, windowMs, times)), alone: true };
    }
  }

  close(): void {
    this.local.close();
  }
}

/** Marks in Redis, and this process's own while it is away. */
export class RedisMarks extends Marks {
  private readonly local = new InProcessMarks();

  constructor(private readonly link: RedisLink) {
    super();
  }

  leave(name: string, keptMs: number): void {
    this.local.leave(name, keptMs);
    this.link.quietly(this.link.commands.set(MARK + boundedKey(name), '1', { PX: keptMs }), 'mark');
  }

  async find(names: readonly string[]): Promise<string | null | undefined> {
    if (names.length === 0) return null;
    const own = await this.local.find(names);
    if (own !== null) return own;
    try {
      const found = await this.link.inTime(() => this.link.commands.mGet(names.map((name) => MARK + boundedKey(name))));
      return names.find((_name, at) => found[at] !== null) ?? null;
    } catch {
      return undefined;
    }
  }
}
