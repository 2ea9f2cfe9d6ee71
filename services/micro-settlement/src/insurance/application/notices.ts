import type { TypedNotice } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import type { Claim, Policy } from '../domain/policy.js';

/** The personal notice that the insurance has paid. */
export const paidNotice = (
  { id, userId, amount, scale }: Claim,
  { currencyName }: Policy,
  at: number,
): TypedNotice => ({
  userId,
  id: `claim:${id}:paid`,
  kind: 'claimPaid',
  params: { amount: `${formatTrimmed(amount, scale)} ${currencyName}` },
  link: '/microInsurance',
  at,
});
