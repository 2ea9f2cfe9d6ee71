import { Logger } from '@nestjs/common';
import type { PairRow } from '@bourse/contract';
import { delay } from '@bourse/messaging';
import { pow10 } from '@bourse/money';
import { ConfigError, type Clock } from '@bourse/platform';

const POLL_MS = 1_500;
const RETRY_MS = 1_500;
const RETRY_MS_MAX = 30_000;

/** A ticker as ccxt returns it; `vwap` and the volumes are those of the last 24 hours, `timestamp` is Unix ms. */
export interface LiveTicker {
  timestamp?: number | undefined;
  last?: number | undefined;
  bid?: number | undefined;
  ask?: number | undefined;
  vwap?: number | undefined;
  baseVolume?: number | undefined;
  quoteVolume?: number | undefined;
}
/** The part of ccxt that is used. */
export interface LiveExchange {
  loadMarkets(): Promise<unknown>;
  readonly symbols: readonly string[] | undefined;
  readonly has: Readonly<Record<string, unknown>>;
  /** Resolves with the next ticker of the stream. */
  watchTicker(symbol: string): Promise<LiveTicker>;
  fetchTickers(symbols: string[]): Promise<Record<string, LiveTicker>>;
  close?(): Promise<unknown>;
}

/** The last price of a pair on one exchange, in units of the pair's price scale. */
export interface LiveQuote {
  readonly price: bigint;
  /** The earlier of the time that the exchange states and of its receipt, business time, ms. */
  readonly at: number;
  /** The exchange's volume-weighted mean of 24 hours; null without one. */
  readonly weighted: bigint | null;
}

/**
 * Prices of one exchange: by stream where it has one, else polled. A pair that the exchange does not list has no price;
 * when nothing comes, prices grow old.
 */
export class LiveSource {
  private readonly logger = new Logger('LiveSource');
  private readonly known = new Map<string, LiveQuote>();
  private readonly ending = new AbortController();
  private listed: ReadonlySet<string> | null = null;
  private isFailing = false;

  constructor(
    readonly name: string,
    private readonly exchange: LiveExchange,
    private readonly clock: Pick<Clock, 'now' | 'real'>,
  ) {}

  start(pairs: readonly PairRow[]): void {
    void this.run(pairs);
  }

  quote(symbol: string): LiveQuote | undefined {
    return this.known.get(symbol);
  }

  /** Whether the exchange lists a pair; true until the exchange has answered. */
  lists(symbol: string): boolean {
    return this.listed?.has(symbol) ?? true;
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.exchange.close?.();
  }

  private async run(pairs: readonly PairRow[]): Promise<void> {
    const symbols = await this.untilItWorks(async () => {
      await this.exchange.loadMarkets();
      return this.exchange.symbols ?? [];
    });
    if (!symbols) return;
    this.listed = new Set(symbols);
    const wanted = pairs.filter(({ symbol }) => this.lists(symbol));
    if (wanted.length === 0) return this.logger.warn(`${this.name} lists none of our pairs`);
    if (this.exchange.has['watchTicker'] === true) for (const pair of wanted) void this.watch(pair);
    else void this.poll(wanted);
  }

  private async watch(pair: PairRow): Promise<void> {
    while (!this.ending.signal.aborted) {
      const ticker = await this.untilItWorks(() => this.exchange.watchTicker(pair.symbol));
      // A stream sends only what is new: a ticker without a timestamp takes the time of its receipt.
      if (ticker) this.note(pair, ticker, false);
    }
  }

  private async poll(pairs: readonly PairRow[]): Promise<void> {
    const symbols = pairs.map(({ symbol }) => symbol);
    while (!this.ending.signal.aborted) {
      const tickers = await this.untilItWorks(() => this.exchange.fetchTickers(symbols));
      for (const pair of pairs) {
        const ticker = tickers?.[pair.symbol];
        if (ticker) this.note(pair, ticker, true);
      }
      await delay(POLL_MS, this.ending.signal);
    }
  }

  /** Retries until it succeeds or the source is stopped; logs the first failure and the recovery. */
  private async untilItWorks<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let failures = 0; !this.ending.signal.aborted; failures += 1) {
      try {
        const result = await work();
        if (this.isFailing) this.logger.log(`${this.name} delivers prices again`);
        this.isFailing = false;
        return this.ending.signal.aborted ? undefined : result;
      } catch (error) {
        if (this.ending.signal.aborted) return undefined;
        if (!this.isFailing) this.logger.warn(`${this.name} delivers no prices: ${(error as Error).message}`);
        this.isFailing = true;
        await delay(Math.min(RETRY_MS * 2 ** failures, RETRY_MS_MAX), this.ending.signal);
      }
    }
    return undefined;
  }

  private note({ symbol, priceScale }: PairRow, ticker: LiveTicker, isPolled: boolean): void {
    const value =
      ticker.last ?? (ticker.bid !== undefined && ticker.ask !== undefined ? (ticker.bid + ticker.ask) / 2 : undefined);
    const price = unitsOf(value, priceScale);
    if (price === null) return;
    const weighted = unitsOf(weightedOf(ticker), priceScale);
    const known = this.known.get(symbol);
    // A poll with the same figures and no timestamp is no new price: the price of a halted market must age.
    if (isPolled && ticker.timestamp === undefined && known?.price === price && known.weighted === weighted) return;
    const ageMs = ticker.timestamp === undefined ? 0 : Math.max(0, this.clock.real() - ticker.timestamp);
    const at = this.clock.now() - ageMs;
    if (known && at < known.at) return;
    this.known.set(symbol, { price, at, weighted });
  }
}

/** The library returns prices as numbers; they are rounded once, here, and exact from here on. Null: no price. */
function unitsOf(value: number | null | undefined, scale: number): bigint | null {
  if (value === undefined || value === null || !Number.isFinite(value)) return null;
  const units = BigInt(Math.round(value * Number(pow10(scale))));
  return units > 0n ? units : null;
}

/** The exchange's volume-weighted mean of 24 hours; null without one. */
function weightedOf(ticker: LiveTicker): number | null {
  if (ticker.vwap !== undefined && Number.isFinite(ticker.vwap) && ticker.vwap > 0) return ticker.vwap;
  const mean = (ticker.quoteVolume ?? 0) / (ticker.baseVolume ?? 0);
  return Number.isFinite(mean) && mean > 0 ? mean : null;
}

type ExchangeClass = new (options: object) => LiveExchange;
/** The used part of ccxt; `pro` has the exchanges with streams. */
interface Ccxt {
  readonly exchanges: readonly string[];
  readonly pro: Readonly<Record<string, ExchangeClass | undefined>>;
}

/**
 * The exchanges of these names. ccxt is large, so it is loaded only for live prices. @throws ConfigError for a name
 * that ccxt does not know
 */
export async function connectByCcxt(names: readonly string[]): Promise<LiveExchange[]> {
  const ccxt = (await import('ccxt')).default as unknown as Ccxt & Readonly<Record<string, ExchangeClass | undefined>>;
  const unknown = names.filter((name) => !ccxt.exchanges.includes(name));
  if (unknown.length > 0)
    throw new ConfigError([`PRICE_FEED names an exchange that ccxt does not know: ${unknown.join(', ')}`]);
  return names.map((name) => {
    const Exchange = (ccxt.pro[name] ?? ccxt[name])!;
    return new Exchange({ enableRateLimit: true, timeout: 5_000 });
  });
}
