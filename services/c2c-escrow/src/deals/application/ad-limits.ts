import { Injectable } from '@nestjs/common';
import { formatTrimmed, rescale, toUnits } from '@bourse/money';
import { Refused } from '@bourse/platform';
import { CNY_PER_USDT, FIAT_RATE_SCALE, JPY_PER_USDT, Settings, USD_PER_USDT } from '@bourse/settings';
import { PRICE_SCALE, type AdTerms, type Fiat } from '../domain/ad.js';
import { INDEX_SCALE, minAdTotal, priceBand, type PriceBand } from '../domain/ad-limits.js';
import { AMOUNT_SCALE, C2C_MIN_VALUE, C2C_PRICE_BAND } from './settings.js';
import { CoinPrices } from '../../shared/application/coin-prices.js';

const USDT = 'USDT';
const INDEX_OF_USDT = toUnits('1', INDEX_SCALE);
const PER_USDT = { CNY: CNY_PER_USDT, USD: USD_PER_USDT, JPY: JPY_PER_USDT } as const;

/** Bounds of a new ad by the index price (rules §6). */
@Injectable()
export class AdLimits {
  constructor(
    private readonly settings: Settings,
    private readonly prices: CoinPrices,
  ) {}

  /** @throws Refused `market.stale` without a fresh index, `quantity.rule` {min}, `c2c.priceBand` {min, max} */
  refuseOutside(offer: Pick<AdTerms, 'currencyId' | 'currencyName' | 'scale' | 'total' | 'price' | 'coinCode'>): void {
    const { scale, total, price, coinCode } = offer;
    const index = this.requireIndex(offer);
    const value = rescale(this.settings.get(C2C_MIN_VALUE), AMOUNT_SCALE, INDEX_SCALE, 'up');
    const least = minAdTotal(value, index, scale);
    if (total < least)
      throw new Refused('quantity.rule', { min: formatTrimmed(least, scale) }, { field: 'total_number' });
    const { min, max } = this.calculateBand(index, coinCode);
    if (price < min || price > max)
      throw new Refused(
        'c2c.priceBand',
        { min: formatTrimmed(min, PRICE_SCALE), max: formatTrimmed(max, PRICE_SCALE) },
        { field: 'price' },
      );
  }

  private calculateBand(index: bigint, coinCode: Fiat): PriceBand {
    const units = rescale(this.settings.get(PER_USDT[coinCode]), FIAT_RATE_SCALE, INDEX_SCALE, 'down');
    return priceBand(index, units, this.settings.get(C2C_PRICE_BAND));
  }

  private requireIndex({ currencyId, currencyName }: Pick<AdTerms, 'currencyId' | 'currencyName'>): bigint {
    if (currencyName === USDT) return INDEX_OF_USDT;
    const price = this.prices.findUsdtPrice(currencyId);
    if (price === null) throw new Refused('market.stale');
    return toUnits(price, INDEX_SCALE);
  }
}
