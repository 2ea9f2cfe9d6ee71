import { percentOf, rescale, type Units } from '@bourse/money';

export interface Charge {
  readonly fee: Units;
  readonly received: Units;
}
/** Decimals of the ledger's amounts of a coin, and of its token on the network. */
export interface NetworkScales {
  readonly scale: number;
  readonly networkScale: number;
}

/** An amount cut to what a network can carry, at the scale of the ledger. */
export const carriedOf = (amount: Units, { scale, networkScale }: NetworkScales): Units =>
  (networkScale >= scale
    ? amount
    : rescale(rescale(amount, scale, networkScale, 'down'), networkScale, scale, 'down')) as Units;

/**
 * The fee of a withdrawal: `rate` percent of the number, up at the scale of the coin; the remainder, cut to the
 * decimals of the network's token, is sent, and the part cut off is fee as well (rules §8.4). Below the smallest fee
 * nothing is left, or less than nothing at rates above 100: callers refuse such numbers by the minimum.
 */
export function chargeOf(number: Units, rate: Units, rateScale: number, scales: NetworkScales): Charge {
  const received = carriedOf((number - percentOf(number, rate, rateScale, 'up')) as Units, scales);
  return { fee: (number - received) as Units, received };
}
