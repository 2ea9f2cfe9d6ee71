import { available, held, type Leg } from '@bourse/events';
import type { MicroResult } from '@bourse/formulas';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { ISSUER, moved } from '../../shared/application/journals.js';
import { holdOf, reserveOf, type Agreement } from '../domain/contract.js';

/* Journals of seconds contracts, as rules §4 writes them. */

/** Cause, as statements and holds show it. */
export const CONTRACT_CAUSE = 'micro';
const HOUSE = 'h.micro';
const FEES = 'h.fees';

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
