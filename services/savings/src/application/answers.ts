import type { SavingsConfig, SavingsOrder } from '@bourse/contract';
import { percent, PERCENT_SCALE } from '@bourse/formulas';
import { formatTrimmed, formatUnits, toUnits } from '@bourse/money';
import { timeText } from '@bourse/platform';
import { accruedAt, type Accepted, type SubscriptionState } from '../domain/subscription.js';
import type { DepositConfig } from './savings-ports.js';

/* Shapes of the contract with the outside (api §2.8). */

/** States by the numbers of the contract. */
const STATUS = { accruing: 1, matured: 2, cancelled: 3 } as const;
const statusOf = (state: SubscriptionState): SavingsOrder['status'] => {
  if (state === 'waiting') throw new Error('invariant: a subscription is shown that the ledger has not accepted');
  return STATUS[state];
};

/** A percentage without trailing zeros. */
export const shownRate = (rate: bigint): string => formatTrimmed(rate, PERCENT_SCALE);

/** A subscription as its owner sees it at a time. */
export function shownSubscription(subscription: Accepted, now: number, dayMs: number): SavingsOrder {
  const { scale } = subscription;
  return {
    id: subscription.id,
    currency_id: subscription.currencyId,
    currency_name: subscription.currencyName,
    amount: formatUnits(subscription.amount, scale),
    day: subscription.day,
    total_rate: shownRate(subscription.rate),
    profit: formatUnits(subscription.profit, scale),
    accrued: formatUnits(accruedAt(subscription, now, dayMs), scale),
    cancel_rate: shownRate(subscription.cancelRate),
    created_at: timeText(subscription.createdAt),
    start_at: timeText(subscription.startAt),
    end_at: timeText(subscription.endAt),
    status: statusOf(subscription.state),
  };
}

/** A term on offer; `scale` of its currency. */
export const shownConfig = (
  { id, currencyId, day, interestRate, saveMin }: DepositConfig,
  scale: number,
  cancelRate: bigint,
): SavingsConfig => ({
  id,
  currency_id: currencyId,
  day,
  interest_rate: shownRate(percent(interestRate)),
  save_min: formatUnits(toUnits(saveMin, scale), scale),
  cancel_rate: shownRate(cancelRate),
});
