import { divide, pow10, type Rounding } from '@bourse/money';
import { HUNDRED_PERCENT } from './percent.js';
import type { PairScales } from './spot.js';

/** A long gains when the mark price rises, a short when it falls. */
export type Direction = 'long' | 'short';

/**
 * The decimals of a leveraged pair: prices are ticks of `priceScale`, numbers lots of `numberScale`, money units of
 * `quoteScale`.
 */
export type LeverScales = Pick<PairScales, 'priceScale' | 'numberScale' | 'quoteScale'>;

/** A position as its risk needs it. */
export interface LeverPosition {
  readonly direction: Direction;
  /** Opening price in ticks, spread included. */
  readonly price: bigint;
  readonly lots: bigint;
  /** The remaining margin, in quote units: overnight fees lower it. */
  readonly margin: bigint;
}

/** All positions of one user in one quote: the margin ratio is cross, over all positions of the quote (rules §3). */
export interface LeverAccount {
  /** Available lever balance of the quote. */
  readonly balance: bigint;
  /** Σ caution_money over positions in status 1 and 2. */
  readonly margin: bigint;
  /** Σ origin_caution_money over the same. */
  readonly initialMargin: bigint;
  /** Σ profits over the same, at the mark price. */
  readonly profits: bigint;
}

/** Decimals of hazard_rate (rules §3). */
const RATE_SCALE = 2;

/**
 * Opening price in ticks: the base price moved by the spread against the opener, up for a long, down for a short, to
 * the price scale (rules §3). `spread` is a percentage at PERCENT_SCALE.
 */
export function openingPrice(direction: Direction, base: bigint, spread: bigint): bigint {
  return direction === 'long'
    ? divide(base * (HUNDRED_PERCENT + spread), HUNDRED_PERCENT, 'up')
    : divide(base * (HUNDRED_PERCENT - spread), HUNDRED_PERCENT, 'down');
}

/** The amounts that opening a position takes. */
export interface LeverCost {
  /** Price × number, up. */
  readonly contractValue: bigint;
  /** Margin: contract value / multiple, up. */
  readonly margin: bigint;
  /** Fee on the contract value, up. */
  readonly fee: bigint;
}

/**
 * Contract value, margin and fee of a position, each of the exact product and rounded once, up, because the user pays
 * them (rules §3). `feeRate` is a percentage at PERCENT_SCALE.
 */
export function openingCost(
  scales: LeverScales,
  price: bigint,
  lots: bigint,
  leverage: bigint,
  feeRate: bigint,
): LeverCost {
  return {
    contractValue: asQuote(scales, price * lots, 1n, 'up'),
    margin: asQuote(scales, price * lots, leverage, 'up'),
    fee: asQuote(scales, price * lots * feeRate, HUNDRED_PERCENT, 'up'),
  };
}

/**
 * Profit or loss at a price: (update_price − price) × number for a long, negated for a short, rounded towards the
 * smaller: a gain down, a loss up (rules §3).
 */
export function profitsAt(
  scales: LeverScales,
  { direction, price, lots }: Pick<LeverPosition, 'direction' | 'price' | 'lots'>,
  mark: bigint,
): bigint {
  const raw = (direction === 'long' ? mark - price : price - mark) * lots;
  return asQuote(scales, raw, 1n, 'floor');
}

/** The equity of the account: balance, margins and profits. May be negative. */
export const equityOf = ({ balance, margin, profits }: LeverAccount): bigint => balance + margin + profits;

/**
 * hazard_rate: 100 × equity / Σ origin_caution_money as units of two decimals, half up; 0 without positions (rules §3).
 * For display only: decisions use `ratePasses` on the exact fraction.
 */
export function marginRatio(account: LeverAccount): bigint {
  if (account.initialMargin === 0n) return 0n;
  return divide(equityOf(account) * 100n * pow10(RATE_SCALE), account.initialMargin, 'half_up');
}

/** Whether the exact rate is `rate` percent (PERCENT_SCALE) or more; without positions every rate passes. */
export const ratePasses = (account: LeverAccount, rate: bigint): boolean =>
  equityOf(account) * HUNDRED_PERCENT >= account.initialMargin * rate;

/** Whether the account is liquidated: it has positions, and the exact rate is `burst` percent or less (rules §3). */
export const isLiquidated = (account: LeverAccount, liquidationRate: bigint): boolean =>
  account.initialMargin > 0n && equityOf(account) * HUNDRED_PERCENT <= account.initialMargin * liquidationRate;

/**
 * liquidation_price in ticks: the first price at which the account is liquidated while all other positions stay as they
 * are; for a long the largest such tick, for a short the smallest; never below 0 (rules §3). `account` includes the
 * position itself and its profits at the mark.
 */
export function liquidationPrice(
  scales: LeverScales,
  position: LeverPosition,
  account: LeverAccount,
  mark: bigint,
  liquidationRate: bigint,
): bigint {
  // The loss that is possible before the rate is reached: equity without this position's profits, less the required
  // margin.
  const others = equityOf(account) - profitsAt(scales, position, mark);
  const spare = others * HUNDRED_PERCENT - account.initialMargin * liquidationRate;
  const { numerator, denominator } = tickShare(scales, spare, position.lots * HUNDRED_PERCENT);
  const tick =
    position.direction === 'long'
      ? divide(position.price * denominator - numerator, denominator, 'floor')
      : divide(position.price * denominator + numerator, denominator, 'ceiling');
  return tick > 0n ? tick : 0n;
}

