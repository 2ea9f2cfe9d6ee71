import type { PairRow } from '@bourse/contract';
import { compareUnits, divide } from '@bourse/money';
import type { Clock } from '@bourse/platform';
import type { Settings } from '@bourse/settings';
import { FEED_FENCE } from '../../application/feed-settings.js';
import { PriceFeed, STALE_MS, type FeedPrice, type FeedSources } from '../../application/ports.js';
import { indexOf, middleOf } from '../../domain/index-price.js';
import type { PastMarket } from '../../domain/simulated-history.js';
import { TimeMean } from '../../domain/time-mean.js';
import { connectByCcxt, LiveSource, type LiveExchange } from './live-source.js';

/**
 * The index of real exchanges through ccxt: for each pair the median of the prices that are fresh and agree. Without
 * such a price the last index keeps its time, and readers see its age.
 */
export class LiveFeed extends PriceFeed {
  readonly kind = 'live';
  private readonly known = new Map<string, FeedPrice>();
  private readonly outliers = new Map<string, readonly string[]>();
  /** Our own mean over time, for pairs without a volume from any exchange. */
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

  /** The median of the exchanges' own means. */
  mean(symbol: string, now: number): bigint | null {
    const middle = middleOf(
      this.sources.flatMap((source) => source.quote(symbol)?.weighted ?? []).toSorted(compareUnits),
    );
    if (!middle) return this.means.get(symbol)?.at(now) ?? null;
    const [low, high] = middle;
    return divide(low + high, 2n, 'half_up');
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
