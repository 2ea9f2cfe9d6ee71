import * as z from 'zod/mini';
import { decimalText, millis, orderId, timeText } from './values.js';

/**
 * A leveraged position, pending orders among them (api §2.5). `type` 1 long, 2 short; `status` 0 pending, 1 open,
 * 2 closing, 3 closed, 4 revoked; `closed_type` 1 user, 2 burst, 3 take profit, 4 stop, 5 operator,
 * 6 closed to cover another position.
 */
export const leverPosition = z.object({
  id: orderId,
  /** Only in a position made by a partial close: the position that it was split from. */
  part_of: z.optional(orderId),
  /** Name of the quote and of the base. */
  legal: z.string(),
  currency: z.string(),
  legal_id: z.int(),
  currency_id: z.int(),
  symbol: z.string(),
  type: z.literal([1, 2]),
  status: z.literal([0, 1, 2, 3, 4]),
  status_name: z.string(),
  share: z.int(),
  number: decimalText,
  multiple: z.int(),
  price: decimalText,
  origin_price: decimalText,
  /** Mark price; at the close the price it was closed at. */
  update_price: decimalText,
  caution_money: decimalText,
  origin_caution_money: decimalText,
  target_profit_price: decimalText,
  stop_loss_price: decimalText,
  profits: decimalText,
  /** The part of the loss that exceeded the account's balance and was paid by the house's fund. */
  fund_paid: decimalText,
  trade_fee: decimalText,
  overnight: decimalText,
  overnight_money: decimalText,
  liquidation_price: decimalText,
  closed_type: z.literal([0, 1, 2, 3, 4, 5, 6]),
  /** Of its last change. */
  time: timeText,
  create_time: timeText,
  ts: millis,
  updated_ts: millis,
  /** The opening time, and the time of the close or revocation. */
  transaction_time: timeText,
  handle_time: timeText,
  client_id: z.string(),
});
export type LeverPosition = z.output<typeof leverPosition>;

/** The market data that the order ticket of a leverage pair needs (api §2.5). */
export const leverDeal = z.object({
  last_price: decimalText,
  mark_price: decimalText,
  multiple: z.object({
    muit: z.array(z.object({ value: z.int() })),
    share: z.array(z.object({ value: z.int() })),
  }),
  all_levers: decimalText,
  user_lever: decimalText,
  /** `max` 0: none. */
  lever_share_limit: z.object({ min: z.int(), max: z.int() }),
  lever_share_num: decimalText,
  spread: decimalText,
  lever_trade_fee: decimalText,
  overnight: decimalText,
  burst_rate: decimalText,
  open_rate: decimalText,
  hazard_rate: decimalText,
  /** The newest ten. */
  my_transaction: z.array(leverPosition),
});
export type LeverDeal = z.output<typeof leverDeal>;

export const leverPreview = z.object({
  price: decimalText,
  number: decimalText,
  contract_value: decimalText,
  caution_money: decimalText,
  trade_fee: decimalText,
  hazard_rate: decimalText,
  liquidation_price: decimalText,
  max_share: z.int(),
});
export type LeverPreview = z.output<typeof leverPreview>;
