import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import {
  bookChecksum,
  PERIODS,
  type DayMarketPush,
  type DepthPush,
  type FlatDepthPush,
  type FullDepthPush,
  type KlinePush,
  type MatchTradePush,
  type PairRow,
  type TransactionPush,
} from '@bourse/contract';
import type { DepthView, KlineView, TickerView, TradesView, WatchedView } from '@bourse/events';
import { Reference, Views } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock, timeText } from '@bourse/platform';
import { difference, flat, windowOf, type Window } from '../domain/depth-diff.js';
import { NumberedStream } from '../domain/numbered-stream.js';
import { Latest, Throttle } from '../domain/throttle.js';

const TICK_MS = 100;
/** How often it is said that somebody looks. */
const WATCHED_MS = 5_000;
const DEFAULT_PERIOD = '1min';
/** Rooms of the default broadcast; depth has its own, so that a slow socket can be spared it. */
export const DEFAULT_ROOM = 'default';
export const DEFAULT_DEPTH_ROOM = 'default:depth';

export const CHANNEL_EVENTS = {
  daymarket: 'daymarket',
  depth: 'market_depth',
  trades: 'match_trade',
  kline: 'kline',
  transaction: 'transaction',
} as const;
export type StreamChannel = keyof typeof CHANNEL_EVENTS;
export type PublicPush = DayMarketPush | DepthPush | KlinePush | MatchTradePush | TransactionPush;
/** Sends to all sockets of this process that are in one of the rooms, each once. */
export type Outlet = (rooms: readonly string[], event: string, payload: PublicPush) => void;

/** What one subscription asks for, in the contract's words; `symbol` is empty for all pairs. */
export interface Wanted {
  readonly channel: StreamChannel;
  readonly symbol: string;
  readonly interval: string;
}
export const roomOf = ({ channel, symbol, interval }: Wanted): string =>
  [channel, symbol, interval].filter((part) => part !== '').join(':');
/** Where a subscriber starts: the current number with the state, or with the messages it missed. */
export interface Start {
  readonly seq: number;
  readonly snapshot: PublicPush | readonly PublicPush[] | null;
  readonly missed: readonly PublicPush[];
}

/** Everything of one pair: what came in, what went out. */
class PairStreams {
  depth: DepthView | undefined;
  ticker: TickerView | undefined;
  sent: { window: Window; lastPrice: string; viewSeq: number } | undefined;
  readonly bars = new Map<string, KlineView>();
  readonly diffs = new NumberedStream<FlatDepthPush>();
  readonly trades = new NumberedStream<MatchTradePush>();
  readonly transactions = new NumberedStream<TransactionPush>();
  readonly tickers = new NumberedStream<DayMarketPush>();
  readonly klines = new Map<string, NumberedStream<KlinePush>>();
  readonly defaults = {
    depth: new NumberedStream<FullDepthPush>(0, 1),
    ticker: new NumberedStream<DayMarketPush>(0, 1),
    kline: new NumberedStream<KlinePush>(0, 1),
    trade: new NumberedStream<MatchTradePush>(0, 1),
    transaction: new NumberedStream<TransactionPush>(0, 1),
  };
  readonly turns = {
    depth: new Latest<DepthView>(500),
    ticker: new Latest<TickerView>(1_000),
    kline: new Latest<KlineView>(1_000),
    trades: new Throttle(10),
  };

  klineOf(period: string): NumberedStream<KlinePush> {
    let stream = this.klines.get(period);
    if (!stream) this.klines.set(period, (stream = new NumberedStream<KlinePush>(60_000, 300)));
    return stream;
  }
}

/**
 * Turns views into the numbered public messages of api §4. Messages of a subscription are made once and shared by all
 * its subscribers; the default broadcast has streams of its own, throttled [SOCKET-001].
 */
