import { decimalText, timeText, withdrawal } from '@bourse/contract';
import * as z from 'zod/mini';
import { RISK_HINTS } from '../domain/risk.js';

/** Answers to operators about deposits and withdrawals (api §2.12, §6.4). */
export const reviewedWithdrawal = z.extend(withdrawal, {
  user_id: z.int(),
  network_name: z.string(),
  value: decimalText,
  approvals: z.int(),
  approvals_needed: z.int(),
  held: z.enum(['', 'frozen', 'brake']),
  risk: z.nullable(
    z.object({
      hints: z.readonly(z.array(z.enum(RISK_HINTS))),
      earlier_withdrawals: z.int(),
      earlier_to_address: z.int(),
      address_shared_with: z.readonly(z.array(z.int())),
      address_bound_at: z.string(),
      last_deposit_at: z.string(),
      deposited_24h: decimalText,
      registered_at: timeText,
      new_device_at: z.string(),
      contact_changed_at: z.string(),
      identity_shared_with: z.readonly(z.array(z.int())),
    }),
  ),
});
