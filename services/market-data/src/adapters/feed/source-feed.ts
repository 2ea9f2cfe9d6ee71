import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FIRST_PRICES, type PairRow } from '@bourse/contract';
import { toUnits } from '@bourse/money';
import { ConfigError, type Clock } from '@bourse/platform';
import { PriceFeed, type FeedPrice, type FeedSources, type MarketStore } from '../../application/ports.js';
import { SCALE, wholeMinute } from '../../domain/candle.js';
import {
  ratioSource,
  recordedSource,
  simulatedSource,
  toPairScale,
  type PriceSource,
} from '../../domain/price-source.js';
import type { PastMarket } from '../../domain/simulated-history.js';
import { bundledRecording, folderRecording } from './recordings.js';

export interface SourceFeedOptions {
  /** Folder of recordings, before the bundled ones. */
  readonly folder: string | null;
  /** `auto` simulates what was not recorded, `recorded` leaves it without a price, `simulated` records nothing. */
  readonly mode: 'auto' | 'recorded' | 'simulated';
}

/**
 * Prices that are a function of time: recordings replayed from a stored anchor, so that restarts continue at the price
 * of that moment; BTC crosses of the bundled recordings derived from their two pairs; seeded simulation for the rest.
 */
export class SourceFeed extends PriceFeed {
  readonly kind: FeedPrice['kind'];
  private pairs: readonly PairRow[] = [];
  private readonly sources = new Map<string, PriceSource>();

  constructor(
    private readonly options: SourceFeedOptions,
    private readonly store: MarketStore,
    private readonly clock: Clock,
  ) {
    super();
    this.kind = options.mode === 'simulated' ? 'simulated' : 'recorded';
  }

  async start(pairs: readonly PairRow[]): Promise<void> {
    const { folder } = this.options;
    if (folder && this.options.mode !== 'simulated' && !existsSync(join(folder, 'candles')))
      throw new ConfigError([
        `MARKET_DATA_DIR has no folder "candles" with recordings (it is ${JSON.stringify(folder)})`,
      ]);
    this.pairs = pairs;
    // Pairs against USDT first: the crosses are derived from them.
    const ordered = [...pairs].sort((a, b) => Number(b.legalName === 'USDT') - Number(a.legalName === 'USDT'));
    for (const pair of ordered) {
      const source = await this.sourceOf(pair);
      if (source) this.sources.set(pair.symbol, source);
    }
  }

  prices(now: number): ReadonlyMap<string, FeedPrice> {
    const prices = new Map<string, FeedPrice>();
    for (const { symbol, priceScale } of this.pairs) {
      const source = this.sources.get(symbol);
      if (source) prices.set(symbol, { price: toPairScale(source.at(now), priceScale), at: now, kind: source.kind });
    }
    return prices;
  }

  sourcesOf(symbol: string): FeedSources {
    return { count: this.sources.has(symbol) ? 1 : 0, outliers: [] };
  }

  mean(symbol: string, now: number): bigint | null {
    const source = this.sources.get(symbol);
    const pair = this.pairs.find((one) => one.symbol === symbol);
    return source && pair ? toPairScale(source.mean(now), pair.priceScale) : null;
  }

  past(): ReadonlyMap<string, () => PastMarket> {
    return new Map([...this.sources].map(([symbol, source]) => [symbol, () => source.past()]));
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  private async sourceOf({ symbol, currencyName, legalName }: PairRow): Promise<PriceSource | null> {
    const { mode, folder } = this.options;
    const first = FIRST_PRICES[symbol] === undefined ? null : toUnits(FIRST_PRICES[symbol], SCALE);
    if (mode !== 'simulated') {
      const ofFolder = folder ? await folderRecording(folder, symbol) : null;
      if (ofFolder) {
        const { anchor, recordedNow } = await this.anchor('folder', ofFolder.recordedNow);
        return recordedSource(ofFolder.recording, recordedNow, anchor);
      }
      const bundled = await bundledRecording(symbol);
      if (bundled && first !== null) {
        const { anchor, recordedNow } = await this.anchor(`bundled:${symbol}`, bundled.recordedNow);
        return recordedSource(bundled.recording, recordedNow, anchor, first, symbol);
      }
    }
    const { anchor } = await this.anchor('simulated', 0);
    const base = this.sources.get(`${currencyName}/USDT`);
    const quote = this.sources.get(`${legalName}/USDT`);
    if (base && quote && first !== null) {
      const derived = ratioSource(base, quote, anchor, first, symbol);
      if (derived.kind === 'recorded' || mode !== 'recorded') return derived;
    }
    return mode === 'recorded' || first === null ? null : simulatedSource(symbol, anchor, first);
  }

  private anchor(source: string, recordedNow: number): Promise<{ anchor: number; recordedNow: number }> {
    return this.store.anchor(source, { anchor: wholeMinute(this.clock.now()), recordedNow });
  }
}
