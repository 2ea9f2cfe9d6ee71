import { divide, pow10 } from '@bourse/money';
import { PRICE_SCALE, type AdTerms } from './ad.js';

/* Bounds of a new ad by the index price, and the smallest deal of an ad (rules §6). */

/** Scale of index prices, of units per USDT and of amounts in USDT in these formulas. */
export const INDEX_SCALE = 18;
/** Scale of the band's percentage. */
export const BAND_SCALE = 2;

/** The fewest coins that are worth `value` USDT, rounded up; `index` is USDT per coin. Both at INDEX_SCALE. */
export const minAdTotal = (value: bigint, index: bigint, scale: number): bigint =>
  divide(value * pow10(scale), index, 'up');

/** Bounds of a price at PRICE_SCALE, inclusive. */
export interface PriceBand {
  readonly min: bigint;
  readonly max: bigint;
}

/**
 * `band` percent (at BAND_SCALE) on either side of index × units of the fiat currency per USDT. Both ends are rounded
 * into the band; the lowest price is one unit.
 */
export function priceBand(index: bigint, unitsPerUsdt: bigint, band: bigint): PriceBand {
  const whole = 100n * pow10(BAND_SCALE);
  const divisor = whole * pow10(2 * INDEX_SCALE - PRICE_SCALE);
  const min = divide(index * unitsPerUsdt * (whole - band), divisor, 'up');
  const max = divide(index * unitsPerUsdt * (whole + band), divisor, 'down');
  return { min: min < 1n ? 1n : min, max: max < 1n ? 1n : max };
}

/** The fewest coins whose price rounds half up to the smallest unit of the ad's fiat currency. */
export function minDealNumber({ scale, price, fiatScale }: Pick<AdTerms, 'scale' | 'price' | 'fiatScale'>): bigint {
  // number × price reaches one half of the smallest unit.
  const least = divide(pow10(scale + PRICE_SCALE), 2n * price * pow10(fiatScale), 'up');
  return least < 1n ? 1n : least;
}
