import type { Channel, PUBLIC_EVENTS } from '@bourse/contract';
import type { decodePrivate } from './decode-private.js';
import { decodePublic, isPrivateName, PUBLIC_NAMES, type PrivateEvents, type PublicEvents } from './decode.js';
import { FrameQueue } from './frame-queue.js';
import { PrivateLane } from './private-lane.js';
import { LIVE_NAMES, PRIVATE_NAMES, PUBLIC_SHAPES } from './push-shapes.js';

/** The part of a socket.io socket that the feed uses; tests pass their own. */
export interface SocketLike {
  connected: boolean;
  /** Whether the library itself will connect again; it does not after the server cut or refused the socket. */
  active?: boolean;
  auth: unknown;
  on(event: string, listener: (...values: never[]) => void): unknown;
  emit(event: string, ...values: unknown[]): unknown;
  connect(): unknown;
  disconnect(): unknown;
}

export type FeedStatus = 'offline' | 'connecting' | 'live' | 'reconnecting';
export interface FeedOptions {
  /** Makes the socket, not yet connected. Async so that the library loads after the first paint. */
  open(): Promise<SocketLike>;
  token(): string | null;
  userId(): string | null;
  lang(): string;
  /** The contents of the handshake, where that is not token and language: a program signs it again each time. */
  handshake?(): Promise<object>;
  now(): number;
  /** Private events may have been missed and the server cannot replay them: read the lists again. */
  onHole(): void;
  /** Reads what was missed of the private stream (`/api/stream/since`). */
  since(userSeq: number): Promise<{ events: { event: string; payload: unknown }[]; user_seq: number; complete: 0 | 1 }>;
  /** The server ended this session. */
  onSessionClosed(reason: string): void;
  /** A message that does not fit the contract, for the log. */
  onMisfit?(event: string): void;
  /** The server refuses a subscription, with this key. */
  onRefused?(what: Subscription, key: string): void;
  /** Loads the checks of private messages; tests pass their own. */
  privateChecks?: () => Promise<{ decodePrivate: typeof decodePrivate }>;
}

export interface Subscription {
  readonly channel: Channel;
  readonly symbol?: string;
  readonly interval?: string;
}
export interface SubscriptionHandlers<E extends keyof PublicEvents> {
  event(push: PublicEvents[E]): void;
  /** The state to start from, as acknowledged: after each (re)subscription. */
  snapshot?(snapshot: unknown, seq: number): void;
  /** Connection lost or a fault: the held state is no longer current. */
  reset?(): void;
}

type EventOf<C extends Channel> = {
  [E in keyof PublicEvents]: (typeof PUBLIC_EVENTS)[E]['channel'] extends C ? E : never;
}[keyof PublicEvents];

export interface LiveSubscription {
  close(): void;
  /** Starts over from a snapshot. */
  again(): void;
  /**
   * Asks whether the message `seq` is still the newest: a quiet stream proves that it is current. Missed messages come
   * as events, or a snapshot.
   */
  confirm(seq: number): void;
}

const CUT_RETRY_MS = 1_000;
const REFUSED_RETRY_MS = 5_000;
const BUSY_RETRY_MS = 1_000;
/** The most streams in one frame (api §4). */
const CHANNELS_MAX = 50;
/** No login has returned a number yet. */
const UNKNOWN_SEQ = -1;

interface Entry {
  readonly what: Subscription;
  readonly handlers: SubscriptionHandlers<keyof PublicEvents>;
  generation: number;
}
/** A stream that one or more subscriptions ask the server for. */
interface Wish {
  readonly what: Subscription;
  /** The message after which to continue; undefined: from a snapshot. */
  readonly from: number | undefined;
  readonly askers: readonly { readonly entry: Entry; readonly generation: number }[];
}
/** How the server answers a frame, or one stream of it. */
interface Answer {
  readonly type?: string;
  readonly channel?: string;
  readonly symbol?: string;
  readonly interval?: string;
  readonly snapshot?: unknown;
  readonly seq?: number;
  readonly key?: string;
  readonly params?: { readonly retry_ms?: number };
  readonly ok?: readonly Answer[];
  readonly refused?: readonly Answer[];
}

/**
 * The one socket. Owns reconnects, logins, subscriptions and the holes in the private stream; its users see decoded
 * events in order. After a reconnect every subscription starts again from its snapshot; answers of an older generation
 * are dropped.
 */
