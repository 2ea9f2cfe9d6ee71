import { flag, holdLine, sessionRow, timeText, userInfo } from '@bourse/contract';
import * as z from 'zod/mini';
import { OPERATOR_ROLES } from '../../shared/application/ports/operators.js';
import { APPROVAL_STATES } from '../../shared/application/ports/approval-state.js';

/** Answers to operators about people and about themselves (api §2.12, §6.4). */
export const userRow = z.extend(userInfo, {
  frozen: z.enum(['none', 'all', 'trade', 'c2c', 'withdraw']),
  name: z.string(),
  region: z.string(),
  same_contact: z.readonly(z.array(z.int())),
  created_at: timeText,
});
export const userFile = z.extend(userRow, {
  review_reason: z.string(),
  inviter_id: z.int(),
  withdrawals_blocked_until: z.string(),
  bank: z.nullable(
    z.object({
      real_name: z.string(),
      bank_no: z.string(),
      bank_name: z.string(),
      region: z.string(),
      phone: z.string(),
    }),
  ),
  sessions: z.readonly(z.array(sessionRow)),
  balances: z.readonly(
    z.array(z.object({ currency: z.int(), account: z.string(), balance: z.string(), lock_balance: z.string() })),
  ),
  holds: z.readonly(z.array(holdLine)),
});
export const namedPerson = z.object({
  id: z.int(),
  account_number: z.string(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
});
export const kycRow = z.object({
  user_id: z.int(),
  account_number: z.string(),
  email: z.string(),
  phone: z.string(),
  nationality: z.string(),
  name: z.string(),
  card_id: z.string(),
  same_card: z.readonly(z.array(z.int())),
  front_pic: z.string(),
  reverse_pic: z.string(),
  hand_pic: z.string(),
  review_status: z.literal([0, 1, 2]),
  review_reason: z.string(),
  submitted_at: timeText,
  decided_at: timeText,
});
export const operatorRow = z.object({
  id: z.int(),
  username: z.string(),
  roles: z.readonly(z.array(z.enum(OPERATOR_ROLES))),
  active: z.literal([0, 1]),
  totp: z.literal([0, 1]),
  created_at: timeText,
  last_at: timeText,
});
export const approvalRow = z.object({
  id: z.int(),
  call: z.string(),
  target: z.string(),
  reason: z.string(),
  before: z.readonly(z.record(z.string(), z.unknown())),
  after: z.readonly(z.record(z.string(), z.unknown())),
  state: z.enum(APPROVAL_STATES),
  created_by: z.string(),
  decided_by: z.string(),
  create_time: timeText,
  in_force_at: timeText,
  held: flag,
  sent: flag,
  sent_time: timeText,
  sent_tries: z.int(),
});
