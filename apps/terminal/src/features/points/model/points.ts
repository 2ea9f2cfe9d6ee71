import type { Points } from '@bourse/contract';
import { COIN_SCALE, percent, pointsCoins, pointsPrice, POINTS_PAID_SCALE, type PointsTerms } from '@bourse/formulas';
import { compareDecimals, formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import { isTooShort } from '../../../forms/password-length.js';
import type { Problems } from '../../../forms/problems.js';

const unitsOf = (text: string): bigint => toUnits(text, COIN_SCALE);
const termsOf = (points: Points): PointsTerms => ({
  price: unitsOf(points.jc_price),
  marketPrice: unitsOf(points.market_price),
  difference: unitsOf(points.jc_price_difference),
  fee: percent(points.jc_exchange_fee),
});

/** The price shown: market price and difference (rules §10). */
export const shownPrice = (points: Points): string => formatTrimmed(pointsPrice(termsOf(points)), COIN_SCALE);

/** The value of typed points, two decimals, by the formula of the service; undefined where it cannot be computed. */
export function coinsFor(typed: string, points: Points): string | undefined {
  const amount = toDecimalText(typed);
  const terms = termsOf(points);
  if (!/[1-9]/.test(amount) || pointsPrice(terms) <= 0n) return undefined;
  return formatUnits(pointsCoins(unitsOf(amount), COIN_SCALE, terms), POINTS_PAID_SCALE);
}

/** Faults of an exchange, in the order of rules §12.10. */
export function exchangeProblems(typed: string, points: Points | undefined): Problems<'amount'> {
  const amount = toDecimalText(typed);
  if (!/[1-9]/.test(amount)) return { amount: 'points.amountRequired' };
  if (points && compareDecimals(amount, points.free_jc_integral) > 0) return { amount: 'points.notEnough' };
  return {};
}

/** Account and password of the third party take this many characters (rules §16). */
export const BIND_MAX = 20;

/** Faults of a binding, in the order of rules §12.10. */
export function bindProblems({
  account,
  password,
}: {
  account: string;
  password: string;
}): Problems<'account' | 'password'> {
  return {
    ...(account.trim() === '' ? { account: 'points.accountRequired' } : {}),
    ...(password === '' ? { password: 'points.passwordRequired' } : {}),
  };
}

/** Faults of the points login: an account and a password of at least 6 characters (rules §12.1). */
export function pointsLoginProblems({
  account,
  password,
}: {
  account: string;
  password: string;
}): Problems<'account' | 'password'> {
  return {
    ...(account.trim() === '' ? { account: 'set.enterAccount' } : {}),
    ...(isTooShort(password) ? { password: 'login.psw6' } : {}),
  };
}
