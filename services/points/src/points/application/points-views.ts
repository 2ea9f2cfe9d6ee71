import { Injectable } from '@nestjs/common';
import type { CurrencyRow, Points, PointsExchange as ShownExchange } from '@bourse/contract';
import { PERCENT_SCALE, type PointsTerms } from '@bourse/formulas';
import { Reference } from '@bourse/messaging';
import { formatTrimmed, formatUnits } from '@bourse/money';
import { Clock, Refused, timeText } from '@bourse/platform';
import { Settings } from '@bourse/settings';
import { dayOf, freePoints, POINTS_SCALE } from '../domain/points-account.js';
import type { PointsExchange } from '../domain/points-exchange.js';
import { ExchangePrices, PointsStore } from './points-ports.js';
import { JC_CURRENCY, JC_EXCHANGE_FEE, JC_PRICE, JC_PRICE_DIFFERENCE } from './points-settings.js';

/** The terms that an exchange would have now. */
export interface Quote extends PointsTerms {
  readonly coin: CurrencyRow;
  readonly isFresh: boolean;
}

const price = (units: bigint): string => formatUnits(units, POINTS_SCALE);

/** Answers about points (api §2.9). */
@Injectable()
export class PointsViews {
  constructor(
    private readonly store: PointsStore,
    private readonly reference: Reference,
    private readonly prices: ExchangePrices,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /** @throws Refused `common.unavailable` while there is no catalog or no price yet. */
  quote(): Quote {
    const name = this.settings.get(JC_CURRENCY);
    const coin = this.reference.all<CurrencyRow>('currency').find((each) => each.name === name);
    const known = coin && this.prices.of(coin.id);
    if (!coin || !known) throw new Refused('common.unavailable', {}, { status: 503 });
    return {
      coin,
      isFresh: known.isFresh,
      price: this.settings.get(JC_PRICE),
      marketPrice: known.price,
      difference: this.settings.get(JC_PRICE_DIFFERENCE),
      fee: this.settings.get(JC_EXCHANGE_FEE),
    };
  }

  /** The account of the third party that a person has bound; empty before. */
  async boundName(userId: number): Promise<string> {
    const binding = await this.store.binding(userId);
    return binding?.state === 'bound' || binding?.state === 'crediting' ? binding.userName : '';
  }

  /** @throws Refused `jc.notBound` for a person without a bound account. */
  async demandBound(userId: number): Promise<void> {
    if ((await this.boundName(userId)) === '') throw new Refused('jc.notBound');
  }

  /** @throws Refused `jc.notBound`, `common.unavailable`. */
  async points(userId: number): Promise<Points> {
    await this.demandBound(userId);
    const account = await this.store.account(userId);
    const { coin, price: own, marketPrice, difference, fee } = this.quote();
    return {
      jc_integral: price(account.total),
      free_jc_integral: price(freePoints(account, dayOf(this.clock.now()))),
      jc_exchange_fee: formatTrimmed(fee, PERCENT_SCALE),
      jc_price: price(own),
      market_price: price(marketPrice),
      jc_price_difference: price(difference),
      currency_name: coin.name,
    };
  }

  exchange({ id, coins, scale, points, factPrice, createdAt }: PointsExchange): ShownExchange {
    return {
      id,
      exchange_num: formatUnits(coins, scale),
      integral: price(points),
      fact_market_price: price(factPrice),
      created_at: timeText(createdAt),
    };
  }
}
