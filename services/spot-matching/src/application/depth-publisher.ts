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

interface Published { readonly engine: MarketEngine; view: DepthView | null; at: number; dirty: boolean }

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
    const published: Published = { engine, view: null, at: 0, dirty: true };
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
      published.dirty = true;
      if (now - published.at >= GAP_MS_MIN) this.publish(published);
    }
  }

  /** The committed book now, or as last published while a commit is under way. */
  view(symbol: string, levels: number): DepthView | null {
    const published = this.markets.get(symbol);
    if (!published) return null;
    if (!this.committing && published.dirty) published.view = depthView(published.engine, DEPTH_LEVELS, this.now());
    const { view } = published;
    return view && { ...view, at: this.now(), bids: view.bids.slice(0, levels), asks: view.asks.slice(0, levels) };
  }

  stop(): void { clearInterval(this.timer); }

  private sweep(): void {
    const now = this.now();
    for (const published of this.markets.values()) {
      if (published.dirty && !this.committing && now - published.at >= GAP_MS_MIN) this.publish(published);
      else if (published.view && now - published.at >= GAP_MS_MAX) {
        published.view = { ...published.view, at: now };
        published.at = now;
        this.views.publish(`depth/${published.view.symbol}`, published.view, true);
      }
    }
  }

  private publish(published: Published): void {
    published.at = this.now();
    published.dirty = false;
    published.view = depthView(published.engine, DEPTH_LEVELS, published.at);
    this.views.publish(`depth/${published.view.symbol}`, published.view, true);
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
