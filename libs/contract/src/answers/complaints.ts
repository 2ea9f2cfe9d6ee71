import * as z from 'zod/mini';
import { timeText } from './values.js';

/** Answers of complaints (api §2.10). */
export const COMPLAINT_KINDS = ['deposit', 'withdrawal', 'trade', 'c2c', 'account', 'other'] as const;
export type ComplaintKind = (typeof COMPLAINT_KINDS)[number];
export const complaintMessage = z.object({
  from: z.enum(['me', 'support']),
  text: z.string(),
  images: z.array(z.string()),
  create_time: timeText,
});
export type ComplaintMessage = z.output<typeof complaintMessage>;
export const complaint = z.object({
  id: z.int(),
  kind: z.enum(COMPLAINT_KINDS),
  subject: z.string(),
  /** Id of an order, deal, deposit …, `''` where it is about none. */
  about: z.string(),
  state: z.enum(['open', 'answered', 'closed']),
  create_time: timeText,
  update_time: timeText,
  /** Answers that the caller has not read. */
  unread: z.int(),
  /** In the detail only. */
  messages: z.optional(z.array(complaintMessage)),
});
export type Complaint = z.output<typeof complaint>;
