import { Injectable, Logger } from '@nestjs/common';
import { PEGGED_CURRENCIES, type PairRow } from '@bourse/contract';
import type { FeedSource, FeedView, PricesView } from '@bourse/events';
import { formatTrimmed, formatUnits, maxOf } from '@bourse/money';
import { Views } from '@bourse/messaging';
import { Clock } from '@bourse/platform';
import { Catalog } from './catalog.js';
import { USD_RATE_SCALE } from '@bourse/settings';
import { PriceFeed, STALE_MS, type FeedPrice } from './ports.js';

/** The fields of `feed` beyond its contract: the kind of each price. */
interface PricesOfFeed extends FeedView {
  readonly prices: Readonly<
    Record<string, { readonly price: string; readonly at: number; readonly kind: FeedPrice['kind'] }>
  >;
}

/** How the price of a pair is. `at` is null where no source has ever answered. */
export interface FeedHealth {
  readonly sources: number;
  readonly fresh: number;
  readonly at: number | null;
  readonly outliers: readonly string[];
}

/**
 * Publishes the index price of each pair once a second of the business clock, and the USDT price of each currency
 * beside it.
 */
@Injectable()
export class Feed {
  private readonly logger = new Logger('Feed');
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private latest: ReadonlyMap<string, FeedPrice> = new Map();
  private readonly listeners: ((now: number) => void)[] = [];
  /** Last price of a pair by own trades, set by the quotations. */
  lastPrice: (pair: PairRow) => string | null = () => null;

  constructor(
    private readonly feed: PriceFeed,
    private readonly catalog: Catalog,
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  async start(): Promise<void> {
    await this.feed.start(this.catalog.pairs, () => this.tick(this.second()));
    this.latest = this.feed.prices(this.second());
  }

  /** From here on ticks are published. */
  run(): void {
    this.tick(this.second());
    this.next();
  }

  /** Reads the USDT values from the feed itself, not from what was last published. */
  pricesNow(): PricesView {
    this.latest = this.feed.prices(this.second());
    return this.pricesView(this.clock.now());
  }

  onTick(listener: (now: number) => void): void {
    this.listeners.push(listener);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.feed.stop();
  }

  /** Whether prices come from real exchanges. */
  get isLive(): boolean {
    return this.feed.kind === 'live';
  }

  /** Index price of a pair with the business time of its tick; undefined before the first. */
  price(symbol: string): FeedPrice | undefined {
    return this.latest.get(symbol);
  }

  /** The kind of the prices of a pair: recorded, simulated or live. */
  kind(symbol: string): FeedPrice['kind'] {
    return this.latest.get(symbol)?.kind ?? this.feed.kind;
  }

  /** The index price when it is at most 5 s old. */
  fresh(symbol: string): FeedPrice | undefined {
    const price = this.latest.get(symbol);
    return price && this.clock.now() - price.at <= STALE_MS ? price : undefined;
  }

  /** The sources of a pair: how many there are, how many make its price now, and when it was given last. */
  health(symbol: string): FeedHealth {
    const { count, outliers } = this.feed.sourcesOf(symbol);
    const price = this.latest.get(symbol);
    return { sources: count, fresh: this.fresh(symbol) ? (price?.fresh ?? 1) : 0, at: price?.at ?? null, outliers };
  }

  /**
   * The value of one unit of a currency in US dollars where a limit counts by it (api §6.18): the larger of the index
   * and of the feed's own 24 h mean, with the time of the index. Trades in our own book do not count: traders here make
   * those prices. USDT and currencies pegged to it are known while the feed delivers any price. Null when no price ever
   * came.
   */
  valuationPrice(currencyId: number): { readonly usd: string; readonly at: number } | null {
    const currency = this.catalog.currency(currencyId);
    if (!currency) return null;
    if (PEGGED_CURRENCIES.includes(currency.name)) {
      const at = Math.max(...[...this.latest.values()].map((price) => price.at));
      return Number.isFinite(at) ? { usd: this.inUsd(1n, 0), at } : null;
    }
    const pair = this.catalog.bySymbol(`${currency.name}/USDT`);
    const index = pair && this.latest.get(pair.symbol);
    if (!pair || !index) return null;
    const mean = this.feed.mean(pair.symbol, index.at) ?? 0n;
    return { usd: this.inUsd(maxOf(mean, index.price), pair.priceScale), at: index.at };
  }

  /** A price in USDT as US dollars, exact. */
  private inUsd(price: bigint, scale: number): string {
    return formatTrimmed(price * this.catalog.usdPerUsdt, scale + USD_RATE_SCALE);
  }

  /**
   * USDT price of a currency for display, decimal text: the index, which no trading here can move; the last price where
   * no index ever came; null when neither is known. HAP is pegged at install (rules §17).
   */
  usdtPrice(currencyId: number): string | null {
    const currency = this.catalog.currency(currencyId);
    if (!currency) return null;
    if (PEGGED_CURRENCIES.includes(currency.name)) return '1';
    const pair = this.catalog.bySymbol(`${currency.name}/USDT`);
    return pair ? (this.indexText(pair) ?? this.lastPrice(pair)) : null;
  }

  indexText(pair: PairRow): string | null {
    const price = this.latest.get(pair.symbol);
    return price ? formatUnits(price.price, pair.priceScale) : null;
  }

  private next(): void {
    if (this.stopped) return;
    // Ticks are on full seconds of the business clock; a moved clock is followed within a second.
    this.timer = setTimeout(
      () => {
        this.tick(this.second());
        this.next();
      },
      1_000 - (this.clock.now() % 1_000) + 1,
    );
  }

  private second(): number {
    return Math.floor(this.clock.now() / 1_000) * 1_000;
  }

  private tick(now: number): void {
    this.latest = this.feed.prices(now);
    const prices: Record<string, PricesOfFeed['prices'][string]> = {};
    const sources: Record<string, FeedSource> = {};
    let kind: FeedPrice['kind'] | undefined;
    for (const pair of this.catalog.pairs) {
      const { sources: count, fresh, at } = this.health(pair.symbol);
      sources[pair.symbol] = { sources: count, fresh, at };
      const price = this.latest.get(pair.symbol);
      if (!price) continue;
      prices[pair.symbol] = { price: formatUnits(price.price, pair.priceScale), at: price.at, kind: price.kind };
      // One simulated pair makes the whole of it simulated: a simulated price is never passed off as a market.
      if (kind !== 'simulated') kind = price.kind;
    }
    const view: PricesOfFeed = { at: now, kind: kind ?? this.feed.kind, prices, sources };
    this.views.publish('feed', view, true);
    this.views.publish('prices', this.pricesView(now), true);
    for (const listener of this.listeners) {
      try {
        listener(now);
      } catch (error) {
        this.logger.error(`a listener to the feed failed: ${(error as Error).stack ?? String(error)}`);
      }
    }
  }

  private pricesView(now: number): PricesView {
    const usdt: Record<string, string> = {};
    const valuation: Record<string, { readonly usd: string; readonly at: number }> = {};
    for (const { id } of this.catalog.currencies) {
      const price = this.usdtPrice(id);
      if (price !== null) usdt[String(id)] = price;
      const valued = this.valuationPrice(id);
      if (valued) valuation[String(id)] = valued;
    }
    return { at: now, usdt, valuation, cnyPerUsdt: this.catalog.cnyPerUsdt };
  }
}
