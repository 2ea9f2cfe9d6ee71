import { percentOf } from '@bourse/money';
import { HUNDRED_PERCENT, PERCENT_SCALE } from './percent.js';

/** The terms of a policy. Percentages at PERCENT_SCALE, copied into the policy when it is bought (rules §5). */
export interface PolicyTerms {
  readonly premiumRate: bigint;
  readonly stakeRate: bigint;
  readonly claimLossRate: bigint;
  readonly claimRate: bigint;
  readonly endProfitRate: bigint;
}

/** Premium on top of the amount, rounded up. */
export const premiumOf = (amount: bigint, { premiumRate }: PolicyTerms): bigint =>
  percentOf(amount, premiumRate, PERCENT_SCALE, 'up');

/** Largest stake of one contract under the policy, rounded down. */
export const largestStake = (amount: bigint, { stakeRate }: PolicyTerms): bigint =>
  percentOf(amount, stakeRate, PERCENT_SCALE, 'down');

/**
 * The actions that a policy allows at this vault: `claim` when so much is lost that it must be claimed, `end` when so
 * much was won that it takes no new contract and ends when none is running, else `trade`. The vault counts running
 * stakes.
 */
export function policyStage(amount: bigint, vault: bigint, terms: PolicyTerms): 'trade' | 'claim' | 'end' {
  const share = vault * HUNDRED_PERCENT;
  if (share <= amount * (HUNDRED_PERCENT - terms.claimLossRate)) return 'claim';
  return share >= amount * (HUNDRED_PERCENT + terms.endProfitRate) ? 'end' : 'trade';
}

/** The house's payment for a claim, besides the returned vault, rounded down. */
export const payoutOf = (amount: bigint, { claimRate }: PolicyTerms): bigint =>
  percentOf(amount, claimRate, PERCENT_SCALE, 'down');
