import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import type { LeverScales } from '@bourse/formulas';
import { MarkPrices, Reference } from '@bourse/messaging';
import { divide, pow10, rescale, toUnits } from '@bourse/money';
import { Refused } from '@bourse/platform';
import type { Marks } from '../domain/account.js';

/** A pair with the figures that leverage needs. */
export interface LeverMarket {
  readonly pairId: number;
  readonly symbol: string;
  readonly quote: number;
  readonly quoteName: string;
  readonly base: number;
  readonly baseName: string;
  readonly scales: LeverScales;
  readonly isOpen: boolean;
  /** Lots of one contract, and the same as decimal text. */
  readonly contractLots: bigint;
  readonly contractText: string;
}

/** Largest age of a price at which positions open and close (rules §3), ms of business time. */
export const TRADING_AGE_MS = 5_000;
/** Largest age of a price at which accounts are liquidated. */
export const LIQUIDATING_AGE_MS = 10_000;

const USDT = 'USDT';
/** Decimals of the feed's prices. */
const FEED_SCALE = 18;
/** A price in ticks of its pair. */
const ticksOf = (price: string, priceScale: number): bigint =>
  rescale(toUnits(price, FEED_SCALE), FEED_SCALE, priceScale, 'half_up');

/** Pairs of the catalog with their mark prices: the last recorded prices of the feed, not trades of this exchange. */
@Injectable()
export class LeverMarkets {
  constructor(
    private readonly reference: Reference,
    private readonly prices: Pick<MarkPrices, 'latest' | 'fresh'>,
  ) {}

  all(): readonly LeverMarket[] {
    return this.reference.all<PairRow>('pair').map((pair) => this.market(pair));
  }

  byPair(pairId: number): LeverMarket {
    const pair = this.reference.get<PairRow>('pair', String(pairId));
    if (!pair) throw new Error(`invariant: stored rows name pair ${pairId}, which the catalog does not have`);
    return this.market(pair);
  }

  /**
   * A pair that is open to leverage.
   * @throws Refused `pair.delisted`, `common.unavailable` before the catalog is loaded
   */
  open(quote: number, base: number): LeverMarket {
    const market = this.all().find((one) => one.quote === quote && one.base === base);
    if (!market && this.reference.all('pair').length === 0) throw new Refused('common.unavailable');
    if (!market?.isOpen) throw new Refused('pair.delisted', {}, { field: 'currency_id' });
    return market;
  }

  /** Pairs of a quote, of a base, of both or all. */
  pairs(quote: number | undefined, base: number | undefined): number[] {
    return this.all()
      .filter((one) => (quote === undefined || one.quote === quote) && (base === undefined || one.base === base))
      .map(({ pairId }) => pairId);
  }

  /** Quotes of leverage pairs, in the order of the catalog. */
  quotes(): number[] {
    return [...new Set(this.all().flatMap(({ isOpen, quote }) => (isOpen ? [quote] : [])))];
  }

  /** Validates the quote of a request. @throws Refused `common.fieldInvalid` if the catalog does not have it */
  asked(quote: number): number {
    if (!this.reference.get<CurrencyRow>('currency', String(quote)))
      throw new Refused('common.fieldInvalid', { field: 'legal_id' }, { field: 'legal_id' });
    return quote;
  }

  currency(id: number): CurrencyRow {
    const currency = this.reference.get<CurrencyRow>('currency', String(id));
    if (!currency) throw new Error(`invariant: stored rows name currency ${id}, which the catalog does not have`);
    return currency;
  }

  /** The last price of a pair, however old; undefined before the first. */
  latest({ symbol, scales }: LeverMarket): bigint | undefined {
    const tick = this.prices.latest(symbol);
    return tick && ticksOf(tick.price, scales.priceScale);
  }

  /** A price fresh enough to open and close at. @throws Refused `market.stale` */
  fresh({ symbol, scales }: LeverMarket): bigint {
    const tick = this.prices.fresh(symbol, TRADING_AGE_MS);
    if (!tick) throw new Refused('market.stale');
    return ticksOf(tick.price, scales.priceScale);
  }

  /**
   * Converts an amount of USDT to units of a currency at its last mark price, rounded up.
   * @throws Refused `market.stale` if it has no price in USDT
   */
  worthOf(usdt: bigint, usdtScale: number, currency: number): bigint {
    const { name, scale } = this.currency(currency);
    if (name === USDT) return rescale(usdt, usdtScale, scale, 'ceiling');
    const market = this.priceIn(currency);
    if (!market || market.mark === 0n) throw new Refused('market.stale');
    return divide(usdt * pow10(scale + market.priceScale), market.mark * pow10(usdtScale), 'ceiling');
  }

  /** The last mark price of a currency in USDT, however old. */
  priceIn(currency: number): { readonly mark: bigint; readonly priceScale: number } | undefined {
    const market = this.all().find(({ quoteName, base }) => quoteName === USDT && base === currency);
    const mark = market && this.latest(market);
    return mark === undefined ? undefined : { mark, priceScale: market!.scales.priceScale };
  }

  /** Last prices of pairs, at most `maxAgeMs` old if it is given. */
  marks(pairIds: Iterable<number>, maxAgeMs?: number): Marks {
    const marks = new Map<number, bigint>();
    for (const pairId of pairIds) {
      const { symbol, scales } = this.byPair(pairId);
      const tick = maxAgeMs === undefined ? this.prices.latest(symbol) : this.prices.fresh(symbol, maxAgeMs);
      if (tick) marks.set(pairId, ticksOf(tick.price, scales.priceScale));
    }
    return marks;
  }

  /** Prices of all these pairs, fresh enough to open and close at. @throws Refused `market.stale` */
  freshMarks(pairIds: Iterable<number>): Marks {
    const wanted = [...pairIds];
    const marks = this.marks(wanted, TRADING_AGE_MS);
    if (marks.size < new Set(wanted).size) throw new Refused('market.stale');
    return marks;
  }

  private market(pair: PairRow): LeverMarket {
    const { priceScale, numberScale } = pair;
    return {
      pairId: pair.id,
      symbol: pair.symbol,
      quote: pair.legalId,
      quoteName: pair.legalName,
      base: pair.currencyId,
      baseName: pair.currencyName,
      scales: { priceScale, numberScale, quoteScale: this.currency(pair.legalId).scale },
      isOpen: pair.openLever && pair.leverShareNum !== '0' && this.currency(pair.legalId).isLever,
      contractLots: toUnits(pair.leverShareNum, numberScale),
      contractText: pair.leverShareNum,
    };
  }
}