export class Feed {
  private socket: SocketLike | undefined;
  private started = false;
  private wasLive = false;
  /** Number of the last private event; 0 for a person without one. */
  private userSeq = UNKNOWN_SEQ;
  private readonly lane: PrivateLane;
  private readonly entries = new Set<Entry>();
  private readonly frames = new FrameQueue();
  /** Subscriptions that were not sent to the server yet, with the number after which to continue. */
  private readonly asking = new Map<Entry, number | undefined>();
  private readonly statusListeners = new Set<() => void>();
  private readonly privateListeners = new Map<keyof PrivateEvents, Set<(push: never) => void>>();
  private readonly lastAt = new Map<string, number>();
  private retry: ReturnType<typeof setTimeout> | undefined;
  /** Counts connections: an answer to a lost one concerns no other. */
  private connection = 0;
  /** Counts sign-ins and sign-outs: missed events of one person are not those of the next. */
  private session = 0;
  status: FeedStatus = 'offline';
  /** Whether private messages flow on this connection: the server has acknowledged the login. */
  signedIn = false;

  constructor(private readonly options: FeedOptions) {
    this.lane = new PrivateLane(options.privateChecks);
  }

  async start(): Promise<void> {
    if (this.started) return;
    this.started = true;
    this.setStatus('connecting');
    // A signed-in user needs the checks of private messages from the first one on.
    const [socket] = await Promise.all([this.options.open(), this.options.token() ? this.lane.load() : undefined]);
    if (!this.started) return;
    this.socket = socket;
    const listen = (event: string, listener: (payload: unknown, more?: unknown) => void): void => {
      socket.on(event, listener as (...values: never[]) => void);
    };
    listen('connect', () => this.onConnect());
    listen('disconnect', () => this.onLost());
    listen('connect_error', () => {
      this.setStatus(this.wasLive ? 'reconnecting' : 'connecting');
      this.connectAgain(REFUSED_RETRY_MS);
    });
    listen('heartbeat', (payload) => this.onHeartbeat(payload));
    listen('session_closed', (payload) => this.options.onSessionClosed(reasonOf(payload)));
    for (const event of PUBLIC_NAMES) listen(event, (payload) => this.onPublic(event, payload));
    for (const event of PRIVATE_NAMES) listen(event, (payload) => this.onPrivate(event, payload));
    socket.auth = (give: (auth: object) => void) => {
      if (!this.options.handshake) return give({ token: this.options.token() ?? undefined, lang: this.options.lang() });
      // One that cannot be made now goes without, is refused, and is tried again.
      this.options.handshake().then(give, () => give({}));
    };
    socket.connect();
  }

  stop(): void {
    this.started = false;
    this.lane.clear();
    clearTimeout(this.retry);
    this.frames.clear();
    this.socket?.disconnect();
    this.socket = undefined;
    this.setStatus('offline', false);
  }

  /** After signing in or out: the handshake carries the token, so the socket starts again. */
  renew(): void {
    this.session += 1;
    this.userSeq = UNKNOWN_SEQ;
    this.lane.clear();
    this.lane.release();
    if (!this.socket) return;
    this.socket.disconnect();
    clearTimeout(this.retry);
    this.socket.connect();
  }

  onStatus(listener: () => void): () => void {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  }

  on<E extends keyof PrivateEvents>(event: E, listener: (push: PrivateEvents[E]) => void): () => void {
    const listeners = this.privateListeners.get(event) ?? new Set();
    this.privateListeners.set(event, listeners);
    listeners.add(listener as (push: never) => void);
    return () => listeners.delete(listener as (push: never) => void);
  }

  /** Milliseconds since anything came for a pair (or `''`: at all); Infinity before the first. */
  ageOf(symbol: string): number {
    const at = this.lastAt.get(symbol);
    return at === undefined ? Infinity : this.options.now() - at;
  }

  subscribe<C extends Channel>(
    what: Subscription & { channel: C },
    handlers: SubscriptionHandlers<EventOf<C>>,
  ): LiveSubscription {
    const entry: Entry = { what, handlers: handlers as SubscriptionHandlers<keyof PublicEvents>, generation: 0 };
    this.entries.add(entry);
    this.request(entry);
    return {
      close: () => {
        this.entries.delete(entry);
        entry.generation += 1;
        this.asking.delete(entry);
        if (this.socket?.connected) this.frames.add(() => this.sendUnsubscribe(what));
      },
      again: () => {
        entry.handlers.reset?.();
        this.request(entry);
      },
      confirm: (seq) => this.request(entry, seq),
    };
  }

  private request(entry: Entry, from?: number): void {
    entry.generation += 1;
    if (!this.socket?.connected) return;
    // All subscriptions of one turn leave in one frame.
    if (this.asking.size === 0) void Promise.resolve().then(() => this.frames.add(() => this.sendSubscribe()));
    this.asking.set(entry, from);
  }

  private sendUnsubscribe(what: Subscription): boolean {
    // It may be wanted again meanwhile.
    if ([...this.entries].some((other) => same(other.what, what))) return false;
    this.socket?.emit('unsubscribe', what);
    return true;
  }

