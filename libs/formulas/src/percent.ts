import { percentOf, pow10, toUnits } from '@bourse/money';

/** Scale of every percentage in the domain: 0.1 percent is 100,000. */
export const PERCENT_SCALE = 6;

/** 100 percent. */
export const HUNDRED_PERCENT = 100n * pow10(PERCENT_SCALE);

/** A percentage of the catalog as units of PERCENT_SCALE. @throws RangeError beyond six decimals */
export const percent = (text: string): bigint => toUnits(text, PERCENT_SCALE);

/** Fee on what is received, at its own scale, up (rules §2). `rate` is a percentage at PERCENT_SCALE. */
export const feeOf = (received: bigint, rate: bigint): bigint => percentOf(received, rate, PERCENT_SCALE, 'up');

/** A rate of the catalog at the part of it that a fee level leaves, in whole percent; up (rules §2). */
export const rateOfLevel = (rate: bigint, partPercent: bigint): bigint => percentOf(rate, partPercent, 0, 'up');
