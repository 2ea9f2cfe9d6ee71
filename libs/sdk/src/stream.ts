import { Book, Feed, type SocketLike } from '@bourse/realtime';
import { io } from 'socket.io-client';
import { NetworkError, SubscriptionRefused } from './errors.js';
import type { Messages } from './types.generated.js';

export interface StreamOptions {
  url: string;
  /** API key of the private stream; null: public streams alone. */
  key: string | null;
  handshake(): Promise<object>;
  /**
   * Called after a refusal of the signature: reads the exchange's clock, and returns whether the last handshake had a
   * wrong time.
   */
  correctClock(): Promise<boolean>;
  lang(): string;
  /** Headers of the opening request: a gateway names the address of its client in them. Node alone. */
  headers?: Readonly<Record<string, string>>;
  since(userSeq: number): Promise<{ events: { event: string; payload: unknown }[]; user_seq: number; complete: 0 | 1 }>;
  onError(error: Error): void;
}
/** Private messages that a key may read. */
export type PrivateName =
  | 'order_update'
  | 'balance_update'
  | 'notice'
  | 'lever_trade'
  | 'lever_closed'
  | 'micro_closed'
  | 'c2c_update'
  | 'c2c_chat';
/** One price level as decimal text: `[price, number]`. */
export type BookLevel = readonly [price: string, number: string];
/** `live`: connected, and with an API key signed in, so that events from now on are received. */
export type StreamStatus = 'offline' | 'connecting' | 'live' | 'reconnecting';

const SIGNATURE = 'apikey.signature';
/** Refusals of the handshake that are about the key and therefore final. */
const FINAL = [SIGNATURE, 'common.forbidden'];
/** The most corrections of the clock; after them the clock is not the reason of a refusal. */
const CORRECTIONS = 2;

/** Orders as messages of the stream, and reads beside them. */
export type OrderMessage =
  | 'order.place'
  | 'order.amend'
  | 'order.cancel'
  | 'order.cancelAll'
  | 'order.get'
  | 'stream.since';
/** Answer to an order of the stream: that of the call of the same name, with its HTTP status. */
export interface OrderAnswer {
  readonly status: number;
  /** `type` is `ok` or the kind of the refusal, whose reason is `key`. */
  readonly answer: Readonly<Record<string, unknown>> & { readonly type: string; readonly key?: string };
}
/** How long an order waits for its answer: longer than the exchange takes to settle a call. Ms. */
const ANSWER_MS = 8_000;

/** A book of one pair that is kept current; `[price, number]` as decimal text, best first. */
export interface LiveBook {
  readonly symbol: string;
  readonly bids: readonly BookLevel[];
  readonly asks: readonly BookLevel[];
  /** Number and server time (ms) of the last message; 0 while there is none. */
  readonly seq: number;
  readonly ts: number;
  close(): void;
}

/**
 * The socket: connects again by itself, subscribes again, fetches missed private events, and restarts a book from a
 * snapshot when a message is missing or its checksum is wrong.
 */
export class Stream {
  private readonly feed: Feed;
  private known: StreamStatus = 'offline';
  private wasLive = false;
  private isClosed = false;
  /** The error that ended the stream. */
  private failure: Error | undefined;
  /** How often the clock was corrected since the stream was live. */
  private corrections = 0;
  private readonly statusListeners = new Set<(status: StreamStatus) => void>();
  /** The callers that wait for the stream to be live. */
  private waiting: { resolve(): void; reject(error: Error): void }[] = [];
  private readonly holes = new Set<() => void>();
  private line: ReturnType<typeof io> | undefined;
  private requests = 0;

  constructor(private readonly options: StreamOptions) {
    this.feed = new Feed({
      open: () => Promise.resolve(this.socket()),
      token: () => options.key,
      userId: () => options.key,
      lang: () => options.lang(),
      handshake: () => options.handshake(),
      now: () => Date.now(),
      onHole: () => this.holes.forEach((told) => told()),
      since: (seq) => options.since(seq),
      onSessionClosed: (reason) => this.failed(new Error(`the stream was closed: ${reason}`)),
      onMisfit: (event) => options.onError(new Error(`a message was not understood: ${event}`)),
      onRefused: ({ channel, symbol = '', interval = '' }, key) =>
        options.onError(new SubscriptionRefused(channel, symbol, interval, key)),
    });
    this.feed.onStatus(() => this.updateStatus());
    this.feed.start().catch((error: unknown) => this.failed(error as Error));
  }

  get status(): StreamStatus {
    return this.known;
  }

  onStatus(listener: (status: StreamStatus) => void): () => void {
    this.statusListeners.add(listener);
    return () => this.statusListeners.delete(listener);
  }

  /**
   * Settles once the stream is live: events of an order placed after that are received.
   * @throws Error when the stream is closed, or the exchange does not take the key; its message is the exchange's key
   */
  ready(): Promise<void> {
    if (this.known === 'live') return Promise.resolve();
    if (this.failure) return Promise.reject(this.failure);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  }

  /** Private events were missed that the exchange cannot repeat: read orders and balances again. */
  onHole(listener: () => void): () => void {
    this.holes.add(listener);
    return () => this.holes.delete(listener);
  }

  /** A private message, each once and in order. */
  on<N extends PrivateName>(name: N, listener: (message: Messages[N]) => void): () => void {
    return this.feed.on(name, listener as never);
  }

