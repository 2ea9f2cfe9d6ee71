import * as z from 'zod/mini';
import { decimalText, orderId, timeText } from './values.js';

/** Answers of points, team and profit (api §2.9). */
export const points = z.object({
  jc_integral: decimalText,
  free_jc_integral: decimalText,
  /** Percent. */
  jc_exchange_fee: decimalText,
  jc_price: decimalText,
  market_price: decimalText,
  jc_price_difference: decimalText,
  currency_name: z.string(),
});
export type Points = z.output<typeof points>;
export const pointsExchange = z.object({
  id: orderId,
  exchange_num: decimalText,
  integral: decimalText,
  fact_market_price: decimalText,
  created_at: timeText,
});
export type PointsExchange = z.output<typeof pointsExchange>;
export const pointsBinding = z.object({ user_name: z.string() });
export type PointsBinding = z.output<typeof pointsBinding>;

/**
 * A member of a team with the members that they have invited. Without a token ids count within the answer, without
 * names. A large tree comes in parts: where `children` are fewer than `direct`, the others are returned for the node's
 * `user_id`.
 */
export const teamNode = z.object({
  id: z.int(),
  name: z.optional(z.string()),
  /** Number of people whom they have invited. */
  direct: z.optional(z.int()),
  get children() {
    return z.array(teamNode);
  },
});
export type TeamNode = z.output<typeof teamNode>;
export const teamTree = z.object({
  show_message: z.object({
    top_upnumber: decimalText,
    real_teamnumber: z.int(),
    rank: z.literal([0, 1, 2, 3, 4]),
    direct: z.int(),
  }),
  results: z.array(teamNode),
});
export type TeamTree = z.output<typeof teamTree>;
export const profit = z.object({
  id: orderId,
  value: decimalText,
  currency_name: z.string(),
  info: z.string(),
  created_time: timeText,
});
export type Profit = z.output<typeof profit>;
