import { HUNDRED_PERCENT, pointsPrice, POINTS_PAID_SCALE, type PointsTerms } from '@bourse/formulas';
import { divide, pow10 } from '@bourse/money';
import { POINTS_SCALE } from './points-account.js';

/** Points exchanged for coins (rules §10). Its terms are copied when it is made. */
export interface PointsExchange {
  readonly id: string;
  readonly userId: number;
  /** Units of POINTS_SCALE. */
  readonly points: bigint;
  readonly currencyId: number;
  readonly currencyName: string;
  /** Scale of the coin. */
  readonly scale: number;
  readonly coins: bigint;
  /** Price of the coin with the difference on top, units of POINTS_SCALE. */
  readonly factPrice: bigint;
  /** `waiting`: for the ledger; no answer shows it. */
  readonly state: 'waiting' | 'done';
  readonly createdAt: number;
}

/** The fewest points that pay anything, units of POINTS_SCALE. @throws RangeError where points are worth nothing */
export function leastPoints(terms: PointsTerms): bigint {
  const worth = terms.price * (HUNDRED_PERCENT - terms.fee);
  return divide(pointsPrice(terms) * HUNDRED_PERCENT * pow10(POINTS_SCALE - POINTS_PAID_SCALE), worth, 'up');
}
