import { percentOf, type Units } from '@bourse/money';

export interface Charge {
  readonly fee: Units;
  readonly received: Units;
}

/**
 * What a withdrawal costs: `rate` percent of it, up at the scale of the coin; the rest goes out (rules §8.4). Below the
 * smallest fee nothing is left, or less than nothing at rates above 100: callers refuse such numbers by the minimum.
 */
export function chargeOf(number: Units, rate: Units, rateScale: number): Charge {
  const fee = percentOf(number, rate, rateScale, 'up') as Units;
  return { fee, received: (number - fee) as Units };
}
