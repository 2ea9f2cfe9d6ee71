import { Injectable } from '@nestjs/common';
import type { Exposures } from '@bourse/messaging';
import { formatUnits, rescale } from '@bourse/money';
import { LeverMarkets } from './lever-markets.js';
import { PositionStore } from './ports.js';

/** Scale of the sums: no currency has more decimals, so that nothing is rounded. */
const AMOUNT_SCALE = 18;

/** What open positions have added to the worth of accounts (rules §8.1). */
@Injectable()
export class OpenExposures {
  constructor(
    private readonly store: PositionStore,
    private readonly markets: LeverMarkets,
  ) {}

  /** @param ends moments, ms, rising */
  async of(userId: number, ends: readonly number[]): Promise<Exposures> {
    const sums = new Map<number, bigint[]>();
    const add = (currency: number, at: number, units: bigint): void => {
      const own = sums.get(currency) ?? ends.map(() => 0n);
      own[at] = own[at]! + units;
      sums.set(currency, own);
    };
    for (const { at, pairId, quote, scales, lots, notional } of await this.store.openSums(userId, ends)) {
      add(this.markets.byPair(pairId).base, at, rescale(lots, scales.numberScale, AMOUNT_SCALE, 'down'));
      add(quote, at, -rescale(notional, scales.quoteScale, AMOUNT_SCALE, 'down'));
    }
    return Object.fromEntries(
      [...sums].map(([currency, units]) => [currency, units.map((one) => formatUnits(one, AMOUNT_SCALE))]),
    );
  }
}
