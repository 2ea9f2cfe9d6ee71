import type { DepthView } from '@bourse/events';
import type { Views } from '@bourse/messaging';
import { formatTrimmed } from '@bourse/money';
import { BUY, SELL, type Level } from '../domain/book.js';
import type { Market } from '../domain/market.js';
import type { MarketEngine } from '../domain/market-engine.js';

/** Levels a side in a published depth. */
export const DEPTH_LEVELS = 100;
const GAP_MS_MIN = 50;
const GAP_MS_MAX = 1_000;

/** `view` is the committed book unless `stale`; `dirty` while it has not been published. */
interface Published { readonly engine: MarketEngine; view: DepthView | null; at: number; askedAt: number; dirty: boolean; stale: boolean }

/**
 * Publishes the books of one partition: after a commit, at most 20 times a second, and at least once a second so that a silent market
 * is told from a dead one. What is published is committed: between matching and commit nothing is read from the books.
 */
export class DepthPublisher {
  private readonly markets = new Map<string, Published>();
  private committing = false;
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly views: Views, private readonly now: () => number) {
    this.timer = setInterval(() => this.sweep(), GAP_MS_MIN).unref();
  }

  add(engine: MarketEngine): void {
    const published: Published = { engine, view: null, at: 0, askedAt: 0, dirty: true, stale: true };
    this.markets.set(engine.market.symbol, published);
    if (!this.committing) this.publish(published);
  }

  /** Commands are about to run: the books are ahead of the database until `committed`. */
  begin(): void { this.committing = true; }

  committed(symbols: Iterable<string>): void {
    this.committing = false;
    const now = this.now();
    for (const symbol of symbols) {
      const published = this.markets.get(symbol);
      if (!published) continue;
      published.dirty = published.stale = true;
      if (now - published.at >= GAP_MS_MIN) this.publish(published);
      // Who places market orders judges by the book: it is kept ready while somebody asks, also during the next commit.
      else if (now - published.askedAt < GAP_MS_MAX) this.refresh(published, now);
    }
  }

  /** The committed book now, or as last published while a commit is under way. */
  view(symbol: string, levels: number): DepthView | null {
    const published = this.markets.get(symbol);
    if (!published) return null;
    const now = this.now();
    published.askedAt = now;
    if (!this.committing) this.refresh(published, now);
    const { view } = published;
    return view && { ...view, bids: view.bids.slice(0, levels), asks: view.asks.slice(0, levels) };
  }

  stop(): void { clearInterval(this.timer); }

  private sweep(): void {
    const now = this.now();
    // A commit that does not end publishes nothing, and after 5 s its markets count as paused.
    if (this.committing) return;
    for (const published of this.markets.values()) {
      if (now - published.at >= (published.dirty ? GAP_MS_MIN : GAP_MS_MAX)) this.publish(published);
    }
  }

  private publish(published: Published): void {
    published.at = this.now();
    published.dirty = false;
    this.views.publish(`depth/${published.engine.market.symbol}`, this.refresh(published, published.at), true);
  }

  private refresh(published: Published, now: number): DepthView {
    if (published.stale || !published.view) published.view = depthView(published.engine, DEPTH_LEVELS, now);
    else published.view = { ...published.view, at: now };
    published.stale = false;
    return published.view;
  }
}

function depthView(engine: MarketEngine, levels: number, at: number): DepthView {
  const { market, state } = engine;
  const side = (list: readonly Level[]): [string, string][] => list.map(([price, lots]) => [formatTrimmed(BigInt(price), market.priceScale), formatTrimmed(BigInt(lots), market.numberScale)]);
  return {
    symbol: market.symbol, pairId: market.pairId, seq: state.sequence, at, bids: side(engine.depth.levels(BUY, levels)), asks: side(engine.depth.levels(SELL, levels)),
    lastPrice: price(market, state.lastPrice), mode: state.mode,
  };
}
const price = (market: Market, ticks: number): string => formatTrimmed(BigInt(ticks), market.priceScale);
