import { z } from 'zod';
import { defineEvent, ms, userId, type Message } from '../define.js';
import { TOPICS } from '../topics.js';

/**
 * The kinds of personal notice (api §2.10), with the names of the params that their texts `notice.<kind>.title` and
 * `notice.<kind>.content` show. Values are written as people read them: an amount with its coin, a pair by its symbol.
 */
export const NOTICE_PARAMS = {
  depositSeen: ['amount'],
  depositCredited: ['amount'],
  /** Below the minimum: it waits until more comes. */
  depositHeld: ['amount', 'minimum'],
  depositReturned: ['amount'],
  withdrawalPlaced: ['amount'],
  withdrawalSent: ['amount'],
  withdrawalDone: ['amount'],
  withdrawalRejected: ['amount'],
  /** `amount` bears its sign. */
  balanceAdjusted: ['amount'],
  orderFilled: ['symbol', 'number', 'price'],
  /** The filled amount is less than a lot, or the money for the exits has been moved away. */
  exitsDropped: ['symbol'],
  positionRisk: ['symbol', 'profit'],
  positionStop: ['symbol', 'profit'],
  positionTarget: ['symbol', 'profit'],
  /** Closed because its profit covers the loss of another position. */
  positionCover: ['symbol', 'profit'],
  positionOpened: ['symbol', 'price'],
  microSettled: ['symbol', 'amount', 'profit'],
  claimPaid: ['amount'],
  dealOpened: ['number', 'money'],
  dealPaid: ['number', 'money'],
  dealReleased: ['number', 'money'],
  dealCancelled: ['number', 'money'],
  dealExpired: ['number', 'money'],
  dealReminder: ['number', 'money', 'minutes'],
  /** By an operator: the remainder of an ad was returned to its owner. */
  adRemoved: ['number', 'reason'],
  appealOpened: ['number', 'money'],
  appealWithdrawn: ['number', 'money'],
  appealDecided: ['number', 'money'],
  acceptorPlaced: ['amount'],
  acceptorRejected: ['amount'],
  /** Confirmed by time, and undone by an objection. */
  acceptorReturned: ['amount'],
  acceptorTransferred: ['amount'],
  acceptorObjected: ['amount'],
  acceptorDone: ['amount'],
  savingsMatured: ['amount', 'profit', 'currency'],
  /** `amount` is the returned part: the subscribed amount less `fee`. */
  savingsCancelled: ['amount', 'currency', 'fee'],
  rebatePaid: ['amount'],
  pointsBooked: ['amount'],
  rankRisen: ['rank'],
  newDevice: ['time', 'address'],
  passwordChanged: [],
  authenticatorChanged: [],
  passkeyChanged: [],
  accountFrozen: [],
  accountUnfrozen: [],
  identityPassed: [],
  identityRejected: ['reason'],
  shopPassed: ['shop'],
  shopRejected: ['shop', 'reason'],
  complaintAnswered: ['subject'],
  /** From an operator: its texts travel with it. */
  message: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type NoticeKind = keyof typeof NOTICE_PARAMS;
export const NOTICE_KINDS = Object.keys(NOTICE_PARAMS) as [NoticeKind, ...NoticeKind[]];

/**
 * Personal notices to be written: emitted by the service that makes them true, in the same transaction; one message may
 * hold many. `id` identifies an event for a person (`deal:42:paid`): a second notice with the same id is ignored.
 * `params` fill the texts; `link` is an address of the terminal, `''` for none. The notices service writes and pushes
 * them.
 */
export const UserNoticesV1 = defineEvent({
  type: 'user.notices',
  version: 1,
  topic: TOPICS.userNotices,
  key: () => 'notices',
  schema: z.object({
    notices: z
      .array(
        z.object({
          userId,
          id: z.string().min(1).max(120),
          kind: z.enum(NOTICE_KINDS),
          params: z.record(z.string(), z.union([z.string(), z.number()])),
          link: z.string(),
          at: ms,
        }),
      )
      .min(1),
  }),
});
export type UserNotices = z.output<typeof UserNoticesV1.schema>;
export type UserNotice = UserNotices['notices'][number];
/** A notice whose params are those of its kind. */
export type TypedNotice = {
  readonly [K in NoticeKind]: Omit<UserNotice, 'kind' | 'params'> & {
    readonly kind: K;
    readonly params: Readonly<Record<(typeof NOTICE_PARAMS)[K][number], string | number>>;
  };
}[NoticeKind];

/** The message of these notices: `tx.emit(TOPICS.userNotices, 0, userNotices(...))`. */
export const userNotices = (notices: readonly TypedNotice[]): Message<UserNotices> =>
  UserNoticesV1.encode({ notices: notices.map((notice) => ({ ...notice })) });

/** Notices of one message: it stays far below the largest that the log takes. */
const NOTICES_MAX = 500;
/** These notices in as few messages as possible; no message for no notices. */
export const userNoticesOf = (notices: readonly TypedNotice[]): Message<UserNotices>[] =>
  Array.from({ length: Math.ceil(notices.length / NOTICES_MAX) }, (_, at) =>
    userNotices(notices.slice(at * NOTICES_MAX, (at + 1) * NOTICES_MAX)),
  );