@Injectable()
export class PublicStreams implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly pairs = new Map<string, PairStreams>();
  private readonly allTransactions = { subscribed: new Throttle(20), broadcast: new Throttle(10) };
  private stop: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  private watchedAt = Number.NEGATIVE_INFINITY;
  private outlet: Outlet = () => undefined;
  private wanted: () => boolean = () => false;

  constructor(
    private readonly views: Views,
    private readonly reference: Reference,
    private readonly clock: Clock,
  ) {}

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

  /** `anyone` tells whether a socket is connected at all: nothing is computed for nobody. */
  connect(outlet: Outlet, anyone: () => boolean): void {
    this.outlet = outlet;
    this.wanted = anyone;
  }

  pair(symbol: string): PairRow | undefined {
    return this.reference.all<PairRow>('pair').find((pair) => pair.symbol === symbol);
  }

  /** State of a subscription now, or the messages after `from` when they are still there. */
  start(wanted: Wanted, from?: number): Start {
    const now = this.clock.real();
    const stream = this.streamOf(wanted);
    const seq = stream?.seq ?? 0;
    if (from !== undefined && from > 0 && stream) {
      const missed = stream.since(from, now) as readonly PublicPush[] | null;
      if (missed) return { seq, snapshot: null, missed };
    }
    return { seq, snapshot: this.snapshot(wanted), missed: [] };
  }

  /** The state of everything, for a socket of the default broadcast that has just come. */
  welcome(): readonly { readonly event: string; readonly payload: PublicPush }[] {
    return [...this.pairs].flatMap(([symbol, streams]) => {
      const pair = this.pair(symbol);
      if (!pair) return [];
      const messages: { event: string; payload: PublicPush }[] = [];
      if (streams.ticker)
        messages.push({
          event: 'daymarket',
          payload: this.tickerPush(pair, streams.ticker, streams.defaults.ticker.seq || streams.ticker.seq, 0),
        });
      if (streams.depth)
        messages.push({
          event: 'market_depth',
          payload: this.fullPush(pair, streams, streams.depth, streams.defaults.depth.seq || streams.depth.seq, 0),
        });
      return messages;
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
  }: Wanted): Pick<NumberedStream<PublicPush>, 'seq' | 'since' | 'newest'> | undefined {
    if (symbol === '') return undefined;
    const streams = this.streams(symbol);
    switch (channel) {
      case 'depth':
        this.diff(symbol, streams);
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

  private snapshot({ channel, symbol, interval }: Wanted): PublicPush | readonly PublicPush[] | null {
    const symbols = symbol === '' ? [...this.pairs.keys()] : [symbol];
    const all = symbols.flatMap((name): readonly PublicPush[] => {
      const pair = this.pair(name);
      const streams = this.streams(name);
      if (!pair) return [];
      switch (channel) {
        case 'depth':
          return streams.sent
            ? [
                this.depthPush(
                  pair,
                  streams,
                  'snapshot',
                  flat(streams.sent.window.bids),
                  flat(streams.sent.window.asks),
                  streams.diffs.seq,
                  0,
                ),
              ]
            : [];
        case 'trades':
          return streams.trades.newest(20);
        case 'transaction':
          return streams.transactions.newest(20);
        case 'daymarket':
          return streams.ticker
            ? [this.tickerPush(pair, streams.ticker, streams.tickers.seq || streams.ticker.seq, 0)]
            : [];
        case 'kline': {
          const bar = streams.bars.get(interval);
          return bar ? [this.klinePush(pair, bar, streams.klineOf(interval).seq || bar.seq, 0)] : [];
        }
      }
    });
    const isList = channel === 'trades' || channel === 'transaction' || symbol === '';
    return isList ? all : (all[0] ?? null);
  }

  private onDepth(view: DepthView): void {
    const streams = this.streams(view.symbol);
    if (streams.depth && view.seq < streams.depth.seq) {
      // the book starts over at a lower number: a new install behind the same gateway
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
        streams.tickers.next(view.seq, this.clock.real(), (seq, prev) => this.tickerPush(pair, view, seq, prev)),
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
          .next(view.seq, this.clock.real(), (seq, prev) => this.klinePush(pair, view, seq, prev)),
      );
  }

  private onTrades(view: TradesView): void {
    const pair = this.pair(view.symbol);
    if (!pair) return;
    const streams = this.streams(view.symbol);
    const now = this.clock.real();
    for (const trade of view.trades) {
      if (trade.seq <= streams.trades.seq) continue; // came again
      this.outlet(
        [`trades:${view.symbol}`],
        'match_trade',
        streams.trades.next(trade.seq, now, (seq, prev) => this.tradePush(pair, trade, seq, prev)),
      );
      if (streams.turns.trades.admit(now))
        this.outlet(
          [DEFAULT_ROOM],
          'match_trade',
          streams.defaults.trade.next(trade.seq, now, (seq, prev) => this.tradePush(pair, trade, seq, prev)),
        );
      if (this.allTransactions.subscribed.admit(now)) {
        this.outlet(
          ['transaction', `transaction:${view.symbol}`],
          'transaction',
          streams.transactions.next(trade.seq, now, (seq, prev) => this.transactionPush(pair, trade, seq, prev)),
        );
      }
      if (this.allTransactions.broadcast.admit(now))
        this.outlet(
          [DEFAULT_ROOM],
          'transaction',
          streams.defaults.transaction.next(trade.seq, now, (seq, prev) =>
            this.transactionPush(pair, trade, seq, prev),
          ),
        );
    }
  }

  private tick(): void {
    if (!this.wanted()) return;
    const now = performance.now();
    if (now - this.watchedAt >= WATCHED_MS) {
      this.watchedAt = now;
      this.views.publish('watched', { at: this.clock.real() } satisfies WatchedView);
    }
    for (const [symbol, streams] of this.pairs) {
      const pair = this.pair(symbol);
      if (!pair) continue;
      this.diff(symbol, streams);
      const at = this.clock.real();
      const depth = streams.turns.depth.take(now);
      if (depth && depth.seq > streams.defaults.depth.seq)
        this.outlet(
          [DEFAULT_DEPTH_ROOM],
          'market_depth',
          streams.defaults.depth.next(depth.seq, at, (seq, prev) => this.fullPush(pair, streams, depth, seq, prev)),
        );
      const ticker = streams.turns.ticker.take(now);
      if (ticker)
        this.outlet(
          [DEFAULT_ROOM],
          'daymarket',
          streams.defaults.ticker.next(ticker.seq, at, (seq, prev) => this.tickerPush(pair, ticker, seq, prev)),
        );
      const bar = streams.turns.kline.take(now);
      if (bar)
        this.outlet(
          [DEFAULT_ROOM],
          'kline',
          streams.defaults.kline.next(bar.seq, at, (seq, prev) => this.klinePush(pair, bar, seq, prev)),
        );
    }
  }

  /** Brings the shared depth stream of a pair up to its newest view. */
  private diff(symbol: string, streams: PairStreams): void {
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
        this.depthPush(pair, streams, 'snapshot', flat(window.bids), flat(window.asks), depth.seq, 0),
      );
      return;
    }
    if (depth.seq <= sent.viewSeq) return;
    const { b, a } = difference(sent.window, window);
    streams.sent = { window, lastPrice: depth.lastPrice, viewSeq: depth.seq };
    // Also when only deeper levels have changed: the number stays the one REST gives.
    this.outlet(
      [`depth:${symbol}`],
      'market_depth',
      streams.diffs.next(depth.seq, this.clock.real(), (seq, prev) =>
        this.depthPush(pair, streams, 'diff', b, a, seq, prev),
      ),
    );
  }

  private head(pair: PairRow): { symbol: string; legal_id: number; currency_id: number } {
    return { symbol: pair.symbol, legal_id: pair.legalId, currency_id: pair.currencyId };
  }

  private depthHead(
    pair: PairRow,
    streams: PairStreams,
    lastPrice: string,
  ): { last_price: string; proportion: string; yesterday: string; today: string } {
    // A book that has never traded has no last price: then it is the pair's, as everywhere else.
    const last = scaled(/[1-9]/.test(lastPrice) ? lastPrice : (streams.ticker?.nowPrice ?? lastPrice), pair.priceScale);
    return {
      last_price: last,
      proportion: streams.ticker?.change ?? '0.00',
      yesterday: streams.ticker?.yesterday ?? last,
      today: streams.ticker?.today ?? last,
    };
  }

  private depthPush(
    pair: PairRow,
    streams: PairStreams,
    kind: 'snapshot' | 'diff',
    b: string[],
    a: string[],
    seq: number,
    prev: number,
  ): FlatDepthPush {
    const sent = streams.sent!;
    return {
      ...this.head(pair),
      kind,
      ...this.depthHead(pair, streams, sent.lastPrice),
      b,
      a,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
      checksum: bookChecksum(sent.window.bids, sent.window.asks),
    };
  }

  private fullPush(pair: PairRow, streams: PairStreams, view: DepthView, seq: number, prev: number): FullDepthPush {
    const window = windowOf(view.bids, view.asks);
    const level = ([price, number]: readonly [string, string]): { price: string; number: string } => ({
      price,
      number,
    });
    return {
      ...this.head(pair),
      kind: 'full',
      ...this.depthHead(pair, streams, view.lastPrice),
      bids: window.bids.map(level),
      asks: window.asks.map(level),
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
      checksum: bookChecksum(window.bids, window.asks),
    };
  }

  private tickerPush(pair: PairRow, view: TickerView, seq: number, prev: number): DayMarketPush {
    return {
      ...this.head(pair),
      legal_name: pair.legalName,
      currency_name: pair.currencyName,
      change: view.change,
      now_price: view.nowPrice,
      volume: view.volume,
      high: view.high,
      low: view.low,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }

  private klinePush(pair: PairRow, view: KlineView, seq: number, prev: number): KlinePush {
    const { period, time, open, high, low, close, volume } = view;
    return {
      ...this.head(pair),
      // The candles come from market data in the periods of the contract alone.
      period: period as KlinePush['period'],
      time,
      open,
      high,
      low,
      close,
      volume,
      final: view.final ? 1 : 0,
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }

  private tradePush(pair: PairRow, trade: TradesView['trades'][number], seq: number, prev: number): MatchTradePush {
    return {
      ...this.head(pair),
      id: `${pair.symbol}-${trade.seq}`,
      price: scaled(trade.price, pair.priceScale),
      amount: scaled(trade.quantity, pair.numberScale),
      ts: trade.at,
      direction: trade.takerSide,
      house: trade.house ? 1 : 0,
      seq,
      prev_seq: prev,
    };
  }

  private transactionPush(
    pair: PairRow,
    trade: TradesView['trades'][number],
    seq: number,
    prev: number,
  ): TransactionPush {
    return {
      ...this.head(pair),
      legal_name: pair.legalName,
      currency_name: pair.currencyName,
      id: `${pair.symbol}-${trade.seq}`,
      price: scaled(trade.price, pair.priceScale),
      number: scaled(trade.quantity, pair.numberScale),
      total: total(trade.price, trade.quantity, pair),
      direction: trade.takerSide,
      type: trade.takerSide === 'buy' ? 'in' : 'out',
      create_time: timeText(trade.at),
      ts: this.clock.now(),
      seq,
      prev_seq: prev,
    };
  }
}

/** Periods a kline may be asked for, with the short names of the contract (api §2.4). */
export function periodOf(text: string): string | undefined {
  if ((PERIODS as readonly string[]).includes(text)) return text;
  // A name of the prototype is no period [HARD-304].
  return Object.hasOwn(SHORT_PERIODS, text) ? SHORT_PERIODS[text] : undefined;
}
const SHORT_PERIODS: Readonly<Record<string, string>> = {
  1: '1min',
  5: '5min',
  15: '15min',
  30: '30min',
  60: '60min',
  '1D': '1day',
  D: '1day',
  '1W': '1week',
  W: '1week',
  '1M': '1mon',
  M: '1mon',
};

/** Scale in which totals are shown. */
const TOTAL_SCALE = 8;
const scaled = (text: string, scale: number): string =>
  text === '' ? formatUnits(0n, scale) : formatUnits(toUnits(text, scale), scale);
/** Price × quantity, rounded down as the fill was. */
function total(price: string, quantity: string, { priceScale, numberScale }: PairRow): string {
  const product = toUnits(price, priceScale) * toUnits(quantity, numberScale);
  const over = priceScale + numberScale - TOTAL_SCALE;
  return formatUnits(over > 0 ? product / 10n ** BigInt(over) : product * 10n ** BigInt(-over), TOTAL_SCALE);
}
