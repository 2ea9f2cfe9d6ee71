import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import type { DepthView, KlineView, TickerView, TradesView, WatchedView } from '@bourse/events';
import { Reference, Views } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { difference, flat, windowOf } from '../domain/depth-diff.js';
import type { NumberedStream } from '../domain/numbered-stream.js';
import { Throttle } from '../domain/throttle.js';
import { PairStreams } from './pair-streams.js';
import {
  DEFAULT_DEPTH_ROOM,
  DEFAULT_ROOM,
  type Outlet,
  type PublicPush,
  type Subscription,
} from './public-channels.js';
import { PublicMessages } from './public-messages.js';
import { stateOf, welcomeOf, type WelcomeMessage } from './public-state.js';

const TICK_MS = 100;
/** While a socket is connected, market data is notified this often. */
const WATCHED_MS = 5_000;
const DEFAULT_PERIOD = '1min';

/** The start of a subscription: the current number with the state, or with the missed messages. */
export interface Start {
  readonly seq: number;
  readonly snapshot: PublicPush | readonly PublicPush[] | null;
  readonly missed: readonly PublicPush[];
}

/**
 * Turns views into the numbered public messages of api §4. Messages of a subscription are made once and shared by all
 * its subscribers; the default broadcast has separate streams, throttled [SOCKET-001].
 */
