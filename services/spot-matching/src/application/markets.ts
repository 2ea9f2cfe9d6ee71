import { Injectable } from '@nestjs/common';
import { HOUSE_ACCOUNTS, type CurrencyRow, type PairRow } from '@bourse/contract';
import type { DepthView, FeedView, MarketMode } from '@bourse/events';
import { Reference, Views } from '@bourse/messaging';
import { parseAmount, toUnits } from '@bourse/money';
import { Clock, Config } from '@bourse/platform';
import { BUY, MAX_TICK, type Side, type DepthLevel, type Market } from '@bourse/matching';
import { best } from './depth-publisher.js';
import { LocalBooks } from './local-books.js';
import { marketOf } from './market-of.js';

/** A market with the catalog's facts beyond its arithmetic. */
export interface ListedMarket extends Market {
  /** Its first partition; it may have been moved since (`Markets.partitionOf`). */
  readonly partition: number;
  readonly openSpot: boolean;
}
/** The published book of a market in ticks and lots, best first. */
export interface Depth {
  readonly at: number;
  readonly lastPrice: number;
  readonly mode: MarketMode;
  levels(side: Side): readonly DepthLevel[];
}

/** A mark in ticks, and the business time of its tick. */
export interface Mark {
  readonly ticks: number;
  readonly at: number;
}

/** Markets of the catalog, and their published state: depth from the books, prices from the feed. */
@Injectable()
export class Markets {
  private readonly built = new Map<string, ListedMarket>();
  private readonly depths = new Map<string, DepthView>();
  private readonly read = new WeakMap<DepthView['bids'], readonly DepthLevel[]>();
  private feed: FeedView | null = null;
  private readonly feedListeners: (() => void)[] = [];

  constructor(
    private readonly reference: Reference,
    private readonly books: LocalBooks,
    views: Views,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {
    reference.onChange((kind) => {
      if (kind === 'pair' || kind === 'currency') this.built.clear();
    });
    views.subscribe('depth/', (view: DepthView) => {
      this.depths.set(view.symbol, view);
    });
    views.subscribe('feed', (view: FeedView) => {
      this.feed = view;
      for (const listener of this.feedListeners) listener();
    });
  }

  /**
   * Accounts whose orders never trade with one another: the house's, except on a demo install, which depends on such
   * trades (api §6.19).
   */
  get oneOwner(): ReadonlySet<number> {
    return this.config.dev ? NOBODY : HOUSE_ACCOUNTS;
  }
  /** Resolves when the catalog is loaded. */
  ready(): Promise<void> {
    return this.reference.ready();
  }
  all(): readonly ListedMarket[] {
    return this.reference.all<PairRow>('pair').map((pair) => this.market(pair));
  }
  bySymbol(symbol: string): ListedMarket | undefined {
    const pair = this.reference.all<PairRow>('pair').find((row) => row.symbol === symbol);
    return pair && this.market(pair);
  }
  byPair(pairId: number): ListedMarket | undefined {
    const pair = this.reference.get<PairRow>('pair', String(pairId));
    return pair && this.market(pair);
  }
  byCurrencies(quoteId: number, baseId: number): ListedMarket | undefined {
    const pair = this.reference
      .all<PairRow>('pair')
      .find((row) => row.legalId === quoteId && row.currencyId === baseId);
    return pair && this.market(pair);
  }

  /**
   * The partition of `spot.commands` that runs a market, as its book was last published. If the market has moved
   * meanwhile, the command is passed on from there.
   */
  partitionOf({ symbol, partition }: ListedMarket): number {
    return this.books.partitionOf(symbol) ?? this.depths.get(symbol)?.partition ?? partition;
  }

  /** The last known book; null when none came within 5 s of real time: the market is not answering. */
  depth(market: Market): Depth | null {
    const view = this.depthView(market.symbol, DEPTH_LEVELS);
    if (!view || this.clock.real() - view.at > DEPTH_AGE_MS_MAX) return null;
    const { at, mode } = view;
    // Lazy: only market orders read levels, and many read the same view.
    return {
      at,
      mode,
      lastPrice: Number(toUnits(view.lastPrice, market.priceScale)),
      levels: (side) => this.levelsOf(market, side === BUY ? view.bids : view.asks),
    };
  }

  private levelsOf(market: Market, side: DepthView['bids']): readonly DepthLevel[] {
    let levels = this.read.get(side);
    if (!levels)
      this.read.set(
        side,
        (levels = side.map(
          ([price, quantity]) =>
            [Number(toUnits(price, market.priceScale)), Number(toUnits(quantity, market.numberScale))] as const,
        )),
      );
    return levels;
  }
  /** The committed book if this process owns it, else as its owner published it, however old. */
  depthView(symbol: string, levels: number): DepthView | undefined {
    const own = this.books.depth(symbol, levels);
    if (own) return own;
    const view = this.depths.get(symbol);
    return view && best(view, levels);
  }

  /** Whether the price feed of a market is at most 5 s old (business time). */
  feedIsFresh(market: Market): boolean {
    const price = this.feed?.prices[market.symbol];
    return price !== undefined && this.clock.now() - price.at <= FEED_AGE_MS_MAX;
  }

  /** USDT of one unit of a market's quote, by the feed: null while it is not known, 0 where no pair tells it. */
  usdtPrice({ quoteName }: Pick<Market, 'quoteName'>): string | null {
    if (quoteName === 'USDT') return '1';
    const symbol = `${quoteName}/USDT`;
    return this.bySymbol(symbol) ? (this.feed?.prices[symbol]?.price ?? null) : '0';
  }

  /** The mark of a market: the feed's index price; null while the feed is not fresh, or does not have it. */
  mark(market: Market): Mark | null {
    const price = this.feed?.prices[market.symbol];
    if (price === undefined || !this.feedIsFresh(market)) return null;
    const parsed = parseAmount(price.price, market.priceScale);
    if (!parsed.ok || parsed.units === 0n || parsed.units > BigInt(MAX_TICK)) return null;
    return { ticks: Number(parsed.units), at: price.at };
  }
  /** Calls a function after each tick of the feed. */
  onFeed(listener: () => void): void {
    this.feedListeners.push(listener);
  }

  private market(pair: PairRow): ListedMarket {
    const known = this.built.get(pair.symbol);
    if (known) return known;
    const scaleOf = (id: number): number => {
      const currency = this.reference.get<CurrencyRow>('currency', String(id));
      if (!currency) throw new Error(`currency ${id} of pair ${pair.symbol} is not in the catalog`);
      return currency.scale;
    };
    const market: ListedMarket = {
      ...marketOf(pair, scaleOf, this.oneOwner),
      partition: pair.partition % this.config.spotPartitions,
      openSpot: pair.openSpot,
    };
    this.built.set(pair.symbol, market);
    return market;
  }
}

const NOBODY: ReadonlySet<number> = new Set();
const DEPTH_LEVELS = 100;
const DEPTH_AGE_MS_MAX = 5_000;
const FEED_AGE_MS_MAX = 5_000;
