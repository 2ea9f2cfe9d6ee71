import { Injectable } from '@nestjs/common';
import type { CurrencyRow, ShopTerms } from '@bourse/contract';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, pow10, rescale, toUnits } from '@bourse/money';
import { refuse, Refused } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { SHOP_LEVELS, type ShopLevel } from '../domain/shop.js';
import { AMOUNT_SCALE } from '../../deals/application/settings.js';
import { CoinPrices } from '../../shared/application/coin-prices.js';
import { SHOP_DEPOSIT, SHOP_LIMIT } from './settings.js';

/** The coin of deposits and limits. */
const USDT = 'USDT';
/** Decimals of a price. */
const PRICE_SCALE = 18;

/** Reads the catalog and the settings for shops. */
@Injectable()
export class ShopCatalog {
  constructor(
    private readonly reference: Reference,
    private readonly settings: Settings,
    private readonly prices: CoinPrices,
  ) {}

  /**
   * Requires a coin that shops deal in. @throws Refused `common.fieldInvalid`; `common.unavailable` before the catalog
   * is loaded
   */
  requireCoin(id: number): CurrencyRow {
    const coin = this.reference.get<CurrencyRow>('currency', String(id));
    if (!coin && this.reference.all('currency').length === 0) throw toUnavailable();
    if (!coin?.isLegal) throw refuse('common.fieldInvalid', 'currency_id');
    return coin;
  }

  private requireUsdt(): CurrencyRow {
    const usdt = this.reference.all<CurrencyRow>('currency').find(({ name, isLegal }) => name === USDT && isLegal);
    if (!usdt) throw toUnavailable();
    return usdt;
  }

  /** The deposit that a new shop of a level requires now. */
  requiredDeposit(level: ShopLevel): { readonly currencyId: number; readonly scale: number; readonly units: bigint } {
    const { id: currencyId, scale } = this.requireUsdt();
    return { currencyId, scale, units: rescale(this.settings.get(SHOP_DEPOSIT[level]), AMOUNT_SCALE, scale, 'up') };
  }

  /** Current deposits and limits, for applicants. */
  listTerms(): ShopTerms {
    const amount = (setting: (typeof SHOP_DEPOSIT)[ShopLevel]): string =>
      formatTrimmed(this.settings.get(setting), AMOUNT_SCALE);
    return {
      coin: USDT,
      levels: SHOP_LEVELS.map((level) => ({
        level,
        deposit: amount(SHOP_DEPOSIT[level]),
        limit: amount(SHOP_LIMIT[level]),
      })),
    };
  }

  /**
   * The most coins of one deal of a level, rounded down. @throws Refused `market.stale` without a fresh price of the
   * coin
   */
  dealLimit(level: ShopLevel, coin: CurrencyRow): bigint {
    const limit = this.settings.get(SHOP_LIMIT[level]);
    if (coin.name === USDT) return rescale(limit, AMOUNT_SCALE, coin.scale, 'down');
    const price = this.prices.findUsdtPrice(coin.id);
    if (price === null) throw new Refused('market.stale');
    const ticks = toUnits(price, PRICE_SCALE);
    return (limit * pow10(coin.scale) * pow10(PRICE_SCALE)) / (ticks * pow10(AMOUNT_SCALE));
  }
}

const toUnavailable = (): Refused => new Refused('common.unavailable', {}, { status: 503 });
/** An amount of a coin in refusals. */
export const formatAmount = (units: bigint, scale: number): string => formatTrimmed(units, scale);
