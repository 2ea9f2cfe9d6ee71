import { rateOfLevel } from '@bourse/formulas';
import type { Market, OrderTerms } from '@bourse/matching';
import type { LevelRates } from '@bourse/settings';

export type Fees = Pick<OrderTerms, 'makerFee' | 'takerFee'>;

/** The rates of a market at a level, each rounded up to the scale of rates (rules §2). */
export const ratesAt = (market: Pick<Market, 'makerFee' | 'takerFee'>, level: LevelRates): Fees => ({
  makerFee: rateOfLevel(market.makerFee, BigInt(level.makerPercent)),
  takerFee: rateOfLevel(market.takerFee, BigInt(level.takerPercent)),
});

/** The fee rates that an order is given when it arrives at its book. */
export abstract class FeeRates {
  /** Resolves when the levels of all people are known: no book runs before. */
  abstract ready(): Promise<void>;
  /** From memory: no order waits for it. */
  abstract ratesOf(userId: number, market: Pick<Market, 'makerFee' | 'takerFee'>): Fees;
}
