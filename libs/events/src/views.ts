/**
 * Views pass over `Views` channels, without outbox rows: a reader that misses one reads the kept value or asks. Prices
 * and quantities are decimal texts without trailing zeros.
 */

/**
 * `depth/<symbol>`: the best 100 levels a side after a commit, at most 20 a second and at least one a second. `seq` is
 * the book's sequence. Kept (`Views.put`).
 */
export interface DepthView {
  readonly symbol: string;
  readonly pairId: number;
  readonly seq: number;
  readonly at: number;
  readonly bids: readonly (readonly [string, string])[];
  readonly asks: readonly (readonly [string, string])[];
  readonly lastPrice: string;
  readonly mode: MarketMode;
  /** Partition of `spot.commands` that runs the book: the shortest way for a command. */
  readonly partition?: number;
}
export type MarketMode = 'normal' | 'cancel_only' | 'halted';

/** `trades/<symbol>`: every fill, right after its commit, in order. */
export interface TradesView {
  readonly symbol: string;
  readonly pairId: number;
  readonly trades: readonly {
    readonly seq: number;
    readonly price: string;
    readonly quantity: string;
    readonly takerSide: 'buy' | 'sell';
    readonly at: number;
    /** Both sides are accounts of the house. */
    readonly house: boolean;
  }[];
}

/** `house`: whether the house quotes on this exchange, which is published (api §6.19). Kept. */
export interface HouseView {
  readonly maker: boolean;
}

/**
 * `watched`: a client is connected to a gateway's sockets, repeated every few seconds while it is so; `at` is real
 * time. The house accounts of a demo install trade more while a client is connected.
 */
export interface WatchedView {
  readonly at: number;
}

/** `ticker/<symbol>`: at most 4 a second. Percent and prices as the contract shows them. Kept. */
export interface TickerView {
  readonly symbol: string;
  readonly pairId: number;
  readonly seq: number;
  readonly nowPrice: string;
  readonly change: string;
  readonly volume: string;
  readonly high: string;
  readonly low: string;
  readonly yesterday: string;
  readonly today: string;
  /** Turnover of 24 hours, in USDT with two decimals, rounded down; null while its price in USDT is unknown. */
  readonly turnover: string | null;
  /** Trades since midnight (UTC). */
  readonly tradesToday: number;
  readonly at: number;
}

/** `kline/<symbol>`: the bar in progress (or just finished) of one period, at most 4 a second and period. */
export interface KlineView {
  readonly symbol: string;
  readonly pairId: number;
  readonly period: string;
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly final: boolean;
  readonly seq: number;
  readonly at: number;
}

/** `feed`: the index price of each pair with the business time of its last tick. Kept; stale after 5 s (rules §2). */
export interface FeedView {
  readonly at: number;
  readonly kind: 'recorded' | 'simulated' | 'live';
  readonly prices: Readonly<Record<string, { readonly price: string; readonly at: number }>>;
  /** Of every pair; absent as long as market-data runs a version that does not send it. */
  readonly sources?: Readonly<Record<string, FeedSource>>;
}
/** The sources of a pair, and how many of them make its price now; `at` is null where none ever answered. */
export interface FeedSource {
  readonly sources: number;
  readonly fresh: number;
  readonly at: number | null;
}

/**
 * `prices`: the values of currencies, by their id. Kept. `usdt` is for showing converted values: the index price.
 * `valuation` is for limits in US dollars and for nothing else (api §6.18): the larger of the feed's index and of the
 * 24 h volume-weighted mean of the feed's own market, never from a trade on this exchange; `at` is the business time of
 * that index, older than 5 s is stale.
 */
export interface PricesView {
  readonly at: number;
  readonly usdt: Readonly<Record<string, string>>;
  readonly valuation: Readonly<Record<string, { readonly usd: string; readonly at: number }>>;
  readonly cnyPerUsdt: string;
}
