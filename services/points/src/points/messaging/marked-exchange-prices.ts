import { Injectable } from '@nestjs/common';
import { PEGGED_CURRENCIES, type CurrencyRow, type PairRow } from '@bourse/contract';
import { MarkPrices, Reference } from '@bourse/messaging';
import { decimals, pow10, rescale, toUnits } from '@bourse/money';
import { ExchangePrices, type CoinPrice } from '../application/points-ports.js';
import { POINTS_SCALE } from '../domain/points-account.js';

const USDT = 'USDT';
/** A price without an update from the feed for longer is not used for an exchange. */
const FRESH_MS = 5_000;

/** The recorded prices. A coin that is pegged costs one USDT, and is as fresh as the feed is. */
@Injectable()
export class MarkedExchangePrices extends ExchangePrices {
  constructor(
    private readonly marks: MarkPrices,
    private readonly reference: Reference,
  ) {
    super();
  }

  of(currencyId: number): CoinPrice | null {
    const currency = this.reference.get<CurrencyRow>('currency', String(currencyId));
    const pairs = this.reference.all<PairRow>('pair');
    if (currency && PEGGED_CURRENCIES.includes(currency.name)) {
      const isFresh = pairs.some(({ symbol }) => this.marks.ageMs(symbol) <= FRESH_MS);
      return { price: pow10(POINTS_SCALE), isFresh };
    }
    const pair = pairs.find((each) => each.currencyId === currencyId && each.legalName === USDT);
    const tick = pair && this.marks.latest(pair.symbol);
    if (!pair || !tick) return null;
    const scale = decimals(tick.price);
    const price = rescale(toUnits(tick.price, scale), scale, POINTS_SCALE, 'half_up');
    return { price, isFresh: this.marks.ageMs(pair.symbol) <= FRESH_MS };
  }
}
