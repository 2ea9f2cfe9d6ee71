import { available, held, type Leg } from '@bourse/events';
import type { MicroResult } from '@bourse/formulas';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { holdOf, reserveOf, type Agreement } from '../domain/contract.js';
import type { Claim, Policy } from '../domain/policy.js';

/* Journals of seconds contracts and insurance, as rules §4 and §5 write them. */

const ISSUER = 'micro-settlement';
/** Causes, as statements and holds show them. */
export const CONTRACT_CAUSE = 'micro';
const POLICY_CAUSE = 'insurance';
const HOUSE = 'h.micro';
const FEES = 'h.fees';
const FUND = 'h.insurance';

/** Account that pays a contract: of its policy where it has one. */
const accountOf = ({ policyId }: Pick<Agreement, 'policyId'>): 'micro' | 'insurance' =>
  policyId === null ? 'micro' : 'insurance';
const houseHeld = (hold: string): string => `${HOUSE}*#${hold}`;

const contractOrder = (contract: Agreement, what: string, onBehalfOf: number | null, legs: Leg[]): LedgerOrder => ({
  issuer: ISSUER,
  userId: contract.userId,
  onBehalfOf,
  journals: [
    { id: `${holdOf(contract.id)}:${what}`, causeType: CONTRACT_CAUSE, causeId: contract.id, legs: moved(legs) },
  ],
});

/** Holds stake, fee and the house's reserve: the ledger may refuse it. The house's leg comes first (rules §12.7). */
export function openOrder(contract: Agreement): LedgerOrder {
  const { userId, currencyId: currency, scale, stake, fee, id } = contract;
  const account = accountOf(contract);
  const hold = holdOf(id);
  const amount = (units: bigint): string => formatUnits(units, scale);
  return contractOrder(contract, 'open', userId, [
    { from: HOUSE, to: houseHeld(hold), currency, amount: amount(reserveOf(contract)) },
    { from: available(userId, account), to: held(userId, account, hold), currency, amount: amount(stake) },
    { from: available(userId, account), to: FEES, currency, amount: amount(fee), fee: true },
  ]);
}

/** The movements of a result: out of the two holds, and at a void the fee is returned. The ledger cannot refuse it. */
export function settleOrder(contract: Agreement, result: MicroResult): LedgerOrder {
  const { userId, currencyId: currency, scale, fee, id } = contract;
  const own = available(userId, accountOf(contract));
  const stake = { from: held(userId, accountOf(contract), holdOf(id)), currency, amount: 'rest' } as const;
  const reserve = { from: houseHeld(holdOf(id)), currency, amount: 'rest' } as const;
  const legs: Leg[] = [
    { ...stake, to: result === 'loss' ? HOUSE : own },
    ...(reserveOf(contract) === 0n ? [] : [{ ...reserve, to: result === 'win' ? own : HOUSE }]),
    ...(result === 'void' ? [{ from: FEES, to: own, currency, amount: formatUnits(fee, scale), fee: true }] : []),
  ];
  return contractOrder(contract, 'settle', null, legs);
}

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

/** Legs that move something. */
const moved = (legs: readonly Leg[]): Leg[] =>
  legs.filter(({ amount }) => typeof amount !== 'string' || !/^0(\.0*)?$/.test(amount));
