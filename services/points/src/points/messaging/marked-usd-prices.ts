import { Injectable } from '@nestjs/common';
import { PEGGED_CURRENCIES, type CurrencyRow, type PairRow } from '@bourse/contract';
import { MarkPrices, Reference } from '@bourse/messaging';
import { decimals, formatTrimmed, toUnits } from '@bourse/money';
import { Settings, USD_PER_USDT, USD_RATE_SCALE } from '@bourse/settings';
import { UsdPrices } from '../application/accrual-ports.js';

const USDT = 'USDT';
/** A coin without a market of ours is worth nothing in points. */
const WORTHLESS = '0';

/** The last recorded prices, however old: a fee has a value while the feed is down, too. */
@Injectable()
export class MarkedUsdPrices extends UsdPrices {
  constructor(
    private readonly marks: MarkPrices,
    private readonly reference: Reference,
    private readonly settings: Settings,
  ) {
    super();
  }

  of(currencyId: number): string | null {
    const currency = this.reference.get<CurrencyRow>('currency', String(currencyId));
    if (!currency) return this.reference.all('currency').length === 0 ? null : WORTHLESS;
    if (PEGGED_CURRENCIES.includes(currency.name)) return this.inUsd('1');
    const pair = this.reference
      .all<PairRow>('pair')
      .find((each) => each.currencyId === currencyId && each.legalName === USDT);
    if (!pair) return WORTHLESS;
    const tick = this.marks.latest(pair.symbol);
    return tick ? this.inUsd(tick.price) : null;
  }

  private inUsd(price: string): string {
    const scale = decimals(price);
    return formatTrimmed(toUnits(price, scale) * this.settings.get(USD_PER_USDT), scale + USD_RATE_SCALE);
  }
}
