import type { CurrencyRow, PairRow } from '@bourse/contract';
import type { SpotTrades } from '@bourse/events';
import type { AuditFlow, TradedSums } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Span } from '@bourse/platform';
import type { Candle, Changed, Series } from '../domain/candle.js';
import type { Side } from '../domain/ladder.js';
import type { Period } from '../domain/period.js';
import type { PastMarket } from '../domain/simulated-history.js';

/** A fill as the lists show it; price and quantity in units of `SCALE`. */
export interface TradeRow {
  readonly sequence: number;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly takerSide: Side;
  readonly at: number;
  /** Both sides are accounts of the house (api §6.19). */
  readonly house: boolean;
  /** Whether it makes prices, candles and volume. Trades of the house with itself do on a demo install alone. */
  readonly counted: boolean;
}
export type FilledTrade = SpotTrades['trades'][number];

/** Position in time of the first price of a source (rules §17): recorded time `recordedNow` was now at `anchor`. */
export interface Anchor {
  readonly anchor: number;
  readonly recordedNow: number;
}

/** Candles of one period that open in [from, to], ms. */
export interface CandleSpan {
  readonly period: Period;
  readonly from: number;
  readonly to: number;
}
/**
 * The storage of market-data: catalog, own trades and candles, the history before the first start, anchors of the feed.
 */
export abstract class MarketStore {
  /** Adds the rows that a fresh install lacks, emits every row as reference data, and returns the stored catalog. */
  abstract publishCatalog(
    currencies: readonly CurrencyRow[],
    pairs: readonly PairRow[],
  ): Promise<{ currencies: CurrencyRow[]; pairs: PairRow[] }>;
  /** The anchor of a source, set once at its first use. */
  abstract anchor(source: string, seed: Anchor): Promise<Anchor>;
  /** True until the first start has settled the history before it. */
  abstract historyMissing(): Promise<boolean>;
  /**
   * Stores the history before the first start: done bars per period, and the bars that the first start interrupts. All
   * or nothing.
   */
  abstract storeHistory(
    pairs: readonly {
      readonly pairId: number;
      /** Candles that open before this are simulated, ms; null: none is. */
      readonly simulatedBefore: number | null;
      readonly done: ReadonlyMap<Period, readonly Candle[]>;
      readonly open: ReadonlyMap<Period, Candle>;
    }[],
  ): Promise<void>;
  /** Before this moment the candles of a pair are history, whose volume was not traded here, ms; null: none is. */
  abstract recordedBefore(pairId: number): Promise<number | null>;
  /** Before this moment the stored candles of a pair are simulated, ms; null: none is. */
  abstract simulatedBefore(pairId: number): Promise<number | null>;
  /** Candles that open in [from, to], history and own, rising. */
  abstract candles(pairId: number, period: Period, from: number, to: number, tx?: Tx): Promise<Candle[]>;
  /** Candles of several periods, each in its own span, read at once: history and own, rising, by period. */
  abstract candlesOf(
    pairId: number,
    spans: readonly CandleSpan[],
    tx: Tx,
  ): Promise<ReadonlyMap<Period, readonly Candle[]>>;
  /** Closes of the newest minutes that open before each of the times, read at once; null when there is none. */
  abstract closesBefore(pairId: number, times: readonly number[], tx: Tx): Promise<readonly (bigint | null)[]>;
  /** Close of the newest candle that opens before `time`; null when there is none. */
  abstract closeBefore(pairId: number, period: Period, time: number, tx?: Tx): Promise<bigint | null>;
  /** Own candles of minutes from `from` on. */
  abstract ownMinutes(pairId: number, from: number, tx?: Tx): Promise<Candle[]>;
  abstract historyMinutes(pairId: number, from: number): Promise<readonly Candle[]>;
  /** Bars in progress and the last trade of a pair, as committed. */
  abstract series(pairId: number, tx?: Tx): Promise<Series>;
  /** Number of a pair's last trade before a time, ms; 0 without one. */
  abstract sequenceBefore(pairId: number, at: number, tx?: Tx): Promise<number>;
  /**
   * Takes the trades of a pair that were read before their turn, with how long the first of them has waited, ms. Until
   * the commit no other transaction adds to the pair: its trades may come from two partitions at a time.
   */
  abstract takeAhead(
    tx: Tx,
    pairId: number,
  ): Promise<{ readonly trades: readonly FilledTrade[]; readonly waitedMs: number }>;
  /** Keeps trades whose turn has not come; `waitedMs` as `takeAhead` returned it. */
  abstract keepAhead(tx: Tx, pairId: number, trades: readonly FilledTrade[], waitedMs: number): Promise<void>;
  abstract addTrades(tx: Tx, pairId: number, trades: readonly TradeRow[], changed: Changed): Promise<void>;
  /**
   * Newest first, unless `span` says otherwise; those of one time by their number. `before` is a trade's number.
   */
  abstract trades(pairId: number, before: number | null, limit: number, span?: Span, tx?: Tx): Promise<TradeRow[]>;
  /** One consistent read, with how far this service has written and read. */
  abstract inSnapshot<T>(look: (tx: Tx, flow: AuditFlow) => Promise<T>): Promise<T>;
  /** Oldest first. */
  abstract tradesAfter(tx: Tx, pairId: number, sequence: number, limit: number): Promise<TradeRow[]>;
  /** Opening time of the first minute with an own trade; null before one. */
  abstract firstOwnMinute(tx: Tx, pairId: number): Promise<number | null>;
  /**
   * Of each block of a thousand numbers: how many trades, and sums of prices and quantities, plain and weighted by
   * place, in units of 1e-18.
   */
  abstract tradeSums(pairId: number, from: number, to: number): Promise<readonly TradedSums[]>;
}

