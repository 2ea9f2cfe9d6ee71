import type { Insurance, InsuranceType } from '@bourse/contract';
import {
  COIN_SCALE,
  HUNDRED_PERCENT,
  largestStake,
  payoutOf,
  percent,
  premiumOf,
  type PolicyTerms,
} from '@bourse/formulas';
import { compareDecimals, divide, formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { toDecimalText } from '../../../core/ticket/typing.js';
import type { Problems } from '../../../forms/problems.js';

type Rates = Pick<InsuranceType, 'premium_rate' | 'stake_rate' | 'claim_loss_rate' | 'claim_rate' | 'end_profit_rate'>;
export const termsOf = (type: Rates): PolicyTerms => ({
  premiumRate: percent(type.premium_rate),
  stakeRate: percent(type.stake_rate),
  claimLossRate: percent(type.claim_loss_rate),
  claimRate: percent(type.claim_rate),
  endProfitRate: percent(type.end_profit_rate),
});

/** The price and the payout of a policy of an amount: decimal texts. */
export interface PolicyFigures {
  readonly premium: string;
  /** Amount and premium. */
  readonly total: string;
  readonly stake: string;
  /** The vault at which it must be claimed. */
  readonly claimAt: string;
  readonly payout: string;
  /** The vault after a claim. */
  readonly back: string;
  /** The vault at which it ends at profit. */
  readonly endAt: string;
}

/** The worked figures of a type at an amount (rules §5). */
export function policyFigures(amountText: string, type: Rates): PolicyFigures {
  const terms = termsOf(type);
  const amount = toUnits(amountText, COIN_SCALE);
  const text = (value: bigint): string => formatTrimmed(value, COIN_SCALE);
  const premium = premiumOf(amount, terms);
  const payout = payoutOf(amount, terms);
  const claimAt = divide(amount * (HUNDRED_PERCENT - terms.claimLossRate), HUNDRED_PERCENT, 'down');
  return {
    premium: text(premium),
    total: text(amount + premium),
    stake: text(largestStake(amount, terms)),
    claimAt: text(claimAt),
    payout: text(payout),
    back: text(claimAt + payout),
    endAt: text(divide(amount * (HUNDRED_PERCENT + terms.endProfitRate), HUNDRED_PERCENT, 'up')),
  };
}

/** Faults of the form that buys, in the order of rules §12.7. */
export function buyProblems(
  { amount, password }: { amount: string; password: string },
  type: InsuranceType,
  available: string | undefined,
): Problems<'amount' | 'password'> {
  const typed = toDecimalText(amount);
  const word = /^[A-Za-z0-9]{6}$/.test(password) ? {} : { password: 'fund.format' };
  if (!/^[1-9]\d*$/.test(typed)) return { amount: 'insurance.whole', ...word };
  if (compareDecimals(typed, type.min_amount) < 0 || compareDecimals(typed, type.max_amount) > 0)
    return { amount: 'insurance.range', ...word };
  if (compareDecimals(typed, type.quota_left) > 0) return { amount: 'insurance.quotaLeft', ...word };
  if (available !== undefined && compareDecimals(policyFigures(typed, type).total, available) > 0)
    return { amount: 'insurance.tooLittle', ...word };
  return word;
}

/** The vault in percent of the amount, two decimals, cut. */
export function vaultPercent({ amount, vault }: Pick<Insurance, 'amount' | 'vault'>): string {
  const whole = toUnits(amount, COIN_SCALE);
  return whole === 0n ? '0.00' : formatUnits(divide(toUnits(vault, COIN_SCALE) * 10_000n, whole, 'down'), 2);
}
