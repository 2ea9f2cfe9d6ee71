import type { DepthView } from '@bourse/events';
import type { Views } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { BUY, SELL, type Level, type Market, type MarketEngine } from '@bourse/matching';

/** Levels per side in a published depth. */
const DEPTH_LEVELS = 100;
const GAP_MS_MIN = 50;
const GAP_MS_MAX = 1_000;

interface Published {
  readonly engine: MarketEngine;
  /** The book as of the last commit that was read. */
  view: DepthView | null;
  /** The book as it will be after the commit in progress. */
  next: DepthView | null;
  /** Batches that have changed this book and are not committed. */
  ahead: number;
  publishedAt: number;
  askedAt: number;
  /** Whether the view is older than the last commit. */
  stale: boolean;
  /** Whether the last commit is unpublished. */
  dirty: boolean;
}

/**
 * Publishes the books of one partition: after a commit, at most 20 times a second, and at least once a second so that a
 * silent market can be distinguished from a dead one. Books run ahead of the database while a batch waits for its
 * commit, so a book is read only when nothing of it is uncommitted, or just before its batch is committed.
 */
export class DepthPublisher {
  private readonly markets = new Map<string, Published>();
  private readonly timer: NodeJS.Timeout;

  /** `partition` is published with each book, so that commands are sent straight to it. */
  constructor(
    private readonly views: Views,
    private readonly now: () => number,
    private readonly partition: number,
  ) {
    this.timer = setInterval(() => this.sweep(), GAP_MS_MIN).unref();
  }

  /** Adds a book of this partition, as stored. */
  add(engine: MarketEngine): void {
    const published: Published = {
      engine,
      view: null,
      next: null,
      ahead: 0,
      publishedAt: 0,
      askedAt: 0,
      stale: true,
      dirty: true,
    };
    this.markets.set(engine.market.symbol, published);
    this.publish(published);
  }

  /** Removes a book that moved to another partition, which publishes it from now on. */
  remove(symbol: string): void {
    this.markets.delete(symbol);
  }

  /** Must be called before the first command of a batch runs in this book. */
  touched(symbol: string): void {
    this.of(symbol).ahead++;
  }

  /** Must be called when a batch is complete and goes to its commit: the books are now as they will be after it. */
  handedOver(symbols: Iterable<string>): void {
    const now = this.now();
    for (const symbol of symbols) {
      const published = this.of(symbol);
      // Market orders are priced by the book: it is kept ready while it is in demand.
      published.next =
        now - published.publishedAt >= GAP_MS_MIN || now - published.askedAt < GAP_MS_MAX
          ? this.read(published.engine, now)
          : null;
    }
  }

  committed(symbols: Iterable<string>): void {
    const now = this.now();
    for (const symbol of symbols) {
      const published = this.of(symbol);
      published.ahead--;
      published.dirty = true;
      published.stale = published.next === null;
      if (!published.next) continue;
      published.view = { ...published.next, at: now };
      published.next = null;
      if (now - published.publishedAt >= GAP_MS_MIN) this.publish(published);
    }
  }

  /** The committed book now; while another commit is in progress, the book before it. */
  view(symbol: string, levels: number): DepthView | null {
    const published = this.markets.get(symbol);
    if (!published) return null;
    published.askedAt = this.now();
    if (published.ahead === 0) this.refresh(published);
    const { view } = published;
    return view && best(view, levels);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sweep(): void {
    const now = this.now();
    for (const published of this.markets.values()) {
      // A commit that does not end publishes nothing, and after 5 s its market counts as paused.
      if (published.ahead === 0 && now - published.publishedAt >= (published.dirty ? GAP_MS_MIN : GAP_MS_MAX))
        this.publish(published);
    }
  }

  private publish(published: Published): void {
    if (published.ahead === 0) this.refresh(published);
    if (!published.view) return;
    published.publishedAt = this.now();
    published.dirty = published.stale;
    this.views.publish(`depth/${published.view.symbol}`, published.view, true);
  }

  /** Reads the book; only while nothing of it is uncommitted. */
  private refresh(published: Published): void {
    const now = this.now();
    published.view =
      published.stale || !published.view ? this.read(published.engine, now) : { ...published.view, at: now };
    published.stale = false;
  }

  private read(engine: MarketEngine, at: number): DepthView {
    return { ...depthView(engine, at), partition: this.partition };
  }

  private of(symbol: string): Published {
    const published = this.markets.get(symbol);
    if (!published) throw new Error(`invariant: the depth of ${symbol} is not published here`);
    return published;
  }
}

/** The best levels of a published book; the same arrays if nothing is cut. */
export function best(view: DepthView, levels: number): DepthView {
  return view.bids.length <= levels && view.asks.length <= levels
    ? view
    : { ...view, bids: view.bids.slice(0, levels), asks: view.asks.slice(0, levels) };
}

function depthView(engine: MarketEngine, at: number): DepthView {
  const { market, state } = engine;
  const side = (list: readonly Level[]): [string, string][] =>
    list.map(([price, lots]) => [
      formatTrimmed(BigInt(price), market.priceScale),
      formatTrimmed(BigInt(lots), market.numberScale),
    ]);
  return {
    symbol: market.symbol,
    pairId: market.pairId,
    seq: state.sequence,
    at,
    bids: side(engine.depth.levels(BUY, DEPTH_LEVELS)),
    asks: side(engine.depth.levels(SELL, DEPTH_LEVELS)),
    lastPrice: price(market, state.lastPrice),
    mode: state.mode,
  };
}
const price = (market: Market, ticks: number): string => formatTrimmed(BigInt(ticks), market.priceScale);
