import { decimalText, timeText } from '@bourse/contract';
import * as z from 'zod/mini';

/** An adjustment as operators see it (api §6.4). */
export const shownAdjustment = z.object({
  id: z.int(),
  user_id: z.int(),
  currency_id: z.int(),
  account: z.string(),
  amount: decimalText,
  reason_code: z.string(),
  note: z.string(),
  state: z.enum(['waiting', 'approved', 'rejected']),
  created_by: z.string(),
  decided_by: z.string(),
  create_time: timeText,
});
export type ShownAdjustment = z.output<typeof shownAdjustment>;
