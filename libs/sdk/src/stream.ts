import { Book, Feed, type SocketLike } from '@bourse/realtime';
import { io } from 'socket.io-client';
import type { Messages } from './types.generated.js';

export interface StreamOptions {
  url: string;
  /** API key of the private stream; null: public streams alone. */
  key: string | null;
  handshake(): Promise<object>;
  lang(): string;
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
export type StreamStatus = 'offline' | 'connecting' | 'live' | 'reconnecting';

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
 * The socket: connects again by itself, subscribes again, fetches what was missed of the private stream, and starts a
 * book over from a snapshot when a message is missing or its checksum is wrong.
 */
export class Stream {
  private readonly feed: Feed;
  private readonly holes = new Set<() => void>();

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
      onSessionClosed: (reason) => options.onError(new Error(`the stream was closed: ${reason}`)),
      onMisfit: (event) => options.onError(new Error(`a message was not understood: ${event}`)),
    });
    this.feed.start().catch((error: unknown) => options.onError(error as Error));
  }

  get status(): StreamStatus {
    return this.feed.status;
  }

  onStatus(listener: (status: StreamStatus) => void): () => void {
    return this.feed.onStatus(() => listener(this.feed.status));
  }

  /** Private events were missed that the exchange cannot give again: read orders and balances anew. */
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

  /** The book of a pair; `changed` is told of each state whose checksum was right. */
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

  close(): void {
    this.feed.stop();
  }

  private socket(): SocketLike {
    const socket = io(this.options.url, { autoConnect: false, transports: ['websocket'], forceNew: true });
    socket.on('connect_error', (error) => this.options.onError(error));
    return socket as unknown as SocketLike;
  }
}