@Injectable()
export class PublicStreams implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pairs = new Map<string, PairStreams>();
  private readonly allTransactions = { subscribed: new Throttle(20), broadcast: new Throttle(10) };
  private readonly messages: PublicMessages;
  private stop: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private watchedAt = Number.NEGATIVE_INFINITY;
  private outlet: Outlet = () => undefined;
  private isWatched: () => boolean = () => false;

  constructor(
    private readonly views: Views,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {
    this.messages = new PublicMessages(clock);
  }

  onApplicationBootstrap(): void {
    this.stop = [
      this.views.subscribe('depth/', (view: DepthView) => this.onDepth(view)),
      this.views.subscribe('trades/', (view: TradesView) => this.onTrades(view)),
      this.views.subscribe('ticker/', (view: TickerView) => this.onTicker(view)),
      this.views.subscribe('kline/', (view: KlineView) => this.onKline(view)),
    ];
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }
  onApplicationShutdown(): void {
    clearInterval(this.timer);
    for (const stop of this.stop) stop();
  }

  /** Sends to `outlet` from now on. Nothing is computed while `isWatched` returns false: no socket is connected. */
  connect(outlet: Outlet, isWatched: () => boolean): void {
    this.outlet = outlet;
    this.isWatched = isWatched;
  }

  /** The pair of a symbol, while it is listed. */
  pair(symbol: string): PairRow | undefined {
    return this.reference.all<PairRow>('pair').find((pair) => pair.symbol === symbol);
  }

  /** State of a subscription now, or the messages after `from` if they are still kept. */
  start(subscription: Subscription, from?: number): Start {
    const now = this.clock.real();
    const stream = this.streamOf(subscription);
    const seq = stream?.seq ?? 0;
    if (from !== undefined && from > 0 && stream) {
      const missed = stream.since(from, now) as readonly PublicPush[] | null;
      if (missed) return { seq, snapshot: null, missed };
    }
    return { seq, snapshot: this.snapshot(subscription), missed: [] };
  }

  /** The complete state, for a new socket of the default broadcast. */
  welcome(): readonly WelcomeMessage[] {
    return [...this.pairs].flatMap(([symbol, streams]) => {
      const pair = this.pair(symbol);
      return pair ? welcomeOf(pair, streams, this.messages) : [];
    });
  }

  private streams(symbol: string): PairStreams {
    let streams = this.pairs.get(symbol);
    if (!streams) this.pairs.set(symbol, (streams = new PairStreams()));
    return streams;
  }

  private streamOf({
    channel,
    symbol,
    interval,
  }: Subscription): Pick<NumberedStream<PublicPush>, 'seq' | 'since' | 'newest'> | undefined {
    if (symbol === '') return undefined;
    const streams = this.streams(symbol);
    switch (channel) {
      case 'depth':
        this.updateDepth(symbol, streams);
        return streams.diffs;
      case 'trades':
        return streams.trades;
      case 'daymarket':
        return streams.tickers;
      case 'transaction':
        return streams.transactions;
      case 'kline':
        return streams.klineOf(interval);
    }
  }

  private snapshot({ channel, symbol, interval }: Subscription): PublicPush | readonly PublicPush[] | null {
    const symbols = symbol === '' ? [...this.pairs.keys()] : [symbol];
    const all = symbols.flatMap((name): readonly PublicPush[] => {
      const pair = this.pair(name);
      const streams = this.streams(name);
      return pair ? stateOf(channel, interval, pair, streams, this.messages) : [];
    });
    const isList = channel === 'trades' || channel === 'transaction' || symbol === '';
    return isList ? all : (all[0] ?? null);
  }

  private onDepth(view: DepthView): void {
    const streams = this.streams(view.symbol);
    if (streams.depth && view.seq < streams.depth.seq) {
      // The book restarts at a lower number: a new install behind the same gateway.
      streams.sent = undefined;
      streams.diffs.reset(0);
      streams.defaults.depth.reset(0);
    }
    streams.depth = view;
    streams.turns.depth.offer(view);
  }

  private onTicker(view: TickerView): void {
    const streams = this.streams(view.symbol);
    streams.ticker = view;
    streams.turns.ticker.offer(view);
    const pair = this.pair(view.symbol);
    if (pair)
      this.outlet(
        ['daymarket', `daymarket:${view.symbol}`],
        'daymarket',
        streams.tickers.next(view.seq, this.clock.real(), (seq, prev) => this.messages.ticker(pair, view, seq, prev)),
      );
  }

  private onKline(view: KlineView): void {
    const streams = this.streams(view.symbol);
    streams.bars.set(view.period, view);
    if (view.period === DEFAULT_PERIOD) streams.turns.kline.offer(view);
    const pair = this.pair(view.symbol);
    if (pair)
      this.outlet(
        [`kline:${view.symbol}:${view.period}`],
        'kline',
        streams
          .klineOf(view.period)
          .next(view.seq, this.clock.real(), (seq, prev) => this.messages.kline(pair, view, seq, prev)),
      );
  }

  private onTrades(view: TradesView): void {
    const pair = this.pair(view.symbol);
    if (!pair) return;
    const streams = this.streams(view.symbol);
    const now = this.clock.real();
    for (const trade of view.trades) {
      if (trade.seq <= streams.trades.seq) continue; // a repeat
      this.outlet(
        [`trades:${view.symbol}`],
        'match_trade',
        streams.trades.next(trade.seq, now, (seq, prev) => this.messages.trade(pair, trade, seq, prev)),
      );
      if (streams.turns.trades.admit(now))
        this.outlet(
          [DEFAULT_ROOM],
          'match_trade',
          streams.defaults.trade.next(trade.seq, now, (seq, prev) => this.messages.trade(pair, trade, seq, prev)),
        );
      if (this.allTransactions.subscribed.admit(now)) {
        this.outlet(
          ['transaction', `transaction:${view.symbol}`],
          'transaction',
          streams.transactions.next(trade.seq, now, (seq, prev) => this.messages.transaction(pair, trade, seq, prev)),
        );
      }
      if (this.allTransactions.broadcast.admit(now))
        this.outlet(
          [DEFAULT_ROOM],
          'transaction',
          streams.defaults.transaction.next(trade.seq, now, (seq, prev) =>
            this.messages.transaction(pair, trade, seq, prev),
          ),
        );
    }
  }

  private tick(): void {
    if (!this.isWatched()) return;
    const now = performance.now();
    if (now - this.watchedAt >= WATCHED_MS) {
      this.watchedAt = now;
      this.views.publish('watched', { at: this.clock.real() } satisfies WatchedView);
    }
    for (const [symbol, streams] of this.pairs) {
      const pair = this.pair(symbol);
      if (!pair) continue;
      this.updateDepth(symbol, streams);
      const at = this.clock.real();
      const depth = streams.turns.depth.take(now);
      if (depth && depth.seq > streams.defaults.depth.seq)
        this.outlet(
          [DEFAULT_DEPTH_ROOM],
          'market_depth',
          streams.defaults.depth.next(depth.seq, at, (seq, prev) =>
            this.messages.fullDepth(pair, streams, depth, seq, prev),
          ),
        );
      const ticker = streams.turns.ticker.take(now);
      if (ticker)
        this.outlet(
          [DEFAULT_ROOM],
          'daymarket',
          streams.defaults.ticker.next(ticker.seq, at, (seq, prev) => this.messages.ticker(pair, ticker, seq, prev)),
        );
      const bar = streams.turns.kline.take(now);
      if (bar)
        this.outlet(
          [DEFAULT_ROOM],
          'kline',
          streams.defaults.kline.next(bar.seq, at, (seq, prev) => this.messages.kline(pair, bar, seq, prev)),
        );
    }
  }

  /** Updates the shared depth stream of a pair to its newest view. */
  private updateDepth(symbol: string, streams: PairStreams): void {
    const { depth, sent } = streams;
    const pair = this.pair(symbol);
    if (!depth || !pair) return;
    const window = windowOf(depth.bids, depth.asks);
    if (!sent) {
      streams.sent = { window, lastPrice: depth.lastPrice, viewSeq: depth.seq };
      streams.diffs.reset(depth.seq);
      this.outlet(
        [`depth:${symbol}`],
        'market_depth',
        this.messages.depth(pair, streams, 'snapshot', flat(window.bids), flat(window.asks), depth.seq, 0),
      );
      return;
    }
    if (depth.seq <= sent.viewSeq) return;
    const { b, a } = difference(sent.window, window);
    streams.sent = { window, lastPrice: depth.lastPrice, viewSeq: depth.seq };
    // Sent also when only deeper levels have changed: the number must equal that of the REST call.
    this.outlet(
      [`depth:${symbol}`],
      'market_depth',
      streams.diffs.next(depth.seq, this.clock.real(), (seq, prev) =>
        this.messages.depth(pair, streams, 'diff', b, a, seq, prev),
      ),
    );
  }
}