  ticker(symbol: string, listener: (message: Messages['daymarket']) => void): () => void {
    const { close } = this.feed.subscribe({ channel: 'daymarket', symbol }, { event: listener as never });
    return close;
  }

  trades(symbol: string, listener: (message: Messages['match_trade']) => void): () => void {
    const { close } = this.feed.subscribe({ channel: 'trades', symbol }, { event: listener as never });
    return close;
  }

  /** Candles in progress; `interval` is a period of the contract: `1min`, `60min`, `1day` … */
  candles(symbol: string, interval: string, listener: (message: Messages['kline']) => void): () => void {
    const { close } = this.feed.subscribe({ channel: 'kline', symbol, interval }, { event: listener as never });
    return close;
  }

  /** The book of a pair; `changed` is called with each state whose checksum was right. */
  book(symbol: string, changed: (book: LiveBook) => void = () => undefined): LiveBook {
    const book = new Book(symbol);
    const apply = (push: Parameters<Book['apply']>[0]): void => {
      if (book.apply(push).ok) return changed(live);
      book.clear();
      subscription.again();
    };
    const subscription = this.feed.subscribe(
      { channel: 'depth', symbol },
      { event: apply, snapshot: (push) => apply(push as never), reset: () => book.clear() },
    );
    const live: LiveBook = {
      symbol,
      get bids() {
        return book.bids;
      },
      get asks() {
        return book.asks;
      },
      get seq() {
        return book.seq;
      },
      get ts() {
        return book.ts;
      },
      close: () => subscription.close(),
    };
    return live;
  }

  /**
   * Sends an order as a message: up to 40 may be under way, without waiting for the answers. `fields` are those of the
   * call of the same name, amounts as text (`order.place`: `POST /api/coin/trade`, `order.amend`:
   * `PUT /api/coin/order`, `order.cancel`: `PUT /api/coin/trade`, `order.cancelAll`: `POST /api/coin/cancel_all`,
   * `order.get`: `GET /api/coin/order`, `stream.since`: `GET /api/stream/since`);
   * `intent` is the Idempotency-Key. A refusal is an answer. Each message is sent at once, in the order of the calls,
   * and never again: it is for the program to wait for an order whose answer is lost, and for calls about it.
   * @throws NetworkError when no answer comes: the outcome is not known, and the same intent makes a repeat safe
   */
  order(
    message: OrderMessage,
    fields: Readonly<Record<string, string | number | boolean | undefined>>,
    { intent }: { readonly intent?: string } = {},
  ): Promise<OrderAnswer> {
    const silent = (): NetworkError => {
      const error = new NetworkError('the exchange did not answer');
      return intent === undefined ? error : Object.assign(error, { intent });
    };
    const { line } = this;
    if (!line?.connected) return Promise.reject(silent());
    this.requests += 1;
    const frame = { id: this.requests, ...(intent === undefined ? {} : { key: intent }), params: fields };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(silent()), ANSWER_MS);
      line.emit(message, frame, (ack: Partial<OrderAnswer>) => {
        clearTimeout(timer);
        // An acknowledgement without `answer` is the refusal of a frame that did not become a call.
        if (ack.answer === undefined) resolve({ status: 200, answer: ack as OrderAnswer['answer'] });
        else resolve({ status: ack.status ?? 200, answer: ack.answer });
      });
    });
  }

  close(): void {
    this.isClosed = true;
    this.feed.stop();
    this.failure ??= new Error('the stream was closed');
    for (const { reject } of this.waiting.splice(0)) reject(this.failure);
  }

  private updateStatus(): void {
    const { status, signedIn } = this.feed;
    const isLive = status === 'live' && (this.options.key === null || signedIn);
    // A connection without a private stream yet is still connecting.
    const now = status !== 'live' || isLive ? status : this.wasLive ? 'reconnecting' : 'connecting';
    if (now === this.known) return;
    this.known = now;
    if (isLive) {
      this.wasLive = true;
      this.failure = undefined;
      this.corrections = 0;
      for (const { resolve } of this.waiting.splice(0)) resolve();
    }
    for (const listener of this.statusListeners) listener(now);
  }

  /** An error that no retry can repair: waiting callers are rejected, too. */
  private failed(error: Error): void {
    this.failure = error;
    for (const { reject } of this.waiting.splice(0)) reject(error);
    this.options.onError(error);
  }

  private socket(): SocketLike {
    const { headers } = this.options;
    const more = headers === undefined ? {} : { extraHeaders: { ...headers } };
    const socket = io(this.options.url, { autoConnect: false, transports: ['websocket'], forceNew: true, ...more });
    socket.on('connect_error', (error) => void this.onRefused(socket, error));
    this.line = socket;
    return socket as unknown as SocketLike;
  }

  /** A wrong clock is corrected, and the connection opened again at once, without an error to the program. */
  private async onRefused(socket: ReturnType<typeof io>, error: Error): Promise<void> {
    // Other connection errors are temporary; the refusal of a key is final.
    if (!FINAL.includes(error.message)) return this.options.onError(error);
    const isLate = error.message === SIGNATURE && (await this.options.correctClock().catch(() => false));
    if (this.isClosed) return;
    if (!isLate || this.corrections >= CORRECTIONS) return this.failed(error);
    this.corrections += 1;
    if (!socket.connected && !socket.active) socket.connect();
  }
}
