import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { DepthView, FeedSource, FeedView, HouseView, TickerView } from '@bourse/events';
import { Views } from '@bourse/messaging';
import { formatUnits, toUnits } from '@bourse/money';
import { Clock } from '@bourse/platform';

/** Depths kept per market: those of one second, for the comparison with the book. */
const DEPTHS_KEPT = 20;
/** Index prices older than this are stale (rules §2). */
const STALE_MS = 5_000;

/** State of the markets as a whole from the views, for `/api/status` and `/dev/audit`. */
@Injectable()
export class MarketViews implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly modeOf = new Map<string, string>();
  private readonly depths = new Map<string, DepthView[]>();
  private readonly tickers = new Map<string, TickerView>();
  private feed: FeedView | undefined;
  private house: HouseView | undefined;
  private stop: (() => void)[] = [];

  constructor(
    private readonly views: Views,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = [
      this.views.subscribe('depth/', (view: DepthView) => {
        this.keep(view);
      }),
      this.views.subscribe('ticker/', (view: TickerView) => {
        this.tickers.set(view.symbol, view);
      }),
      this.views.subscribe('feed', (view: FeedView) => {
        this.feed = view;
      }),
      this.views.subscribe('house', (view: HouseView) => {
        this.house = view;
      }),
    ];
  }
  onApplicationShutdown(): void {
    for (const stop of this.stop) stop();
  }

  private keep(view: DepthView): void {
    this.modeOf.set(view.symbol, view.mode);
    this.depths.set(
      view.symbol,
      [view, ...(this.depths.get(view.symbol) ?? []).filter(({ seq }) => seq !== view.seq)].slice(0, DEPTHS_KEPT),
    );
  }

  /** The depth of a market as published at a sequence, if that was recent. */
  depthAt(symbol: string, sequence: number): DepthView | undefined {
    return this.depths.get(symbol)?.find(({ seq }) => seq === sequence);
  }

  /** Whether the house quotes on this exchange, as market-data publishes it; false before the first message. */
  houseQuotes(): boolean {
    return this.house?.maker ?? false;
  }

  modes(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.modeOf);
  }

  /** Volume of each market in 24 hours, in its base currency. */
  volumes(): { symbol: string; volume: string; now_price: string }[] {
    return [...this.tickers.values()].map(({ symbol, volume, nowPrice }) => ({ symbol, volume, now_price: nowPrice }));
  }

  /**
   * Activity on all markets, from their tickers: USDT of 24 hours with two decimals, and trades since midnight (UTC).
   * Null while a ticker is missing.
   */
  activity(): { markets: number; volume24h: string | null; tradesToday: number | null } {
    const tickers = [...this.tickers.values()];
    const markets = this.modeOf.size;
    const turnovers = tickers.flatMap(({ turnover }) => (turnover === null ? [] : [toUnits(turnover, 2)]));
    const told = markets > 0 && tickers.length >= markets;
    return {
      markets,
      volume24h:
        told && turnovers.length === tickers.length
          ? formatUnits(
              turnovers.reduce((sum, one) => sum + one, 0n),
              2,
            )
          : null,
      tradesToday: told ? tickers.reduce((sum, { tradesToday }) => sum + tradesToday, 0) : null,
    };
  }

  /** Kind of the index prices; null before the first. */
  feedKind(): FeedView['kind'] | null {
    return this.feed?.kind ?? null;
  }

  /** Age of the newest tick by the business clock; -1 before the first. */
  feedAgeMs(): number {
    const newest = Math.max(...Object.values(this.feed?.prices ?? {}).map(({ at }) => at));
    return Number.isFinite(newest) ? Math.max(0, this.clock.now() - newest) : -1;
  }

  /** The sources of each pair's index price; `at` is null if none ever answered. */
  feeds(): Record<string, FeedSource> {
    const now = this.clock.now();
    const isOld = (at: number | null): boolean => at === null || now - at > STALE_MS;
    // A market-data of the previous release publishes no sources: each price has one.
    const told: Readonly<Record<string, Omit<FeedSource, 'fresh'> & Partial<FeedSource>>> =
      this.feed?.sources ??
      Object.fromEntries(
        Object.entries(this.feed?.prices ?? {}).map(([symbol, { at }]) => [symbol, { sources: 1, at }]),
      );
    return Object.fromEntries(
      Object.entries(told).map(([symbol, { sources, fresh = 1, at }]) => [
        symbol,
        { sources, fresh: isOld(at) ? 0 : fresh, at },
      ]),
    );
  }

  /**
   * Pairs whose own index price is stale or missing, however fresh the others are; without pairs that have no source.
   */
  stalePairs(): string[] {
    return Object.entries(this.feeds()).flatMap(([symbol, { sources, fresh }]) =>
      sources > 0 && fresh === 0 ? [symbol] : [],
    );
  }
}
