import { multiply, percentOf, pow10, type Units } from '@bourse/money';
import { PERCENT_SCALE } from './percent.js';

/** The price of a number of coins in a fiat currency, half up at the scale of that currency (rules §6). */
export const dealMoney = (
  number: Units,
  numberScale: number,
  price: Units,
  priceScale: number,
  fiatScale: number,
): Units => multiply(number, numberScale, price, priceScale, fiatScale, 'half_up') as Units;

/** out_fee: the fee that the seller pays on top of the coins, up. `rate` in PERCENT_SCALE (rules §6). */
export const dealFee = (number: Units, rate: bigint): Units => percentOf(number, rate, PERCENT_SCALE, 'up') as Units;

/** The amount held from the seller: the coins and their fee. */
export const dealHold = (number: Units, rate: bigint): Units => (number + dealFee(number, rate)) as Units;

/** The most coins that an amount of fiat buys, rounded down at the scale of the coin. The price must be above zero. */
export const numberFor = (
  money: Units,
  fiatScale: number,
  price: Units,
  priceScale: number,
  numberScale: number,
): Units => ((money * pow10(priceScale) * pow10(numberScale)) / (price * pow10(fiatScale))) as Units;
