import { available, held, type Leg } from '@bourse/events';
import type { LedgerOrder } from '@bourse/ledger-client';
import { formatUnits } from '@bourse/money';
import { cancelFee, holdOf, type Agreement } from '../domain/subscription.js';

/* Journals of fixed terms, as rules §9 writes them. */

const ISSUER = 'savings';
/** Cause, as statements and holds show it. */
const SAVINGS_CAUSE = 'savings';
const HOUSE = 'h.savings';
const FEES = 'h.fees';

const houseHeld = (id: string): string => `${HOUSE}*#${holdOf(id)}`;
const personHeld = ({ userId, id }: Agreement): string => held(userId, 'savings', holdOf(id));
const personFree = ({ userId }: Agreement): string => available(userId, 'change');

const order = (agreement: Agreement, what: string, onBehalfOf: number | null, legs: Leg[]): LedgerOrder => ({
  issuer: ISSUER,
  userId: agreement.userId,
  onBehalfOf,
  journals: [{ id: `${holdOf(agreement.id)}:${what}`, causeType: SAVINGS_CAUSE, causeId: agreement.id, legs }],
});

/** All that is left in the two holds. Terms that bring less than one unit have none of the house. */
const restOf = (agreement: Agreement): { readonly amount: Omit<Leg, 'to'>; readonly profit: Omit<Leg, 'to'>[] } => {
  const currency = agreement.currencyId;
  const rest = (from: string): Omit<Leg, 'to'> => ({ from, currency, amount: 'rest' });
  return {
    amount: rest(personHeld(agreement)),
    profit: agreement.profit === 0n ? [] : [rest(houseHeld(agreement.id))],
  };
};

/** Holds the amount and the profit: the ledger may refuse it. The house's leg comes first (rules §12.10). */
export function subscribeOrder(agreement: Agreement): LedgerOrder {
  const { id, userId, currencyId: currency, scale, amount, profit } = agreement;
  const reserve = { from: HOUSE, to: houseHeld(id), currency, amount: formatUnits(profit, scale) };
  return order(agreement, 'subscribe', userId, [
    ...(profit === 0n ? [] : [reserve]),
    { from: personFree(agreement), to: personHeld(agreement), currency, amount: formatUnits(amount, scale) },
  ]);
}

/** Amount and profit to the person. Nothing may refuse it. */
export function matureOrder(agreement: Agreement): LedgerOrder {
  const to = personFree(agreement);
  const { amount, profit } = restOf(agreement);
  return order(agreement, 'mature', null, [{ ...amount, to }, ...profit.map((leg) => ({ ...leg, to }))]);
}

/** The fee to the house, the remainder of the amount to the person, and the profit back to its source. */
export function cancelOrder(agreement: Agreement): LedgerOrder {
  const { currencyId: currency, scale } = agreement;
  const fee = cancelFee(agreement);
  const { amount, profit } = restOf(agreement);
  const paid: Leg = { from: personHeld(agreement), to: FEES, currency, amount: formatUnits(fee, scale), fee: true };
  return order(agreement, 'cancel', null, [
    ...(fee === 0n ? [] : [paid]),
    ...(fee === agreement.amount ? [] : [{ ...amount, to: personFree(agreement) }]),
    ...profit.map((leg) => ({ ...leg, to: HOUSE })),
  ]);
}
