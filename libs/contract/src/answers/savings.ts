import * as z from 'zod/mini';
import { decimalText, orderId, timeText } from './values.js';

/** Answers of savings (api §2.8). */
export const savingsCurrency = z.object({
  id: z.int(),
  name: z.string(),
  /** The caller's available balance in change; `0` for guests. */
  balance: decimalText,
  min_day_rate: decimalText,
  max_rate: decimalText,
});
export type SavingsCurrency = z.output<typeof savingsCurrency>;
export const savingsConfig = z.object({
  id: z.int(),
  currency_id: z.int(),
  day: z.int(),
  /** Percent for the whole term. */
  interest_rate: decimalText,
  save_min: decimalText,
  /** Percent of the amount that a cancel before the end costs. */
  cancel_rate: decimalText,
});
export type SavingsConfig = z.output<typeof savingsConfig>;
export const savingsOrder = z.object({
  id: orderId,
  currency_id: z.int(),
  currency_name: z.string(),
  amount: decimalText,
  day: z.int(),
  total_rate: decimalText,
  profit: decimalText,
  accrued: decimalText,
  /** Percent of the amount that a cancel before the end costs, as agreed at subscription. */
  cancel_rate: decimalText,
  created_at: timeText,
  start_at: timeText,
  end_at: timeText,
  /** 1 accruing, 2 matured, 3 cancelled. */
  status: z.literal([1, 2, 3]),
});
export type SavingsOrder = z.output<typeof savingsOrder>;
