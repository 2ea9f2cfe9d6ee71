import { TOPICS, userNotices, userNoticesOf, type TypedNotice } from '@bourse/events';
import { formatTrimmed, toUnits } from '@bourse/money';
import type { Tx } from '@bourse/persistence';
import type { DepositRow, NewDeposit } from './ports.js';

/** The terminal's page of deposits. */
const LINK = '/coinRecord';
/** Maximum length of a notice's deduplication key. */
const SOURCE_MAX = 120;

/** Name and decimals of a coin. */
export interface ShownCoin {
  readonly name: string;
  readonly scale: number;
}
const shown = (amount: string, { name, scale }: ShownCoin): string =>
  `${formatTrimmed(toUnits(amount, scale), scale)} ${name}`;
const emitNotice = (tx: Tx, notice: TypedNotice): void => tx.emit(TOPICS.userNotices, 0, userNotices([notice]));

/** Sends notices of the deposits in a block, before they are confirmed: one per payment, whatever its block. */
export function noticeSeen(tx: Tx, deposits: readonly NewDeposit[], coinOf: (currency: number) => ShownCoin): void {
  const notices = deposits.flatMap(({ chain, txId, output, userId, currencyId, amount, seenAt }): TypedNotice[] =>
    userId === null
      ? []
      : [
          {
            userId,
            id: `deposit:${chain}:${txId}:${output}:seen`.slice(0, SOURCE_MAX),
            kind: 'depositSeen',
            params: { amount: shown(amount, coinOf(currencyId)) },
            link: LINK,
            at: seenAt,
          },
        ],
  );
  for (const message of userNoticesOf(notices)) tx.emit(TOPICS.userNotices, 0, message);
}

/** Sends the notice that a deposit is credited, in the transaction that books it. */
export function noticeCredited(tx: Tx, { id, userId, amount }: DepositRow, coin: ShownCoin, at: number): void {
  if (userId === null) return;
  const params = { amount: shown(amount, coin) };
  emitNotice(tx, { userId, id: `deposit:${id}:credited`, kind: 'depositCredited', params, link: LINK, at });
}

/** Sends the notice that a deposit is below the minimum, in the transaction that holds it in suspense. */
export function noticeHeld(tx: Tx, { id, userId, amount, minimum }: DepositRow, coin: ShownCoin, at: number): void {
  if (userId === null) return;
  const params = { amount: shown(amount, coin), minimum: shown(minimum, coin) };
  emitNotice(tx, { userId, id: `deposit:${id}:held`, kind: 'depositHeld', params, link: LINK, at });
}

/** Sends the notice that a deposit was returned, in the transaction that ends its payment. */
export function noticeReturned(tx: Tx, { id, userId, amount }: DepositRow, coin: ShownCoin, at: number): void {
  if (userId === null) return;
  const params = { amount: shown(amount, coin) };
  emitNotice(tx, { userId, id: `deposit:${id}:returned`, kind: 'depositReturned', params, link: LINK, at });
}