  private sendSubscribe(): boolean {
    const wishes = this.takeWishes();
    if (!this.socket?.connected || wishes.length === 0) return false;
    const asked = wishes.map(({ what, from }) => (from === undefined ? what : { ...what, seq: from }));
    const frame = asked.length === 1 ? asked[0] : { channels: asked };
    this.socket.emit('subscribe', frame, (ack: unknown) => this.onAnswer(wishes, (ack ?? {}) as Answer));
    return true;
  }

  /** Takes as many of the requested streams as one frame holds, each once. */
  private takeWishes(): Wish[] {
    const wishes = new Map<string, Wish>();
    for (const [entry, from] of this.asking) {
      const name = nameOf(entry.what);
      const known = wishes.get(name);
      if (!known && wishes.size === CHANNELS_MAX) continue;
      this.asking.delete(entry);
      const asker = { entry, generation: entry.generation };
      wishes.set(name, {
        what: known?.what ?? entry.what,
        // If one of them needs a snapshot, all get it.
        from: known && known.from !== from ? undefined : from,
        askers: [...(known?.askers ?? []), asker],
      });
    }
    if (this.asking.size > 0) this.frames.add(() => this.sendSubscribe());
    return [...wishes.values()];
  }

  private onAnswer(wishes: readonly Wish[], answer: Answer): void {
    const retryMs = answer.params?.retry_ms;
    if (answer.key === 'common.tooMany' && retryMs !== undefined) {
      // Nothing of the frame was done: the same again, when the server takes frames again.
      this.frames.pause(retryMs);
      for (const { from, askers } of wishes)
        for (const { entry, generation } of askers) if (this.isCurrent(entry, generation)) this.asking.set(entry, from);
      this.frames.add(() => this.sendSubscribe());
      return;
    }
    const single = wishes.length === 1 && answer.ok === undefined ? answer : undefined;
    const answers = [...(answer.ok ?? []).map((one) => ({ ...one, type: 'ok' })), ...(answer.refused ?? [])];
    const byName = new Map(answers.map((one) => [nameOf(one), one]));
    for (const wish of wishes) this.settle(wish, single ?? byName.get(nameOf(wish.what)));
  }

  private settle({ what, askers }: Wish, answer: Answer | undefined): void {
    for (const { entry, generation } of askers) {
      if (!this.isCurrent(entry, generation)) continue;
      if (answer?.type !== 'ok') {
        this.options.onRefused?.(what, answer?.key ?? '');
        continue;
      }
      this.touch(what.symbol);
      const { snapshot, seq = 0 } = answer;
      if (snapshot !== undefined && snapshot !== null) entry.handlers.snapshot?.(snapshot, seq);
    }
  }

  private isCurrent(entry: Entry, generation: number): boolean {
    return entry.generation === generation && this.entries.has(entry);
  }

  private onConnect(): void {
    this.wasLive = true;
    this.connection += 1;
    this.setStatus('live', false);
    const userId = this.options.userId();
    if (this.options.token() && userId) this.login(userId);
    for (const entry of this.entries) {
      entry.handlers.reset?.();
      this.request(entry);
    }
  }

  private login(userId: string): void {
    void this.lane.load();
    const { connection } = this;
    const isCurrent = (): boolean => this.connection === connection && this.socket?.connected === true;
    const onAnswer = (ack: unknown): void => {
      if (!isCurrent()) return;
      const { type, user_seq: seq } = (ack ?? {}) as { type?: string; user_seq?: number };
      if (type === '999') return this.options.onSessionClosed('login');
      if (typeof seq !== 'number') {
        // It could not be answered for the moment: without a login nothing private would ever come.
        setTimeout(() => {
          if (isCurrent()) this.login(userId);
        }, BUSY_RETRY_MS);
        return;
      }
      this.lane.run((decode) => {
        if (!isCurrent()) return;
        // A lower number is of a server that is some moments behind the one before, or of one that has forgotten.
        if (this.userSeq !== UNKNOWN_SEQ && seq !== this.userSeq) void this.recover(decode);
        else this.userSeq = seq;
        this.setStatus(this.status, true);
      });
    };
    this.frames.add(() => {
      this.socket?.emit('login', userId, onAnswer);
      return true;
    });
  }

  private onLost(): void {
    this.frames.clear();
    this.asking.clear();
    for (const entry of this.entries) entry.generation += 1;
    this.setStatus(this.started ? 'reconnecting' : 'offline', false);
    this.connectAgain(CUT_RETRY_MS);
  }

  /**
   * The library connects again by itself after a lost line, but not after the server cut or refused the socket: a
   * restarted exchange does that.
   */
  private connectAgain(afterMs: number): void {
    clearTimeout(this.retry);
    this.retry = setTimeout(() => {
      if (this.started && this.socket && !this.socket.connected && this.socket.active !== true) this.socket.connect();
    }, afterMs);
  }