/**
 * The amount that can be transferred out of the lever account while positions are open: so much that the margin ratio
 * stays at `rate` percent or more, down, at most the available balance; all of it without positions (rules §3).
 */
export function transferable(account: LeverAccount, rate: bigint): bigint {
  if (account.initialMargin === 0n) return account.balance;
  const spare = divide(equityOf(account) * HUNDRED_PERCENT - account.initialMargin * rate, HUNDRED_PERCENT, 'floor');
  return spare <= 0n ? 0n : spare < account.balance ? spare : account.balance;
}

/** The terms of one position: its cost per contract, and its effect on the account at the present mark price. */
export interface LeverOffer {
  readonly scales: LeverScales;
  readonly direction: Direction;
  /** Opening price and mark price in ticks. */
  readonly price: bigint;
  readonly mark: bigint;
  /** Lots of one contract. */
  readonly contractLots: bigint;
  readonly leverage: bigint;
  /** Percentages at PERCENT_SCALE. */
  readonly feeRate: bigint;
  readonly openRate: bigint;
}

/** The account after the position of an offer is opened; null when its balance does not cover margin and fee. */
export function accountAfter(account: LeverAccount, offer: LeverOffer, contracts: bigint): LeverAccount | null {
  const lots = offer.contractLots * contracts;
  const { margin, fee } = openingCost(offer.scales, offer.price, lots, offer.leverage, offer.feeRate);
  if (account.balance < margin + fee) return null;
  return {
    balance: account.balance - margin - fee,
    margin: account.margin + margin,
    initialMargin: account.initialMargin + margin,
    profits:
      account.profits + profitsAt(offer.scales, { direction: offer.direction, price: offer.price, lots }, offer.mark),
  };
}

/** The most contracts that `maxContracts` considers without another limit: far more than any balance covers. */
const CONTRACTS_MOST = 10n ** 15n;

/**
 * Largest number of contracts, at most `limit` (0: none), whose margin and fee the balance covers and after which the
 * rate is `openRate` or more (rules §3). Found by halving: each further contract lowers the rate.
 */
export function maxContracts(account: LeverAccount, offer: LeverOffer, limit: bigint): bigint {
  const fits = (contracts: bigint): boolean => {
    const after = accountAfter(account, offer, contracts);
    return after !== null && ratePasses(after, offer.openRate);
  };
  let fitting = 0n;
  let tooMany = (limit > 0n && limit < CONTRACTS_MOST ? limit : CONTRACTS_MOST) + 1n;
  while (tooMany - fitting > 1n) {
    const middle = (fitting + tooMany) / 2n;
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

/** Night fee of a position: price × number × rate, up (rules §3). `rate` is a percentage at PERCENT_SCALE. */
export const overnightFee = (
  scales: LeverScales,
  { price, lots }: Pick<LeverPosition, 'price' | 'lots'>,
  rate: bigint,
): bigint => asQuote(scales, price * lots * rate, HUNDRED_PERCENT, 'up');

/** The payment of an overnight fee: the margin pays first, then the balance, down to 0 (rules §3). */
export function payOvernight(
  fee: bigint,
  margin: bigint,
  balance: bigint,
): { fromMargin: bigint; fromBalance: bigint } {
  const fromMargin = fee < margin ? fee : margin;
  const rest = fee - fromMargin;
  return { fromMargin, fromBalance: rest < balance ? rest : balance > 0n ? balance : 0n };
}

/**
 * The result of a close: the balance, and the amount that the house's fund pays because losses exceed it (rules §3).
 */
export function closing(balance: bigint, margin: bigint, profits: bigint): { balance: bigint; shortfall: bigint } {
  const after = balance + margin + profits;
  return after < 0n ? { balance: 0n, shortfall: -after } : { balance: after, shortfall: 0n };
}

/** The reason why a stop is not allowed: on the wrong side of price or mark, or beyond the liquidation price. */
export type StopFault = 'side' | 'beyond_liquidation';

/**
 * Whether a target and a stop are allowed: for a long the target above opening and mark price, the stop below both and
 * above the liquidation price; mirrored for a short (rules §3). 0 is none.
 */
export function stopFault(
  direction: Direction,
  prices: { readonly price: bigint; readonly mark: bigint; readonly liquidation: bigint },
  stops: { readonly target: bigint; readonly stop: bigint },
): StopFault | null {
  const sign = direction === 'long' ? 1n : -1n;
  const above = (a: bigint, b: bigint): boolean => sign * (a - b) > 0n;
  const { price, mark, liquidation } = prices;
  if (stops.target !== 0n && !(above(stops.target, price) && above(stops.target, mark))) return 'side';
  if (stops.stop === 0n) return null;
  if (!(above(price, stops.stop) && above(mark, stops.stop))) return 'side';
  return above(stops.stop, liquidation) ? null : 'beyond_liquidation';
}

/** A product of ticks and lots over `denominator` as quote money, rounded once. */
const asQuote = (
  { priceScale, numberScale, quoteScale }: LeverScales,
  product: bigint,
  denominator: bigint,
  rounding: Rounding,
): bigint => divide(product * pow10(quoteScale), denominator * pow10(priceScale + numberScale), rounding);

/** Quote units over lots as a fraction of ticks. */
function tickShare(
  { priceScale, numberScale, quoteScale }: LeverScales,
  units: bigint,
  lots: bigint,
): { numerator: bigint; denominator: bigint } {
  return { numerator: units * pow10(priceScale + numberScale), denominator: lots * pow10(quoteScale) };
}
