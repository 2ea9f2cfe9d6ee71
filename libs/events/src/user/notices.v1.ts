import { z } from 'zod';
import { defineEvent, ms, userId, type Message } from '../define.js';
import { TOPICS } from '../topics.js';

/** What a personal notice tells (api §2.10). Its texts are `notice.<kind>.title` and `notice.<kind>.content`. */
export const NOTICE_KINDS = [
  'depositSeen',
  'depositCredited',
  'depositHeld',
  'withdrawalPlaced',
  'withdrawalSent',
  'withdrawalDone',
  'withdrawalRejected',
  'orderFilled',
  'positionRisk',
  'positionStop',
  'positionTarget',
  'positionOpened',
  'microSettled',
  'claimPaid',
  'dealOpened',
  'dealPaid',
  'dealReleased',
  'dealCancelled',
  'dealExpired',
  'dealReminder',
  'appealOpened',
  'appealWithdrawn',
  'appealDecided',
  'acceptorAccepted',
  'acceptorRejected',
  'acceptorTransferred',
  'acceptorDecided',
  'savingsMatured',
  'savingsCancelled',
  'rebatePaid',
  'pointsBooked',
  'rankRisen',
  'newDevice',
  'identityPassed',
  'identityRejected',
  'shopPassed',
  'shopRejected',
  'complaintAnswered',
  'message',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * Personal notices to be written: emitted by whoever makes it true, in the same transaction; one message may hold many.
 * `id` names what is told once for a person (`deal:42:paid`): a second one with the same id is passed over. `params`
 * fill the texts; `link` is an address of the terminal, `''` for none. The notices service writes and pushes them.
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

/** The message of these notices: `tx.emit(TOPICS.userNotices, 0, userNotices(...))`. */
export const userNotices = (notices: readonly UserNotice[]): Message<UserNotices> =>
  UserNoticesV1.encode({ notices: [...notices] });