  private onHeartbeat(payload: unknown): void {
    const seq = (payload as { user_seq?: unknown } | null)?.user_seq;
    // Guests have the number 0: nothing of theirs is private.
    if (typeof seq === 'number' && seq > 0)
      this.lane.run((decode) => {
        if (this.userSeq !== UNKNOWN_SEQ && seq > this.userSeq) void this.recover(decode);
      });
    this.touch();
  }

  private onPublic<E extends keyof PublicEvents>(event: E, payload: unknown): void {
    const push = decodePublic(event, payload);
    if (!push) return this.options.onMisfit?.(event);
    this.touch(push.symbol);
    for (const { what, handlers } of this.entries) {
      if (PUBLIC_SHAPES[event].channel !== what.channel || (what.symbol !== undefined && what.symbol !== push.symbol))
        continue;
      if (event === 'kline' && what.interval !== undefined && (push as PublicEvents['kline']).period !== what.interval)
        continue;
      handlers.event(push);
    }
  }

  private onPrivate<E extends keyof PrivateEvents>(event: E, payload: unknown): void {
    if (this.lane.isFull) return;
    const { userSeq: before } = this;
    this.lane.run((decode) => {
      const push = decode(event, payload);
      if (!push) this.options.onMisfit?.(event);
      else if (LIVE_NAMES.includes(event) || this.countPrivate(payload, decode, before)) this.deliver(event, push);
    });
  }

  /**
   * `before` is the number that was known when the event arrived: after a recovery that failed it still tells repeats.
   * @returns whether the event is new; a number after a hole starts the recovery, which delivers it in its turn.
   */
  private countPrivate(payload: unknown, decode: typeof decodePrivate, before: number): boolean {
    const seq = (payload as { user_seq?: unknown } | null)?.user_seq;
    if (typeof seq !== 'number') return true;
    if (seq <= (this.userSeq === UNKNOWN_SEQ ? before : this.userSeq)) return false;
    if (this.userSeq !== UNKNOWN_SEQ && seq > this.userSeq + 1) {
      void this.recover(decode);
      return false;
    }
    this.userSeq = seq;
    return true;
  }

  private deliver<E extends keyof PrivateEvents>(event: E, push: PrivateEvents[E]): void {
    for (const listener of this.privateListeners.get(event) ?? []) (listener as (push: PrivateEvents[E]) => void)(push);
  }

  /**
   * Fetches the missing events; when the server cannot repeat all of them, the lists are read again. Messages that
   * arrive meanwhile wait: the answer may be older than they are.
   */
  private async recover(decode: typeof decodePrivate): Promise<void> {
    this.lane.hold();
    const { userSeq: asked, session } = this;
    try {
      const { events, user_seq: seq, complete } = await this.options.since(asked);
      if (session !== this.session) return;
      for (const { event, payload } of events) {
        if (isPrivateName(event)) this.onRecovered(event, decode(event, payload));
      }
      this.userSeq = complete !== 1 && seq < asked ? seq : Math.max(this.userSeq, seq);
      if (complete !== 1) this.options.onHole();
    } catch {
      if (session !== this.session) return;
      // Unreachable or refused: the lists are the truth, and the count restarts with the next event.
      this.userSeq = UNKNOWN_SEQ;
      this.options.onHole();
    } finally {
      if (session === this.session) this.lane.release();
    }
  }

  private onRecovered<E extends keyof PrivateEvents>(event: E, push: PrivateEvents[E] | undefined): void {
    if (push && (push.user_seq === undefined || push.user_seq > this.userSeq)) this.deliver(event, push);
  }

  private touch(symbol?: string): void {
    const now = this.options.now();
    this.lastAt.set('', now);
    if (symbol !== undefined) this.lastAt.set(symbol, now);
  }

  private setStatus(status: FeedStatus, signedIn = this.signedIn): void {
    if (this.status === status && this.signedIn === signedIn) return;
    this.status = status;
    this.signedIn = signedIn;
    for (const listener of this.statusListeners) listener();
  }
}

const reasonOf = (payload: unknown): string => {
  const reason = (payload as { reason?: unknown } | null)?.reason;
  return typeof reason === 'string' ? reason : '';
};
const same = (a: Subscription, b: Subscription): boolean => nameOf(a) === nameOf(b);
/** Name of a stream, equal for the request and the server's answer. */
const nameOf = ({ channel, symbol, interval }: Pick<Answer, 'channel' | 'symbol' | 'interval'>): string =>
  [channel, symbol ?? '', channel === 'kline' ? interval || '1min' : ''].join(' ');
