import { divide, pow10, type Units } from '@bourse/money';
import { HUNDRED_PERCENT } from './percent.js';

/** Coins of an exchange of points are paid in this many decimals (rules §10). */
export const POINTS_PAID_SCALE = 2;

/** The terms of exchanging points. Points and prices at COIN_SCALE, the fee in PERCENT_SCALE (rules §10). */
export interface PointsTerms {
  /** jc_price: the value of one point. */
  readonly price: bigint;
  readonly marketPrice: bigint;
  readonly difference: bigint;
  /** jc_exchange_fee. */
  readonly fee: bigint;
}

/** fact_market_price, which is also the price shown: market price and difference (rules §10). */
export const pointsPrice = ({ marketPrice, difference }: Pick<PointsTerms, 'marketPrice' | 'difference'>): Units =>
  (marketPrice + difference) as Units;

/**
 * The coins paid for points, in POINTS_PAID_SCALE, cut once at the end: points × price / (market price + difference) ×
 * (1 − fee / 100) (rules §10). @throws RangeError without a price
 */
export function pointsCoins(points: bigint, pointsScale: number, terms: PointsTerms): Units {
  const shown = pointsPrice(terms);
  if (shown <= 0n) throw new RangeError('points are not exchanged without a market price');
  return divide(
    points * terms.price * (HUNDRED_PERCENT - terms.fee) * pow10(POINTS_PAID_SCALE),
    pow10(pointsScale) * shown * HUNDRED_PERCENT,
    'down',
  ) as Units;
}
