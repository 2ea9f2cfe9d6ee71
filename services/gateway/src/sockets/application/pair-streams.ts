import type {
  DayMarketPush,
  FlatDepthPush,
  FullDepthPush,
  KlinePush,
  MatchTradePush,
  TransactionPush,
} from '@bourse/contract';
import type { DepthView, KlineView, TickerView } from '@bourse/events';
import type { Window } from '../domain/depth-diff.js';
import { NumberedStream } from '../domain/numbered-stream.js';
import { Latest, Throttle } from '../domain/throttle.js';

/** The public streams of one pair: the newest views, and the messages made from them. */
export class PairStreams {
  depth: DepthView | undefined;
  ticker: TickerView | undefined;
  /** The depth that subscribers currently have. */
  sent: { window: Window; lastPrice: string; viewSeq: number } | undefined;
  readonly bars = new Map<string, KlineView>();
  readonly diffs = new NumberedStream<FlatDepthPush>();
  readonly trades = new NumberedStream<MatchTradePush>();
  readonly transactions = new NumberedStream<TransactionPush>();
  readonly tickers = new NumberedStream<DayMarketPush>();
  readonly klines = new Map<string, NumberedStream<KlinePush>>();
  /** Streams of the default broadcast, which are throttled. */
  readonly defaults = {
    depth: new NumberedStream<FullDepthPush>(0, 1),
    ticker: new NumberedStream<DayMarketPush>(0, 1),
    kline: new NumberedStream<KlinePush>(0, 1),
    trade: new NumberedStream<MatchTradePush>(0, 1),
    transaction: new NumberedStream<TransactionPush>(0, 1),
  };
  /** Limits of the default broadcast. */
  readonly turns = {
    depth: new Latest<DepthView>(500),
    ticker: new Latest<TickerView>(1_000),
    kline: new Latest<KlineView>(1_000),
    trades: new Throttle(10),
  };

  /** The stream of one period, created at its first use. */
  klineOf(period: string): NumberedStream<KlinePush> {
    let stream = this.klines.get(period);
    if (!stream) this.klines.set(period, (stream = new NumberedStream<KlinePush>(60_000, 300)));
    return stream;
  }
}
