import { Injectable } from '@nestjs/common';
import type { ReferenceCurrency, ReferenceRate } from '@bourse/contract';
import { divide, formatUnits, pow10, type Units } from '@bourse/money';
import {
  BRL_PER_USDT,
  CNY_PER_USDT,
  EUR_PER_USDT,
  FIAT_RATE_SCALE,
  GBP_PER_USDT,
  JPY_PER_USDT,
  ServiceSettings,
  TRY_PER_USDT,
  USD_PER_USDT,
  type Setting,
} from '@bourse/settings';
import { Catalog } from './catalog.js';
import { Feed } from './feed.js';

/** The rates that operators state, by currency. */
export const FIAT_RATES: ReadonlyMap<Exclude<ReferenceCurrency, 'BTC'>, Setting<Units>> = new Map([
  ['USD', USD_PER_USDT],
  ['EUR', EUR_PER_USDT],
  ['CNY', CNY_PER_USDT],
  ['JPY', JPY_PER_USDT],
  ['GBP', GBP_PER_USDT],
  ['BRL', BRL_PER_USDT],
  ['TRY', TRY_PER_USDT],
] as const);
/** Of one USDT in BTC: so small a figure needs more decimals than an amount. */
const BTC_RATE_SCALE = 16;

/** Rates of shown conversions: fiat by operators, BTC by its index. No money is exchanged at them. */
@Injectable()
export class ReferenceRates {
  constructor(
    private readonly settings: ServiceSettings,
    private readonly catalog: Catalog,
    private readonly feed: Feed,
  ) {}

  /** The rates that have a source. */
  list(): ReferenceRate[] {
    const stated = [...FIAT_RATES].map(([code, setting]): ReferenceRate => ({
      code,
      per_usdt: formatUnits(this.settings.get(setting), FIAT_RATE_SCALE),
      at: this.settings.changedAt(setting),
      source: 'operators',
    }));
    const bitcoin = this.bitcoin();
    return [...stated.filter(({ per_usdt: rate }) => /[1-9]/.test(rate)), ...(bitcoin ? [bitcoin] : [])];
  }

  private bitcoin(): ReferenceRate | null {
    const pair = this.catalog.bySymbol('BTC/USDT');
    const index = pair && this.feed.price(pair.symbol);
    if (!index || index.price === 0n) return null;
    const rate = divide(pow10(BTC_RATE_SCALE + pair.priceScale), index.price, 'half_up');
    return { code: 'BTC', per_usdt: formatUnits(rate, BTC_RATE_SCALE), at: index.at, source: 'market' };
  }
}
