import { Logger } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import { pow10 } from '@bourse/money';
import { ConfigError, type Clock } from '@bourse/platform';
import { PriceFeed, type FeedPrice } from '../../application/ports.js';
import type { PastMarket } from '../../domain/simulated-history.js';
import { TimeMean } from '../../domain/time-mean.js';

const POLL_MS = 1_500;
const BACK_OFF_MS_MAX = 30_000;

/** A ticker as ccxt gives it; `vwap` and the volumes are those of the last 24 hours. */
interface LiveTicker {
  last?: number | undefined;
  bid?: number | undefined;
  ask?: number | undefined;
  vwap?: number | undefined;
  baseVolume?: number | undefined;
  quoteVolume?: number | undefined;
}
/** What of ccxt is used. */
export interface LiveExchange {
  loadMarkets(): Promise<unknown>;
  readonly symbols: readonly string[];
  fetchTickers(symbols: string[]): Promise<Record<string, LiveTicker>>;
}

/**
 * Prices of a real exchange through ccxt, polled. A pair that the exchange does not know has no price; when polls fail,
 * prices grow old and everybody sees it.
 */
export class LiveFeed extends PriceFeed {
  readonly kind = 'live';
  private readonly logger = new Logger('LiveFeed');
  private readonly known = new Map<string, FeedPrice>();
  /** As the exchange itself weighs them; our own mean over time where it tells no volume. */
  private readonly weighted = new Map<string, bigint>();
  private readonly means = new Map<string, TimeMean>();
  private pairs: readonly PairRow[] = [];
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private exchange: LiveExchange | undefined;

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
    private readonly connect: (name: string) => Promise<LiveExchange> = connectByCcxt,
  ) {
    super();
  }

  async start(pairs: readonly PairRow[]): Promise<void> {
    this.pairs = pairs;
    this.exchange = await this.connect(this.name);
    this.poll(0);
  }

  prices(): ReadonlyMap<string, FeedPrice> {
    return this.known;
  }
  mean(symbol: string, now: number): bigint | null {
    return this.weighted.get(symbol) ?? this.means.get(symbol)?.at(now) ?? null;
  }
  past(): ReadonlyMap<string, () => PastMarket> {
    return new Map();
  }

  stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    return Promise.resolve();
  }

  private poll(failures: number): void {
    if (this.stopped) return;
    const waitMs =
      failures === 0 ? (this.known.size === 0 ? 0 : POLL_MS) : Math.min(POLL_MS * 2 ** failures, BACK_OFF_MS_MAX);
    this.timer = setTimeout(() => {
      this.read().then(
        () => {
          if (failures > 0) this.logger.log(`${this.name} gives prices again`);
          this.poll(0);
        },
        (error: unknown) => {
          if (failures === 0) this.logger.warn(`${this.name} gives no prices: ${(error as Error).message}`);
          this.poll(failures + 1);
        },
      );
    }, waitMs);
  }

  private async read(): Promise<void> {
    const exchange = this.exchange!;
    if (exchange.symbols === undefined || exchange.symbols.length === 0) await exchange.loadMarkets();
    const listed = new Set(exchange.symbols);
    const wanted = this.pairs.filter(({ symbol }) => listed.has(symbol));
    if (wanted.length === 0) throw new Error('lists none of our pairs');
    const tickers = await exchange.fetchTickers(wanted.map(({ symbol }) => symbol));
    const at = this.clock.now();
    for (const { symbol, priceScale } of wanted) {
      const ticker = tickers[symbol];
      const value =
        ticker?.last ??
        (ticker?.bid !== undefined && ticker.ask !== undefined ? (ticker.bid + ticker.ask) / 2 : undefined);
      if (value === undefined || !(value > 0)) continue;
      // The library gives prices as numbers; they are rounded once, here, and exact from here on.
      const price = BigInt(Math.round(value * Number(pow10(priceScale))));
      if (price <= 0n) continue;
      this.known.set(symbol, { price, at, kind: 'live' });
      let mean = this.means.get(symbol);
      if (!mean) this.means.set(symbol, (mean = new TimeMean()));
      mean.note(at, price);
      const weighted = weightedOf(ticker);
      if (weighted === null) this.weighted.delete(symbol);
      else this.weighted.set(symbol, BigInt(Math.round(weighted * Number(pow10(priceScale)))));
    }
  }
}

/** The exchange's volume-weighted mean of 24 hours; null when it tells none. */
function weightedOf(ticker: LiveTicker | undefined): number | null {
  if (ticker?.vwap !== undefined && Number.isFinite(ticker.vwap) && ticker.vwap > 0) return ticker.vwap;
  const mean = (ticker?.quoteVolume ?? 0) / (ticker?.baseVolume ?? 0);
  return Number.isFinite(mean) && mean > 0 ? mean : null;
}

/** ccxt is large: it is loaded only by who asks for a live feed. */
async function connectByCcxt(name: string): Promise<LiveExchange> {
  const { default: ccxt } = await import('ccxt');
  const Exchange = (ccxt as unknown as Record<string, (new (options: object) => LiveExchange) | undefined>)[name];
  if (!Exchange || !(ccxt as unknown as { exchanges: readonly string[] }).exchanges.includes(name))
    throw new ConfigError([`PRICE_FEED names an exchange that ccxt knows nothing of: ${name}`]);
  return new Exchange({ enableRateLimit: true, timeout: 5_000 });
}
