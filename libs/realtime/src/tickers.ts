import type { DayMarketPush, QuotationItem } from '@bourse/contract';

/** The fields of a quotation that change. */
export interface Ticker {
  readonly symbol: string;
  readonly price: string;
  readonly change: string;
  readonly volume: string;
  readonly high: string;
  readonly low: string;
  readonly ts: number;
  readonly seq: number;
}

/** Newest ticker of each pair. Older ones, as a fallback poll may bring, never overwrite newer ones. */
export class Tickers {
  private readonly bySymbol = new Map<string, Ticker>();

  get(symbol: string): Ticker | undefined {
    return this.bySymbol.get(symbol);
  }

  symbols(): string[] {
    return [...this.bySymbol.keys()];
  }

  /** @returns whether it replaced the one held */
  apply(push: DayMarketPush): boolean {
    const known = this.bySymbol.get(push.symbol);
    if (known && push.ts < known.ts) return false;
    this.bySymbol.set(push.symbol, {
      symbol: push.symbol,
      price: push.now_price,
      change: push.change,
      volume: push.volume,
      high: push.high,
      low: push.low,
      ts: push.ts,
      seq: push.seq,
    });
    return true;
  }

  /** First values from REST; live values are kept. */
  seed(item: QuotationItem): void {
    const known = this.bySymbol.get(item.symbol);
    if (known && known.ts > 0) return;
    this.bySymbol.set(item.symbol, {
      symbol: item.symbol,
      price: item.now_price,
      change: item.change,
      volume: item.volume,
      high: item.high,
      low: item.low,
      ts: 0,
      seq: 0,
    });
  }
}
