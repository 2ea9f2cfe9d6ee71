import { available, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { ISSUER, moved } from '../../shared/application/journals.js';
import type { Claim, Policy } from '../domain/policy.js';

/* Journals of insurance, as rules §5 writes them. */

/** Cause, as statements show it. */
const POLICY_CAUSE = 'insurance';
const FUND = 'h.insurance';

const policyOrder = (
  policy: Pick<Policy, 'id' | 'userId'>,
  onBehalfOf: number | null,
): Omit<LedgerOrder, 'journals'> => ({
  issuer: ISSUER,
  userId: policy.userId,
  onBehalfOf,
});
const policyJournal = (policyId: string, what: string, legs: Leg[]): LedgerOrder['journals'] =>
  moved(legs).length === 0
    ? []
    : [{ id: `insurance:${policyId}:${what}`, causeType: POLICY_CAUSE, causeId: policyId, legs: moved(legs) }];

/** Amount into the vault, premium to the house: it may be refused. */
export function buyOrder(policy: Policy): LedgerOrder {
  const { id, userId, currencyId: currency, scale, amount, premium } = policy;
  return {
    ...policyOrder(policy, userId),
    journals: policyJournal(id, 'buy', [
      {
        from: available(userId, 'micro'),
        to: available(userId, 'insurance'),
        currency,
        amount: formatUnits(amount, scale),
      },
      { from: available(userId, 'micro'), to: FUND, currency, amount: formatUnits(premium, scale) },
    ]),
  };
}

/**
 * Returns the remainder of the vault of a policy that ends; nothing else debits the vault, so the ledger cannot refuse
 * it.
 */
const vaultJournal = (policy: Policy): LedgerOrder['journals'] =>
  policyJournal(policy.id, 'end', [
    {
      from: available(policy.userId, 'insurance'),
      to: available(policy.userId, 'micro'),
      currency: policy.currencyId,
      amount: formatUnits(policy.vault, policy.scale),
    },
  ]);
const payoutJournal = ({ policyId, userId, currencyId: currency, scale, amount }: Claim): LedgerOrder['journals'] =>
  policyJournal(policyId, 'payout', [
    { from: FUND, to: available(userId, 'micro'), currency, amount: formatUnits(amount, scale) },
  ]);

/** The vault back to the micro account. */
export const vaultOrder = (policy: Policy): LedgerOrder => ({
  ...policyOrder(policy, null),
  journals: vaultJournal(policy),
});
/** A claim that is paid at once: vault and payout together, or neither. */
export const claimOrder = (policy: Policy, claim: Claim): LedgerOrder => ({
  ...policyOrder(policy, null),
  journals: [...vaultJournal(policy), ...payoutJournal(claim)],
});
/** A payout that was booked for a later day. */
export const payoutOrder = (claim: Claim): LedgerOrder => ({
  ...policyOrder({ id: claim.policyId, userId: claim.userId }, null),
  journals: payoutJournal(claim),
});
