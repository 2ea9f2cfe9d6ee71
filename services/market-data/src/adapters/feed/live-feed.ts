import type { PairRow } from '@bourse/contract';
import { divide } from '@bourse/money';
import type { Clock } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { FEED_FENCE } from '../../application/feed-settings.js';
import { PriceFeed, STALE_MS, type FeedPrice, type FeedSources } from '../../application/ports.js';
import { indexOf } from '../../domain/index-price.js';
import type { PastMarket } from '../../domain/simulated-history.js';
import { TimeMean } from '../../domain/time-mean.js';
import { connectByCcxt, LiveSource, type LiveExchange } from './live-source.js';

/**
 * The index of real exchanges through ccxt: of each pair the median of those that are fresh and agree. Where none is,
 * the last index grows old and everybody sees it.
 */
export class LiveFeed extends PriceFeed {
  readonly kind = 'live';
  private readonly known = new Map<string, FeedPrice>();
  private readonly outliers = new Map<string, readonly string[]>();
  /** Our own mean over time, where the exchanges tell no volume. */
  private readonly means = new Map<string, TimeMean>();
  private pairs: readonly PairRow[] = [];
  private sources: readonly LiveSource[] = [];

  constructor(
    private readonly names: readonly string[],
    private readonly clock: Pick<Clock, 'now' | 'real'>,
    private readonly settings: Pick<Settings, 'get'>,
    private readonly connect: (names: readonly string[]) => Promise<readonly LiveExchange[]> = connectByCcxt,
  ) {
    super();
  }

  async start(pairs: readonly PairRow[]): Promise<void> {
    this.pairs = pairs;
    const exchanges = await this.connect(this.names);
    this.sources = exchanges.map((exchange, place) => new LiveSource(this.names[place]!, exchange, this.clock));
    for (const source of this.sources) source.start(pairs);
  }

  prices(now: number): ReadonlyMap<string, FeedPrice> {
    const limits = { now, maxAgeMs: STALE_MS, fence: this.settings.get(FEED_FENCE) };
    for (const { symbol } of this.pairs) {
      const quotes = this.sources.flatMap((source) => {
        const quote = source.quote(symbol);
        return quote ? [{ source: source.name, price: quote.price, at: quote.at }] : [];
      });
      const { index, outliers } = indexOf(quotes, limits);
      this.outliers.set(symbol, outliers);
      const known = this.known.get(symbol);
      if (index) {
        this.known.set(symbol, { ...index, kind: 'live' });
        if (index.at !== known?.at || index.price !== known.price) this.meanOf(symbol).note(index.at, index.price);
      } else if (known) this.known.set(symbol, { ...known, fresh: 0 });
    }
    return this.known;
  }

  sourcesOf(symbol: string): FeedSources {
    const count = this.sources.filter((source) => source.lists(symbol)).length;
    return { count, outliers: this.outliers.get(symbol) ?? [] };
  }

  /** The middle one of the exchanges' own means. */
  mean(symbol: string, now: number): bigint | null {
    const means = this.sources
      .flatMap((source) => source.quote(symbol)?.weighted ?? [])
      .toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    const low = means[Math.floor((means.length - 1) / 2)];
    const high = means[Math.floor(means.length / 2)];
    return low === undefined || high === undefined
      ? (this.means.get(symbol)?.at(now) ?? null)
      : divide(low + high, 2n, 'half_up');
  }

  past(): ReadonlyMap<string, () => PastMarket> {
    return new Map();
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.sources.map((source) => source.stop()));
  }

  private meanOf(symbol: string): TimeMean {
    let mean = this.means.get(symbol);
    if (!mean) this.means.set(symbol, (mean = new TimeMean()));
    return mean;
  }
}
