import { Injectable } from '@nestjs/common';
import type { CurrencyRow, PairRow } from '@bourse/contract';
import type { LeverScales } from '@bourse/formulas';
import { MarkPrices, Reference } from '@bourse/messaging';
import { divide, pow10, rescale, toUnits } from '@bourse/money';
import { Refused } from '@bourse/platform';
import type { Marks } from '../domain/account.js';

/** A pair with what leverage needs of it. */
export interface LeverMarket {
  readonly pairId: number;
  readonly symbol: string;
  readonly quote: number;
  readonly quoteName: string;
  readonly base: number;
  readonly baseName: string;
  readonly scales: LeverScales;
  readonly isOpen: boolean;
  /** Lots of one hand, and the same as decimal text. */
  readonly handLots: bigint;
  readonly handText: string;
}

/** Nothing opens or closes by a price that is older (rules §3), ms of business time. */
export const TRADING_AGE_MS = 5_000;
/** Nothing is liquidated by one that is older. */
export const LIQUIDATING_AGE_MS = 10_000;

const USDT = 'USDT';
/** Decimals with which a price may come. */
const FEED_SCALE = 18;
/** A price in ticks of its pair. */
export const ticksOf = (price: string, priceScale: number): bigint =>
  rescale(toUnits(price, FEED_SCALE), FEED_SCALE, priceScale, 'half_up');

/** Pairs of the catalog, and their mark prices: the feed's last recorded ones, whatever the exchange itself trades. */
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
   * @throws Refused `pair.delisted`, `common.unavailable` before the catalog is here
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

  /** Quotes that leverage is paid in, in the order of the catalog. */
  quotes(): number[] {
    return [...new Set(this.all().flatMap(({ isOpen, quote }) => (isOpen ? [quote] : [])))];
  }

  /** A quote that a caller names. @throws Refused `common.fieldInvalid` when the catalog does not have it */
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

  /** A price by which something may be opened or closed. @throws Refused `market.stale` */
  fresh({ symbol, scales }: LeverMarket): bigint {
    const tick = this.prices.fresh(symbol, TRADING_AGE_MS);
    if (!tick) throw new Refused('market.stale');
    return ticksOf(tick.price, scales.priceScale);
  }

  /**
   * Units of a currency that an amount of USDT is worth, rounded up, by the last mark price of the currency.
   * @throws Refused `market.stale` where it has no price in USDT
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

  /** Last prices of pairs, however old, or at most so old. */
  marks(pairIds: Iterable<number>, maxAgeMs?: number): Marks {
    const marks = new Map<number, bigint>();
    for (const pairId of pairIds) {
      const { symbol, scales } = this.byPair(pairId);
      const tick = maxAgeMs === undefined ? this.prices.latest(symbol) : this.prices.fresh(symbol, maxAgeMs);
      if (tick) marks.set(pairId, ticksOf(tick.price, scales.priceScale));
    }
    return marks;
  }

  /** Marks of all these pairs by which something may be opened or closed. @throws Refused `market.stale` */
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
      handLots: toUnits(pair.leverShareNum, numberScale),
      handText: pair.leverShareNum,
    };
  }
}
