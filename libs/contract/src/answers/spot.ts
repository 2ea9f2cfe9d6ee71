import * as z from 'zod/mini';
import { decimalText, flag, millis, orderId, timeText } from './values.js';

/** Answers of spot-matching (api §2.3). `type` 1 buy, 2 sell; `status` 1 open, 2 done. */
export const spotOrder = z.object({
  id: orderId,
  client_order_id: z.string(),
  created_at: timeText,
  updated_at: timeText,
  ts: millis,
  updated_ts: millis,
  symbol: z.string(),
  legal_id: z.int(),
  currency_id: z.int(),
  legal_name: z.string(),
  currency_name: z.string(),
  type: z.literal([1, 2]),
  order_type: z.enum(['limit', 'market', 'stop_limit', 'stop_market', 'trailing_stop']),
  time_in_force: z.enum(['GTC', 'IOC', 'FOK']),
  post_only: flag,
  stop_price: decimalText,
  triggered: flag,
  status: z.literal([1, 2]),
  cancelled: flag,
  cancel_reason: z.enum(['', 'user', 'ioc', 'fok', 'post_only', 'stp', 'market', 'operator', 'oco', 'balance']),
  trade_amount: decimalText,
  filled_amount: decimalText,
  target_price: decimalText,
  trade_price: decimalText,
  fee: decimalText,
  fee_currency: z.string(),
  link_id: z.string(),
  parent_id: z.string(),
  take_profit: decimalText,
  stop_loss: decimalText,
  /** For trailing stops only; their `stop_price` is the trigger, 0 until they are active. */
  trail_percent: z.optional(decimalText),
  trail_amount: z.optional(decimalText),
  activation_price: z.optional(decimalText),
  trail_active: z.optional(flag),
  /** For stop_limit and stop_market only: the price that starts it, of trades here or the index. */
  trigger_by: z.optional(z.enum(['last', 'mark'])),
});
export type SpotOrder = z.output<typeof spotOrder>;
/**
 * The answer of one item of a call that changes several orders, as its own call would answer; programs test `key`. `id`
 * and `client_order_id` name the order: a refused item returns the ids of its request.
 */
export const orderOutcome = z.object({
  type: z.enum(['ok', 'error', 'pending']),
  key: z.string(),
  params: z.optional(z.record(z.string(), z.union([z.string(), z.number()]))),
  field: z.optional(z.string()),
  id: z.optional(z.string()),
  client_order_id: z.optional(z.string()),
  order: z.optional(spotOrder),
  stop_order: z.optional(spotOrder),
  remaining: z.optional(decimalText),
  priority: z.optional(flag),
  repeated: z.optional(z.literal(1)),
});
export type OrderOutcome = z.output<typeof orderOutcome>;
/** One side of one execution. */
export const spotFill = z.object({
  id: z.string(),
  order_id: orderId,
  symbol: z.string(),
  type: z.literal([1, 2]),
  price: decimalText,
  number: decimalText,
  total: decimalText,
  fee: decimalText,
  fee_currency: z.string(),
  role: z.enum(['maker', 'taker']),
  create_time: timeText,
  ts: millis,
});
export type SpotFill = z.output<typeof spotFill>;
/** An open order as the entrust lists show it; `number` is what is left. */
export const entrust = z.object({
  id: orderId,
  create_time: timeText,
  currency_name: z.string(),
  legal_name: z.string(),
  account_number: z.string(),
  total_number: decimalText,
  price: decimalText,
  complete_number: decimalText,
  number: decimalText,
  total_money: decimalText,
});
export type Entrust = z.output<typeof entrust>;
/** A fill as the entrust list shows it: `in` I bought (fee in the base), `out` I sold (fee in the quote). */
export const complete = z.object({
  id: z.string(),
  time: timeText,
  create_time: timeText,
  currency_name: z.string(),
  legal_name: z.string(),
  number: decimalText,
  price: decimalText,
  total_money: decimalText,
  type: z.enum(['in', 'out']),
  in_fee: decimalText,
  out_fee: decimalText,
  account_number: z.string(),
});
export type Complete = z.output<typeof complete>;

/** A person's level of spot fees: what is left of a pair's rates, in percent of them (rules §2). */
export const feeLevelView = z.object({
  level: z.int(),
  maker_percent: decimalText,
  taker_percent: decimalText,
  /** USDT of the 30 days that end with `until`. */
  turnover_30d: decimalText,
  /** A day (UTC); empty before the first one is counted. */
  until: z.string(),
  next: z.nullable(z.object({ level: z.int(), turnover: decimalText, missing: decimalText })),
  levels: z.array(
    z.object({ level: z.int(), turnover: decimalText, maker_percent: decimalText, taker_percent: decimalText }),
  ),
});
export type FeeLevelView = z.output<typeof feeLevelView>;
