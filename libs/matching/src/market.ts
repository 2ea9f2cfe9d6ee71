import { holdOf, PERCENT_SCALE, quoteOf as quoteOfUnits, baseOf as baseOfUnits, walk } from '@bourse/formulas';
import { divide, pow10, rescale, toUnits } from '@bourse/money';
import { BUY, MAX_LOTS, MAX_TICK, type Side } from './book.js';

export { feeOf, percent, PERCENT_SCALE } from '@bourse/formulas';

/**
 * The facts by which the rules of one market count in whole numbers. Prices are ticks of `priceScale`, quantities lots
 * of `numberScale`, money units of its currency's scale.
 */
export interface Market {
  readonly symbol: string;
  readonly pairId: number;
  readonly baseId: number;
  readonly baseName: string;
  readonly baseScale: number;
  readonly quoteId: number;
  readonly quoteName: string;
  readonly quoteScale: number;
  readonly priceScale: number;
  readonly numberScale: number;
  /** Units of the quote. */
  readonly minTotal: bigint;
  /** Percent, at PERCENT_SCALE. */
  readonly makerFee: bigint;
  readonly takerFee: bigint;
  readonly band: bigint;
  /**
   * Accounts that count as one owner: an order of one that meets an order of another is a trade with itself, and is
   * prevented as such. On a production install these are the house's accounts, because no published price or volume may
   * come from the house alone; on a demo install there are none.
   */
  readonly oneOwner?: ReadonlySet<number>;
}

/** Scale of the money that an order holds, and of the money that it receives. */
export const heldCurrency = (market: Market, side: Side): number => (side === BUY ? market.quoteId : market.baseId);
export const heldScale = (market: Market, side: Side): number => (side === BUY ? market.quoteScale : market.baseScale);
export const feeScale = (market: Market, side: Side): number => (side === BUY ? market.baseScale : market.quoteScale);

/** Quote money of ticks and lots; see `quoteOf` of the formulas. */
export const quoteOf = (market: Market, ticks: number, lots: number, rounding: 'down' | 'up'): bigint =>
  quoteOfUnits(market, BigInt(ticks), BigInt(lots), rounding);

/** Base money of a quantity. Exact: a pair never has more decimals than its currency. */
export const baseOf = (market: Market, lots: number): bigint => baseOfUnits(market, BigInt(lots));

/** Highest price a market buy may pay: best ask plus the band, down to a tick. */
export function capOf(market: Market, bestAsk: number): number {
  return Math.min(
    MAX_TICK,
    Number(divide(BigInt(bestAsk) * (pow10(PERCENT_SCALE + 2) + market.band), pow10(PERCENT_SCALE + 2), 'down')),
  );
}

/** Lowest price a market sell may get: best bid minus the band, up to a tick. */
export function floorOf(market: Market, bestBid: number): number {
  return Math.max(
    1,
    Number(divide(BigInt(bestBid) * (pow10(PERCENT_SCALE + 2) - market.band), pow10(PERCENT_SCALE + 2), 'up')),
  );
}

/** Quote units as ticks × lots, the unit of a book's budget; rounded down, so that the book never spends more. */
export function budgetOf(market: Market, quote: bigint): bigint {
  return rescale(quote, market.quoteScale, market.priceScale + market.numberScale, 'down');
}

/** Ticks of a price that our own code wrote. @throws RangeError beyond MAX_TICK. */
export const ticksOf = (market: Market, price: string): number =>
  within(toUnits(price, market.priceScale), MAX_TICK, price);
/** Lots of a quantity that our own code wrote. @throws RangeError beyond MAX_LOTS. */
export const lotsOf = (market: Market, quantity: string): number =>
  within(toUnits(quantity, market.numberScale), MAX_LOTS, quantity);

function within(units: bigint, most: number, text: string): number {
  if (units > BigInt(most)) throw new RangeError(`${text} is above ${most} smallest steps`);
  return Number(units);
}

/** Money a limit order holds, of ticks and lots (rules §2). */
export const limitHold = (market: Market, side: 'buy' | 'sell', ticks: number, lots: number): bigint =>
  holdOf(market, side, BigInt(ticks), BigInt(lots));

/**
 * Money that a stop-market order holds: for a buy, its cost at the stop price plus the band, rounded up, in units of
 * the quote; for a sell, the amount (rules §12.6).
 */
export function stopMarketHold(market: Market, side: 'buy' | 'sell', stop: number, lots: number): bigint {
  if (side === 'sell') return baseOf(market, lots);
  const whole = pow10(PERCENT_SCALE + 2); // 100 percent
  const raw = BigInt(stop) * BigInt(lots) * (whole + market.band);
  return rescale(raw, market.priceScale + market.numberScale + PERCENT_SCALE + 2, market.quoteScale, 'up');
}

/** A level of a published book, in ticks and lots. */
export type DepthLevel = readonly [ticks: number, lots: number];

/** Cost of walking the asks for a quantity up to a cap, rounded up: the minimum hold of a market buy. */
export function costOfWalking(market: Market, asks: readonly DepthLevel[], lots: number, cap: number): bigint {
  const levels = asks.map(([ticks, available]) => [BigInt(ticks), BigInt(available)] as const);
  return walk(market, levels, BigInt(lots), (ticks) => ticks <= BigInt(cap)).cost;
}

/** Units the ledger is to hold; a market buy takes what there is between `min` and `max`. */
export type Hold = bigint | { readonly max: bigint; readonly min: bigint };
/** The price an order may not pass, in ticks, and what is held for it. */
export interface Bounds {
  readonly price: number;
  readonly hold: Hold;
}

/**
 * Cap C, cost W and hold R of a market order (rules §2) by the levels of the other side, best first; undefined when it
 * has none.
 */
export function marketBounds(
  market: Market,
  side: Side,
  quantity: number,
  levels: readonly DepthLevel[],
): Bounds | undefined {
  const best = levels[0]?.[0];
  if (best === undefined) return undefined;
  if (side !== BUY) return { price: floorOf(market, best), hold: baseOf(market, quantity) };
  const price = capOf(market, best);
  const min = costOfWalking(market, levels, quantity, price);
  return { price, hold: { max: quoteOf(market, price, quantity, 'up'), min } };
}
