import * as z from 'zod/mini';
import { paymentInfo } from './account.js';
import { decimalText, flag, orderId, timeText } from './values.js';

/** C2C, fiat shops and acceptors (api §2.7). */
export const WAYS = ['ali_pay', 'we_chat', 'bank'] as const;
export type Way = (typeof WAYS)[number];
export const COIN_CODES = ['CNY', 'USD', 'JPY'] as const;
export type CoinCode = (typeof COIN_CODES)[number];
/** Decimals of amounts in a fiat currency (rules, head). */
export const FIAT_SCALES: Readonly<Record<CoinCode, number>> = { CNY: 2, USD: 2, JPY: 0 };

const way = z.enum(WAYS);
const coinCode = z.enum(COIN_CODES);
const dealKind = z.enum(['c2c', 'shop']);
/** The side of the ad's owner. */
const adType = z.enum(['buy', 'sell']);
const level = z.enum(['verified', 'advanced']);

/** The deal statistics of a partner over 30 days. */
const partnerFigures = {
  /** Finished deals, and their percentage of all deals that ended. */
  deals: z.int(),
  done_rate: decimalText,
  /** From the payment to the release of coins that the partner has sold, on average, seconds; 0: none yet. */
  release_seconds: z.int(),
};

/** `status` 1 on shelf, 2 taken off, 3 sold out. */
export const ad = z.object({
  id: z.int(),
  kind: dealKind,
  type: adType,
  currency_id: z.int(),
  currency_name: z.string(),
  coin_code: coinCode,
  price: decimalText,
  total_number: decimalText,
  surplus_number: decimalText,
  way,
  seller_name: z.string(),
  seller_id: z.int(),
  status: z.literal([1, 2, 3]),
  limit_minutes: z.int(),
  min_number: decimalText,
  max_number: decimalText,
  fee_rate: decimalText,
  ...partnerFigures,
  shop_id: z.int(),
  level: z.enum(['', 'verified', 'advanced']),
  create_time: timeText,
  is_mine: flag,
});
export type Ad = z.output<typeof ad>;

export const DEAL_ACTIONS = ['pay', 'cancel', 'confirm', 'appeal', 'appeal_cancel'] as const;
export type DealAction = (typeof DEAL_ACTIONS)[number];

/**
 * `is_sure` 0 awaiting payment, 1 finished, 2 cancelled, 3 paid; `appeal` 0 none, 1 open, 2 buyer won, 3 seller won.
 * `type` is the ad's; `role` the caller's; `create_time` in unix seconds.
 */
export const deal = z.object({
  id: orderId,
  ad_id: z.int(),
  kind: dealKind,
  type: adType,
  role: z.enum(['buyer', 'seller']),
  currency_id: z.int(),
  currency_name: z.string(),
  number: decimalText,
  price: decimalText,
  deal_money: decimalText,
  coin_code: coinCode,
  out_fee: decimalText,
  way,
  way_name: z.string(),
  is_sure: z.literal([0, 1, 2, 3]),
  appeal: z.literal([0, 1, 2, 3]),
  create_time: z.int(),
  format_create_time: timeText,
  deadline: timeText,
  remain_seconds: z.int(),
  seller_name: z.string(),
  account_number: z.string(),
  seller_phone: z.string(),
  phone: z.string(),
  hes_realname: z.string(),
  /** Of the coin seller and of the coin buyer; null in lists once the deal is over. */
  sell_cash_info: z.nullable(paymentInfo),
  user_cash_info: z.nullable(paymentInfo),
  /** One line: the next step and its time. */
  next: z.string(),
  can: z.array(z.enum(DEAL_ACTIONS)),
  /** Lines of the chat that the caller has not read. */
  unread: z.int(),
  /** Address of the buyer's proof of payment; empty: none. */
  proof: z.string(),
  /** Statistics of the ad's owner; present when a taker reads one deal. */
  partner: z.optional(z.object(partnerFigures)),
});
export type Deal = z.output<typeof deal>;

export const chatLine = z.object({
  id: z.int(),
  from: z.enum(['buyer', 'seller', 'support', 'system']),
  text: z.string(),
  image: z.string(),
  create_time: timeText,
});
export type ChatLine = z.output<typeof chatLine>;

/** `state` is the deal's `appeal`. */
export const appeal = z.object({
  id: orderId,
  deal_id: orderId,
  opened_by: z.enum(['buyer', 'seller', 'system']),
  state: z.literal([0, 1, 2, 3]),
  reason: z.string(),
  evidence: z.array(z.object({ by: z.string(), url: z.string(), text: z.string(), time: timeText })),
  timeline: z.array(z.object({ time: timeText, text: z.string() })),
  decision_due: timeText,
  decision: z.string(),
});
export type Appeal = z.output<typeof appeal>;

/** `status` 0 review, 1 open, 2 refused, 3 closed. */
export const shop = z.object({
  id: z.int(),
  name: z.string(),
  currency_id: z.int(),
  currency_name: z.string(),
  level,
  status: z.literal([0, 1, 2, 3]),
  merchant_balance: decimalText,
  lock_merchant_balance: decimalText,
  deposit: decimalText,
  ...partnerFigures,
  ads: z.int(),
});
export type Shop = z.output<typeof shop>;
/** For each shop level: the deposit of new shops and the highest value of one of their deals, both in `coin`. */
export const shopTerms = z.object({
  coin: z.string(),
  levels: z.array(z.object({ level, deposit: decimalText, limit: decimalText })),
});
export type ShopTerms = z.output<typeof shopTerms>;
/** The public page of a shop. */
export const shopPage = z.extend(z.omit(shop, { merchant_balance: true, lock_merchant_balance: true, deposit: true }), {
  ads: z.array(ad),
});
export type ShopPage = z.output<typeof shopPage>;

export const acceptor = z.object({
  id: z.int(),
  user_id: z.int(),
  name: z.string(),
  recharge_amount: decimalText,
  recharge_rate: decimalText,
  cash_amount: decimalText,
  cash_rate: decimalText,
  /** The acceptor's debt to the house, visible to the acceptor and to operators. */
  debt: z.optional(decimalText),
});
export type Acceptor = z.output<typeof acceptor>;
export const acceptorInfo = z.extend(acceptor, {
  wechat_nickname: z.string(),
  wechat_account: z.string(),
  ali_nickname: z.string(),
  ali_account: z.string(),
  bank_name: z.string(),
  bank_account: z.string(),
  bank_address: z.string(),
  user_balance: decimalText,
});
export type AcceptorInfo = z.output<typeof acceptorInfo>;

/** `is_sure` 0 waiting, 1 confirmed, 2 rejected; `stage` 0 waiting, 1 transferred, 2 objected. */
export const acceptorDeal = z.object({
  id: orderId,
  type: adType,
  money: decimalText,
  receive_money: decimalText,
  deal_account: z.string(),
  acceptor_name: z.string(),
  hes_account: z.string(),
  way,
  mobile: z.string(),
  is_sure: z.literal([0, 1, 2]),
  stage: z.literal([0, 1, 2]),
  proof_pic: z.string(),
  reason: z.string(),
  /** Deadline for an objection to a withdrawal that was confirmed by timeout; empty: it has passed. */
  object_until: z.string(),
  /** 1 while finance has not decided an objection to a withdrawal that was confirmed by timeout. */
  disputed: flag,
  auto_time: timeText,
  remain_seconds: z.int(),
  create_time: timeText,
  update_time: timeText,
});
export type AcceptorDeal = z.output<typeof acceptorDeal>;
