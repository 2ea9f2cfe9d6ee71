import { TOPICS, userNotices } from '@bourse/events';
import { formatTrimmed } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import { holdOf, type Accepted } from '../domain/subscription.js';

/** Notices of one message: it stays far below the largest that the log takes. */
const NOTICES_MAX = 200;
/** Where the terminal lists subscriptions. */
const LINK = '/manageList';

/** Tells the owners of subscriptions that these have ended, in the transaction that ends them (api §2.10). */
export function tellEnded(tx: Tx, ended: readonly Accepted[]): void {
  for (let from = 0; from < ended.length; from += NOTICES_MAX)
    tx.emit(TOPICS.userNotices, 0, userNotices(ended.slice(from, from + NOTICES_MAX).map(noticeOf)));
}

function noticeOf({ id, userId, state, amount, profit, scale, currencyName, endedAt }: Accepted) {
  if (endedAt === null) throw new Error(`invariant: the end of subscription ${id} is told before it has come`);
  return {
    userId,
    id: `${holdOf(id)}:${state}`,
    kind: state === 'matured' ? ('savingsMatured' as const) : ('savingsCancelled' as const),
    params: {
      amount: formatTrimmed(amount, scale),
      profit: formatTrimmed(profit, scale),
      currency: currencyName,
    },
    link: LINK,
    at: endedAt,
  };
}
