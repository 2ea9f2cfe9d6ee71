import { FIAT_SCALES, type Ad, type CoinCode } from '@bourse/contract';
import { COIN_SCALE, dealFee, dealHold, dealMoney, numberFor, percent } from '@bourse/formulas';
import { compareDecimals, decimals, formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { toDecimalText } from '../../core/ticket/typing.js';
import type { Problems } from '../../forms/problems.js';

/** Decimals of a price in fiat currency. */
export const PRICE_SCALE = 2;

/** The intention of a visitor of the market. A buyer reads `sell` ads. */
export type Side = 'buy' | 'sell';
export const adTypeFor = (side: Side): Ad['type'] => (side === 'buy' ? 'sell' : 'buy');
export const sideOf = ({ type }: Pick<Ad, 'type'>): Side => (type === 'sell' ? 'buy' : 'sell');

export interface DealFigures {
  /** The fiat amount to pay, at the scale of its currency. */
  readonly money: string;
  /** The fee that the seller of the coins pays on top, in coins. */
  readonly fee: string;
  /** Coins and fee: what is held of the seller's. */
  readonly hold: string;
}
/** The figures of a number of coins; undefined while there is no number or no price. */
export function dealFigures(
  numberText: string,
  priceText: string,
  coin: CoinCode,
  feeRate: string,
): DealFigures | undefined {
  const [number, price] = [toDecimalText(numberText), toDecimalText(priceText)];
  if (!isPositive(number) || !isPositive(price)) return undefined;
  const units = toUnits(number, COIN_SCALE);
  const rate = percent(feeRate);
  const scale = FIAT_SCALES[coin];
  const places = decimals(price);
  return {
    money: formatUnits(dealMoney(units, COIN_SCALE, toUnits(price, places), places, scale), scale),
    fee: formatTrimmed(dealFee(units, rate), COIN_SCALE),
    hold: formatTrimmed(dealHold(units, rate), COIN_SCALE),
  };
}

/** The most coins for an amount of fiat at a price; empty where there are none. */
export function coinsFor(moneyText: string, price: string, coin: CoinCode): string {
  const money = toDecimalText(moneyText);
  if (!isPositive(money) || !isPositive(price)) return '';
  const places = decimals(price);
  const scale = FIAT_SCALES[coin];
  return formatTrimmed(numberFor(toUnits(money, scale), scale, toUnits(price, places), places, COIN_SCALE), COIN_SCALE);
}

type Offer = Pick<Ad, 'min_number' | 'max_number' | 'surplus_number' | 'price' | 'coin_code'>;
const smaller = (a: string, b: string): string => (compareDecimals(a, b) <= 0 ? a : b);
/** The least and the most that can be taken of an ad. When less than the least is left, only the whole rest can. */
export function limitsOf({ min_number: min, max_number: max, surplus_number: surplus }: Offer): {
  min: string;
  max: string;
} {
  const most = isPositive(max) ? smaller(max, surplus) : surplus;
  return { min: isPositive(min) ? smaller(min, most) : '0', max: most };
}

/** Faults of the dialog that takes an ad; `available` is of the fiat account where the taker sells. */
export function takeProblems(
  { number, password }: { number: string; password: string },
  ad: Offer & Pick<Ad, 'type' | 'fee_rate'>,
  available: string | undefined,
): Problems<'number' | 'password'> {
  const typed = toDecimalText(number);
  const word = passwordProblem(password);
  if (!isPositive(typed)) return { number: 'deals.problem.number', ...word };
  const { min, max } = limitsOf(ad);
  if (compareDecimals(typed, min) < 0 || compareDecimals(typed, max) > 0)
    return { number: 'deals.problem.limits', ...word };
  const hold = dealFigures(typed, ad.price, ad.coin_code, ad.fee_rate)?.hold;
  if (ad.type === 'buy' && available !== undefined && hold !== undefined && compareDecimals(hold, available) > 0)
    return { number: 'deals.problem.balance', ...word };
  return word;
}

/** An ad as it is typed. */
export interface AdDraft {
  readonly number: string;
  readonly price: string;
  readonly min: string;
  readonly max: string;
  readonly minutes: string;
  readonly password: string;
}
export const EMPTY_AD: AdDraft = { number: '', price: '', min: '', max: '', minutes: '1440', password: '' };
/** Minutes that a buyer may have to pay (api §2.7). */
export const PAY_MINUTES = ['15', '30', '60', '180', '1440'] as const;

/** The draft with the numbers as they are sent, by `toDecimalText`. */
export const toSentDraft = (draft: AdDraft): AdDraft => ({
  ...draft,
  number: toDecimalText(draft.number),
  price: toDecimalText(draft.price),
  min: toDecimalText(draft.min),
  max: toDecimalText(draft.max),
});

/**
 * Faults of the form that publishes, in the order of rules §12.8. @param needsLimits a shop names both limits
 * @param available of the account that a `sell` ad is paid from; undefined: not known, or nothing is held
 */
export function adProblems(
  draft: AdDraft,
  {
    needsLimits = false,
    hold,
    available,
  }: { needsLimits?: boolean; hold: string | undefined; available: string | undefined },
): Problems<'number' | 'price' | 'min' | 'max' | 'password'> {
  const { number, price, min, max } = toSentDraft(draft);
  const problems: Problems<'number' | 'price' | 'min' | 'max' | 'password'> = {};
  if (!isPositive(number)) problems.number = 'deals.problem.number';
  else if (hold !== undefined && available !== undefined && compareDecimals(hold, available) > 0)
    problems.number = 'deals.problem.balance';
  if (!isPositive(price)) problems.price = 'deals.problem.price';
  if (needsLimits && !isPositive(min)) problems.min = 'deals.problem.min';
  if (needsLimits && !isPositive(max)) problems.max = 'deals.problem.max';
  if (isPositive(min) && isPositive(max) && compareDecimals(max, min) < 0) problems.max = 'deals.problem.maxBelowMin';
  else if (isPositive(number)) {
    if (isPositive(min) && compareDecimals(min, number) > 0) problems.min = 'deals.problem.aboveNumber';
    if (isPositive(max) && compareDecimals(max, number) > 0) problems.max = 'deals.problem.aboveNumber';
  }
  return { ...problems, ...passwordProblem(draft.password) };
}

export const passwordProblem = (password: string): Problems<'password'> =>
  /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
const isPositive = (text: string): boolean => /^\d+(\.\d+)?$/.test(text) && /[1-9]/.test(text);
