import * as z from 'zod/mini';
import { decimalText, flag, millis, orderId, timeText } from './values.js';

/** Seconds contracts and the insurance on them (api §2.6). */
export const insuranceType = z.object({
  id: z.int(),
  currency_id: z.int(),
  currency_name: z.string(),
  name: z.string(),
  min_amount: decimalText,
  max_amount: decimalText,
  /** Percent, like all rates here. */
  premium_rate: decimalText,
  end_profit_rate: decimalText,
  claim_loss_rate: decimalText,
  claim_rate: decimalText,
  claims_per_day: z.int(),
  stake_rate: decimalText,
  max_open: z.int(),
  quota_left: decimalText,
});
export type InsuranceType = z.output<typeof insuranceType>;

export const microWallet = z.object({ micro_balance: decimalText, currency_name: z.string(), is_micro: flag });

/** A coin that stakes are accepted in. */
export const microCurrency = z.object({
  id: z.int(),
  name: z.string(),
  micro_numbers: z.array(z.object({ number: decimalText })),
  micro_trade_fee: decimalText,
  micro_min: decimalText,
  micro_max: decimalText,
  user_wallet: microWallet,
  insurance_types: z.array(insuranceType),
  user_insurance: z.nullable(
    z.object({
      id: orderId,
      insurance_type_id: z.int(),
      amount: decimalText,
      vault: decimalText,
      status: z.literal(1),
    }),
  ),
});
export type MicroCurrency = z.output<typeof microCurrency>;

export const microSeconds = z.object({
  id: z.int(),
  seconds: z.int(),
  showtime: z.string(),
  time_unit: z.enum(['s', 'm']),
  profit_ratio: decimalText,
  min_money: decimalText,
  max_money: decimalText,
});
export type MicroSeconds = z.output<typeof microSeconds>;

/** `type` 1 up, 2 down; `status` 1 running, 3 closed. `open_price` is `''` until the opening tick. */
export const microOrder = z.object({
  id: orderId,
  match_id: z.int(),
  symbol_name: z.string(),
  currency_id: z.int(),
  currency_name: z.string(),
  type: z.literal([1, 2]),
  seconds: z.int(),
  number: decimalText,
  fee: decimalText,
  profit_ratio: decimalText,
  open_price: decimalText,
  end_price: decimalText,
  status: z.literal([1, 3]),
  result: z.enum(['', 'win', 'loss', 'tie', 'void']),
  fact_profits: decimalText,
  remain_milli_seconds: z.int(),
  insured: flag,
  create_time: timeText,
  open_time: timeText,
  expire_time: timeText,
  handle_time: timeText,
  ts: millis,
  updated_ts: millis,
});
export type MicroOrder = z.output<typeof microOrder>;

/** A recorded price: one a second and market, chained by hash (rules §4). */
export const tick = z.object({
  id: orderId,
  symbol: z.string(),
  /** On the full second. */
  time: millis,
  price: decimalText,
  /** When the price was given; absent in ticks of version 1, whose hash is without it. */
  at: z.optional(millis),
  prev_hash: z.string(),
  hash: z.string(),
});
export type Tick = z.output<typeof tick>;

/** `signature`: Ed25519 over the 32 bytes of the last hash; both texts base64 (api §6.5). */
export const tickChain = z.object({ ticks: z.array(tick), public_key: z.string(), signature: z.string() });
export type TickChain = z.output<typeof tickChain>;

/** A key that signs ticks, base64: those with `from` ≤ time < `until`; null: it signs now. */
export const tickKey = z.object({ public_key: z.string(), from: millis, until: z.nullable(millis) });
export type PublishedTickKey = z.output<typeof tickKey>;

export const microReceipt = z.object({
  order: microOrder,
  rule: z.literal('median5'),
  /** 1 where its ticks are from before ticks contained the time of their price. */
  tick_version: z.literal([1, 2]),
  /** Null if no tick opened it: the contract is void. */
  open_tick: z.nullable(tick),
  /** The ticks that decide the result, at most five. */
  ticks: z.array(tick),
  end_price: decimalText,
  payout: decimalText,
  journals: z.array(orderId),
});
export type MicroReceipt = z.output<typeof microReceipt>;

/** `status` 1 applied, 2 claimed, 3 cancelled, 4 ended at profit. */
export const insurance = z.object({
  id: orderId,
  insurance_type_id: z.int(),
  currency_name: z.string(),
  amount: decimalText,
  premium: decimalText,
  vault: decimalText,
  status: z.literal([1, 2, 3, 4]),
  claimable: flag,
  created_at: timeText,
  ended_at: timeText,
});
export type Insurance = z.output<typeof insurance>;

/** `status` 1 booked for the next day, 2 paid. */
export const insuranceClaim = z.object({
  id: orderId,
  insurance_id: orderId,
  amount: decimalText,
  status: z.literal([1, 2]),
  created_at: timeText,
  paid_at: timeText,
});
export type InsuranceClaim = z.output<typeof insuranceClaim>;
