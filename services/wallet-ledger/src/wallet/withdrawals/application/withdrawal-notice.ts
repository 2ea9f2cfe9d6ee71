import { TOPICS, userNotices, type NoticeKind } from '@bourse/events';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';

/** The terminal's page of withdrawals. */
const LINK = '/coinRecord';

/**
 * Sends a person the notice of a withdrawal's new state, in the transaction that changes it. `number` is decimal text.
 */
export function noticeWithdrawal(
  tx: Tx,
  kind: Extract<NoticeKind, `withdrawal${string}`>,
  { id, userId, number }: { readonly id: string; readonly userId: number; readonly number: string },
  { name, scale }: { readonly name: string; readonly scale: number },
  at: number,
): void {
  const params = { amount: `${formatTrimmed(toUnits(number, scale), scale)} ${name}` };
  tx.emit(
    TOPICS.userNotices,
    0,
    userNotices([{ userId, id: `withdrawal:${id}:${kind}`, kind, params, link: LINK, at }]),
  );
}
