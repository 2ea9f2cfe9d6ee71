import type { Insurance, InsuranceClaim, InsuranceType } from '@bourse/contract';
import { formatUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { isClaimable, type Claim, type Policy } from '../domain/policy.js';
import type { InsuranceTypeRow } from './ports.js';

/* Shapes of the contract with the outside (api §2.6). */

/** `currencyName` of the catalog. */
export const shownType = (row: InsuranceTypeRow, currencyName: string, quotaLeft: string): InsuranceType => ({
  id: row.id,
  currency_id: row.currencyId,
  currency_name: currencyName,
  name: row.name,
  min_amount: row.minAmount,
  max_amount: row.maxAmount,
  premium_rate: row.premiumRate,
  end_profit_rate: row.endProfitRate,
  claim_loss_rate: row.claimLossRate,
  claim_rate: row.claimRate,
  claims_per_day: row.claimsPerDay,
  stake_rate: row.stakeRate,
  max_open: row.maxOpen,
  quota_left: quotaLeft,
});

const STATUS = { waiting: 1, active: 1, claiming: 1, claimed: 2, cancelled: 3, ended: 4 } as const;

export function shownPolicy(policy: Policy): Insurance {
  const { scale } = policy;
  return {
    id: policy.id,
    insurance_type_id: policy.typeId,
    currency_name: policy.currencyName,
    amount: formatUnits(policy.amount, scale),
    premium: formatUnits(policy.premium, scale),
    vault: formatUnits(policy.vault, scale),
    status: STATUS[policy.state],
    claimable: isClaimable(policy) ? 1 : 0,
    created_at: timeText(policy.createdAt),
    ended_at: timeText(policy.endedAt),
  };
}

export const shownClaim = ({ id, policyId, amount, scale, state, createdAt, paidAt }: Claim): InsuranceClaim => ({
  id,
  insurance_id: policyId,
  amount: formatUnits(amount, scale),
  status: state === 'paid' ? 2 : 1,
  created_at: timeText(createdAt),
  paid_at: timeText(paidAt),
});
