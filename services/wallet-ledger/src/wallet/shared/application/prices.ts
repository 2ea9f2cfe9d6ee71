import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { PricesView } from '@bourse/events';
import { Asks, marketDataAsks, Views } from '@bourse/messaging';
import { pow10, rescale, toUnits } from '@bourse/money';
import { Clock, Refused } from '@bourse/platform';

/** Scale of prices and of values made with them. */
export const PRICE_SCALE = 8;
/** Scale of published prices. */
export const PRICE_TEXT_SCALE = 18;
/** Limits do not use an index older than this (rules §2). Business time, ms. */
const STALE_MS = 5_000;
/** Timeout of a question to market-data, and the pause after a question without an answer. Real time, ms. */
const ASK_TIMEOUT_MS = 1_000;
const RETRY_INTERVAL_MS = 2_000;

/**
 * Prices of currencies as market-data publishes them. Two kinds are never mixed: the displayed price, set by the last
 * trade of our own book, and the price for limits in US dollars, which our book does not set (api §6.18). No money is
 * exchanged at either.
 */
@Injectable()
export class Prices implements OnModuleDestroy {
  private readonly logger = new Logger('Prices');
  private latest: PricesView | null = null;
  private asking: Promise<PricesView | null> | null = null;
  private silentUntil = 0;
  private readonly unsubscribe: () => void;
  private readonly received: Promise<void>;
  constructor(
    views: Views,
    private readonly asks: Asks,
    private readonly clock: Clock,
  ) {
    let markReceived: () => void = () => undefined;
    this.received = new Promise((resolve) => {
      markReceived = resolve;
    });
    this.unsubscribe = views.subscribe('prices', (view: PricesView) => {
      this.latest = view;
      markReceived();
    });
  }

  /** Resolves when market-data has published prices since this process began. */
  ready(): Promise<void> {
    return this.received;
  }

  /** Displayed price at PRICE_SCALE; 0 when unknown. */
  usdt(currency: number): bigint {
    const text = this.latest?.usdt[String(currency)];
    return text === undefined ? 0n : rescale(toUnits(text, PRICE_TEXT_SCALE), PRICE_TEXT_SCALE, PRICE_SCALE, 'down');
  }

  /** CNY per USDT as decimal text; `0` when unknown. */
  cnyPerUsdt(): string {
    return this.latest?.cnyPerUsdt ?? '0';
  }

  /** Exact displayed value of an amount, at `scale` + PRICE_SCALE. */
  value(units: bigint, currency: number): bigint {
    return units * this.usdt(currency);
  }

  /**
   * US dollars that one unit of a currency counts against a limit, at PRICE_SCALE: the larger of a fresh index and of
   * the 24 h mean of the feed's market (api §6.18). A stale published price is queried once more.
   * @throws Refused `market.stale` when there is no fresh index: then no money goes out.
   */
  async valuation(currency: number): Promise<bigint> {
    const found = this.freshOf(this.latest, currency) ?? this.freshOf(await this.readOnce(), currency);
    if (found === null || found === 0n) throw new Refused('market.stale');
    return found;
  }

  /**
   * US dollar value of one unit of a currency by the same price, at PRICE_TEXT_SCALE; null: no fresh one was published.
   * Sends no question.
   */
  fresh(currency: number): bigint | null {
    return this.publishedOf(this.latest, currency);
  }

  private freshOf(view: PricesView | null, currency: number): bigint | null {
    const price = this.publishedOf(view, currency);
    return price === null ? null : rescale(price, PRICE_TEXT_SCALE, PRICE_SCALE, 'up');
  }

  private publishedOf(view: PricesView | null, currency: number): bigint | null {
    const price = view?.valuation[String(currency)];
    if (!price || Math.abs(this.clock.now() - price.at) > STALE_MS) return null;
    return toUnits(price.usd, PRICE_TEXT_SCALE);
  }

  /** One question at a time, and a pause after one without an answer: the callers may be inside a transaction. */
  private readOnce(): Promise<PricesView | null> {
    if (this.clock.real() < this.silentUntil) return Promise.resolve(null);
    this.asking ??= this.asks
      .ask(marketDataAsks.prices, {}, ASK_TIMEOUT_MS)
      .catch((error: unknown) => {
        this.silentUntil = this.clock.real() + RETRY_INTERVAL_MS;
        this.logger.warn(`no fresh prices: ${(error as Error).message}`);
        return null;
      })
      .finally(() => {
        this.asking = null;
      });
    return this.asking;
  }

  onModuleDestroy(): void {
    this.unsubscribe();
  }
}

/** Adds values of amounts of different scales exactly; rounds down once, at the end. */
export class ValueSum {
  private static readonly SCALE = 40;
  private sum = 0n;
  add(value: bigint, scale: number): void {
    this.sum += value * pow10(ValueSum.SCALE - scale);
  }
  at(scale: number): bigint {
    return rescale(this.sum, ValueSum.SCALE, scale, 'down');
  }
}
