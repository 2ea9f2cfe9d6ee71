import { TOPICS, userNotices, type TypedNotice } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { cancelFee, holdOf, type Accepted } from '../domain/subscription.js';

/** Notices of one message: it stays far below the largest that the log takes. */
const NOTICES_MAX = 200;
/** The terminal's list of subscriptions. */
const LINK = '/manageList';

/** Notifies the owners of subscriptions that these have ended, in the transaction that ends them (api §2.10). */
export function publishEnded(tx: Tx, ended: readonly Accepted[]): void {
  for (let from = 0; from < ended.length; from += NOTICES_MAX)
    tx.emit(TOPICS.userNotices, 0, userNotices(ended.slice(from, from + NOTICES_MAX).map(noticeOf)));
}

/** Matured: the amount and its interest have come back. Cancelled: the amount less the fee, and no interest. */
export function noticeOf(subscription: Accepted): TypedNotice {
  const { id, userId, state, amount, profit, scale, currencyName: currency, endedAt } = subscription;
  if (endedAt === null) throw new Error(`invariant: the end of subscription ${id} is reported before it has come`);
  const told = { userId, id: `${holdOf(id)}:${state}`, link: LINK, at: endedAt };
  const text = (units: bigint): string => formatTrimmed(units, scale);
  if (state === 'matured')
    return { ...told, kind: 'savingsMatured', params: { amount: text(amount), profit: text(profit), currency } };
  const fee = cancelFee(subscription);
  return { ...told, kind: 'savingsCancelled', params: { amount: text(amount - fee), currency, fee: text(fee) } };
}
