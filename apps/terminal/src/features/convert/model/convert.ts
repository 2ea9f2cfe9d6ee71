import type { Level, QuotationItem } from '@bourse/contract';
import { baseOf, COIN_SCALE, feeOf, percent, quoteOf, type PairScales } from '@bourse/formulas';
import { compareDecimals, divide, formatTrimmed, formatUnits, rescale, toUnits } from '@bourse/money';
import { ownRate } from '../../../core/own-rate.js';
import { toDecimalText } from '../../../core/ticket/typing.js';

export interface Coin {
  readonly id: number;
  readonly name: string;
}
/** The pair that joins two coins, and which side of it the conversion is. */
export interface Joint {
  readonly pair: QuotationItem;
  readonly side: 'buy' | 'sell';
}

/** The pair with the taker's rate that the person pays; without a level the pair's own. */
export const atOwnRates = ({ pair, side }: Joint, takerPercent: string | undefined): Joint => ({
  pair: { ...pair, taker_fee: ownRate(pair.taker_fee, takerPercent) },
  side,
});

/** Coins of the pairs, each once, by name. */
export function coinsOf(pairs: readonly QuotationItem[]): readonly Coin[] {
  const coins = new Map<number, string>();
  for (const pair of pairs) {
    coins.set(pair.currency_id, pair.currency_name);
    coins.set(pair.legal_id, pair.legal_name);
  }
  return [...coins].map(([id, name]) => ({ id, name })).toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** The pair of two coins, in either direction; undefined without one. */
export function jointOf(pairs: readonly QuotationItem[], from: number, to: number): Joint | undefined {
  for (const pair of pairs) {
    if (pair.currency_id === from && pair.legal_id === to) return { pair, side: 'sell' };
    if (pair.currency_id === to && pair.legal_id === from) return { pair, side: 'buy' };
  }
  return undefined;
}

/** The expected fills of a conversion against the book, as decimal texts. */
export interface Conversion {
  /** Amount of the order, in the base coin of the pair. */
  readonly amount: string;
  /** The amount of the coin that is given. */
  readonly given: string;
  readonly fee: string;
  /** After the fee. */
  readonly received: string;
  readonly best: string;
  readonly mean: string;
  /** The last price that it reaches. */
  readonly worst: string;
  /** False: the book does not take all of it within the band. */
  readonly whole: boolean;
  /** Money of the order in the quote coin, for the least that a pair trades. */
  readonly total: string;
}

const scalesOf = ({ price_scale: priceScale, number_scale: numberScale }: QuotationItem): PairScales => ({
  priceScale,
  numberScale,
  baseScale: COIN_SCALE,
  quoteScale: COIN_SCALE,
});

/** Digits beyond a scale, cut. */
const cut = (text: string, scale: number): bigint => rescale(toUnits(text, COIN_SCALE), COIN_SCALE, scale, 'down');

/**
 * Whether a market order takes a price: none further from the best one than the band of the pair, in percent
 * (rules §2).
 */
function withinBand(side: Joint['side'], best: bigint, band: string): (ticks: bigint) => boolean {
  const whole = percent('100');
  const reach = percent(band);
  return side === 'buy'
    ? (ticks) => ticks * whole <= best * (whole + reach)
    : (ticks) => ticks * whole >= best * (whole - reach);
}

/**
 * Walks the book for an amount of the coin that is given: bids for what is sold, asks for what a sum buys. Undefined
 * where nothing can be reckoned. @param levels of the other side, best first
 */
export function convert({ pair, side }: Joint, levels: readonly Level[], typed: string): Conversion | undefined {
  const scales = scalesOf(pair);
  const { priceScale, numberScale } = scales;
  const giving = toDecimalText(typed);
  const book = levels.map(({ price, number }) => [toUnits(price, priceScale), toUnits(number, numberScale)] as const);
  const best = book[0]?.[0];
  if (best === undefined || !/[1-9]/.test(giving)) return undefined;
  const within = withinBand(side, best, pair.market_band);
  // A sum buys lots as long as their price, at the scale of both, fits into what is left of it.
  let left =
    side === 'sell'
      ? cut(giving, numberScale)
      : rescale(toUnits(giving, COIN_SCALE), COIN_SCALE, priceScale + numberScale, 'down');
  let lots = 0n;
  let raw = 0n;
  let worst = best;
  let ended = false;
  for (const [ticks, available] of book) {
    if (!within(ticks)) break;
    const wanted = side === 'sell' ? left : left / ticks;
    const take = wanted < available ? wanted : available;
    lots += take;
    raw += take * ticks;
    left -= side === 'sell' ? take : take * ticks;
    if (take > 0n) worst = ticks;
    if (take === wanted) {
      ended = true;
      break;
    }
  }
  if (lots === 0n) return undefined;
  const money = rescale(raw, priceScale + numberScale, COIN_SCALE, side === 'buy' ? 'up' : 'down');
  const base = baseOf(scales, lots);
  const [given, gross] = side === 'sell' ? [base, money] : [money, base];
  const fee = feeOf(gross, percent(pair.taker_fee));
  const coins = (units: bigint): string => formatTrimmed(units, COIN_SCALE);
  return {
    amount: formatTrimmed(lots, numberScale),
    given: coins(given),
    fee: coins(fee),
    received: coins(gross - fee),
    best: formatUnits(best, priceScale),
    mean: formatUnits(divide(raw, lots, 'half_up'), priceScale),
    worst: formatUnits(worst, priceScale),
    whole: ended,
    total: coins(quoteOf(scales, divide(raw, lots, 'down'), lots, 'down')),
  };
}

export type ConvertProblem = 'convert.amountRequired' | 'convert.tooSmall' | 'balance.insufficient' | 'convert.noBook';

/** The first fault of a conversion, in the order of rules §12.6; the server checks again. */
export function convertProblem(
  typed: string,
  available: string | undefined,
  joint: Joint,
  conversion: Conversion | undefined,
  bookEmpty: boolean,
): ConvertProblem | undefined {
  const giving = toDecimalText(typed);
  if (!/[1-9]/.test(giving)) return 'convert.amountRequired';
  if (bookEmpty) return 'convert.noBook';
  if (!conversion || compareDecimals(conversion.total, joint.pair.min_total) < 0) return 'convert.tooSmall';
  if (available !== undefined && compareDecimals(giving, available) > 0) return 'balance.insufficient';
  return undefined;
}

/** The amounts given and received by fills, decimal texts. Each fill carries its money and its fee. */
export function outcomeOf(
  side: Joint['side'],
  fills: readonly { readonly number: string; readonly total: string; readonly fee: string }[],
): { readonly given: string; readonly received: string; readonly fee: string } {
  const sum = (of: 'number' | 'total' | 'fee'): bigint =>
    fills.reduce((total, fill) => total + toUnits(fill[of], COIN_SCALE), 0n);
  const [given, gross] = side === 'sell' ? [sum('number'), sum('total')] : [sum('total'), sum('number')];
  const coins = (units: bigint): string => formatTrimmed(units, COIN_SCALE);
  return { given: coins(given), received: coins(gross - sum('fee')), fee: coins(sum('fee')) };
}