/** Older index prices, and sources of them, are stale (rules §2, §17). */
export const STALE_MS = 5_000;

export interface FeedPrice {
  readonly price: bigint;
  readonly at: number;
  readonly kind: 'recorded' | 'simulated' | 'live';
  /** How many fresh sources it is made of; absent: one. */
  readonly fresh?: number;
}
/** So many sources must be fresh before a live price decides anything in production (rules §17). */
export const DECIDING_SOURCES = 3;
/**
 * Whether a price may be recorded, and so open, close, liquidate or judge. A price of fewer sources is shown, and the
 * pair is stale for leverage and seconds contracts.
 */
export const decides = ({ kind, fresh }: Pick<FeedPrice, 'kind' | 'fresh'>, { dev }: { readonly dev: boolean }) =>
  dev || kind !== 'live' || (fresh ?? 1) >= DECIDING_SOURCES;

/** The sources of a pair's price, and the fresh ones that are left out as too far from the others. */
export interface FeedSources {
  readonly count: number;
  readonly outliers: readonly string[];
}
/** Index prices. `price` is in units of the pair's price scale, `at` the business time at which it was given. */
export abstract class PriceFeed {
  /** The kind of its prices, unless a pair's own price names another. */
  abstract readonly kind: FeedPrice['kind'];
  /** Loads its data; `changed` requests a tick at once. */
  abstract start(pairs: readonly PairRow[], changed: () => void): Promise<void>;
  /** Prices known at a moment; a pair without a price is absent. */
  abstract prices(now: number): ReadonlyMap<string, FeedPrice>;
  abstract sourcesOf(symbol: string): FeedSources;
  /**
   * The price of a pair over the 24 hours before `now` at the source's own market, weighted by its volume; where the
   * source has no volume, the mean over time of its own prices. In units of the pair's price scale; null when nothing
   * is known.
   */
  abstract mean(symbol: string, now: number): bigint | null;
  /** The market before the first start, per symbol; absent where nothing is known. */
  abstract past(): ReadonlyMap<string, () => PastMarket>;
  abstract stop(): Promise<void>;
}

/** An order of a house account as the book answered it. */
export interface HouseOrder {
  readonly id: string;
  readonly symbol: string;
  readonly side: Side;
  readonly price: string;
  readonly done: boolean;
  readonly reason: string;
}
export type Placed = { readonly ok: true; readonly order: HouseOrder } | { readonly ok: false; readonly key: string };
