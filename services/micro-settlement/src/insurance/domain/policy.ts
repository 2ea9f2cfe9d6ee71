import { largestStake, payoutOf, policyStage, type PolicyTerms } from '@bourse/formulas';

/**
 * `waiting`: the ledger has not decided whether it was bought. `active`: its vault pays the contracts of its coin.
 * `claiming`: its claim is with the ledger. The other three are ends (rules §5).
 */
export type PolicyState = 'waiting' | 'active' | 'claiming' | 'claimed' | 'cancelled' | 'ended';

/** Terms agreed at purchase, with the highest number of contracts that may run at once. */
interface AgreedTerms extends PolicyTerms {
  readonly maxOpen: number;
  readonly claimsPerDay: number;
}

/** A policy on one coin of one person. Amounts in units of the coin. */
export interface Policy {
  readonly id: string;
  readonly userId: number;
  readonly typeId: number;
  readonly currencyId: number;
  readonly currencyName: string;
  readonly scale: number;
  readonly amount: bigint;
  readonly premium: bigint;
  /** The insurance account and the stakes that run from it. */
  readonly vault: bigint;
  /** Running contracts, including those that wait for the ledger. */
  readonly running: number;
  readonly terms: AgreedTerms;
  readonly state: PolicyState;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** Why a stake may not be taken from a vault; in the order of rules §12.7. */
export type StakeRefusal =
  | { readonly code: 'claimFirst' }
  | { readonly code: 'stakeMax'; readonly max: bigint }
  | { readonly code: 'openMax'; readonly max: number };

/** Whether a stake may be taken from the vault of a policy; null: it may. */
export function stakeRefusal(
  { amount, vault, terms, state, running }: Pick<Policy, 'amount' | 'vault' | 'terms' | 'state' | 'running'>,
  stake: bigint,
): StakeRefusal | null {
  const stands = policyStage(amount, vault, terms);
  if (state === 'claiming' || stands === 'claim') return { code: 'claimFirst' };
  // A policy that has won enough takes no new contract, and ends when none is running.
  const max = stands === 'end' ? 0n : largestStake(amount, terms);
  if (stake > max) return { code: 'stakeMax', max };
  return running >= terms.maxOpen ? { code: 'openMax', max: terms.maxOpen } : null;
}

/** Whether the loss is large enough for a claim. */
export const isClaimable = ({
  state,
  amount,
  vault,
  terms,
}: Pick<Policy, 'state' | 'amount' | 'vault' | 'terms'>): boolean =>
  state === 'active' && policyStage(amount, vault, terms) === 'claim';

/** Whether the policy ends by itself: it has won enough and no contract is running. */
export const endsNow = ({
  state,
  amount,
  vault,
  terms,
  running,
}: Pick<Policy, 'state' | 'amount' | 'vault' | 'terms' | 'running'>): boolean =>
  state === 'active' && running === 0 && policyStage(amount, vault, terms) === 'end';

/** The house's payment for a claim. */
export const claimPayout = ({ amount, terms }: Pick<Policy, 'amount' | 'terms'>): bigint => payoutOf(amount, terms);

const DAY_MS = 86_400_000;
/** Payouts that were booked for the next day are paid at 00:10 UTC (rules §5, §13). */
const PAY_AFTER_MS = 10 * 60_000;

/** Number of the UTC day of a time. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);
/** Time of a payout that was booked for the day after this time. */
export const nextPayout = (at: number): number => (dayOf(at) + 1) * DAY_MS + PAY_AFTER_MS;

/** A payout of the house for a policy. */
export interface Claim {
  readonly id: string;
  readonly policyId: string;
  readonly userId: number;
  readonly currencyId: number;
  readonly scale: number;
  readonly amount: bigint;
  /** `deciding`: with the ledger at the claim's call. `booked`: for a later day. `paid`. */
  readonly state: 'deciding' | 'booked' | 'paid';
  readonly createdAt: number;
  readonly paidAt: number | null;
}
