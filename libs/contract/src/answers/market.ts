import * as z from 'zod/mini';
import { REFERENCE_CURRENCIES } from '../reference-currencies.js';
import { decimalText, flag, millis, timeText } from './values.js';

export const quotationItem = z.object({
  /** match_id */
  id: z.int(),
  symbol: z.string(),
  legal_id: z.int(),
  legal_name: z.string(),
  currency_id: z.int(),
  currency_name: z.string(),
  now_price: decimalText,
  change: decimalText,
  volume: decimalText,
  /** The amount paid for `volume`, in the quote currency. */
  quote_volume: decimalText,
  high: decimalText,
  low: decimalText,
  /** Best prices of the book; zero where a side is empty. */
  bid: decimalText,
  ask: decimalText,
  /** The time of these figures. */
  ts: millis,
  is_display: flag,
  open_coin_trade: flag,
  open_lever: flag,
  open_microtrade: flag,
  lever_share_num: decimalText,
  price_scale: z.int(),
  number_scale: z.int(),
  min_total: decimalText,
  maker_fee: decimalText,
  taker_fee: decimalText,
  /** How far from the best price a market order reaches, percent. */
  market_band: decimalText,
  mode: z.enum(['normal', 'cancel_only', 'halted']),
  feed: z.enum(['recorded', 'simulated', 'live']),
});
export type QuotationItem = z.output<typeof quotationItem>;
/** Answers of market-data (api §2.4). Names are the contract's. */
export const quotationGroup = z.object({
  name: z.string(),
  id: z.int(),
  rmb_relation: decimalText,
  fiat_convert_cny: decimalText,
  /** Value of one unit of the quote in USDT; 0 while no price is known. */
  usdt_price: decimalText,
  quotation: z.array(quotationItem),
});
export type QuotationGroup = z.output<typeof quotationGroup>;
/** The value of one USDT in a currency, for shown conversions; a currency without a source is not listed. */
export const referenceRate = z.object({
  code: z.enum(REFERENCE_CURRENCIES),
  per_usdt: decimalText,
  /** Time of the rate; null: it is the seeded rate. */
  at: z.nullable(millis),
  source: z.enum(['operators', 'market']),
});
export type ReferenceRate = z.output<typeof referenceRate>;
export const level = z.object({
  price: decimalText,
  number: decimalText,
});
export type Level = z.output<typeof level>;
export const tradeRecord = z.object({
  id: z.string(),
  create_time: timeText,
  ts: millis,
  price: decimalText,
  number: decimalText,
  direction: z.enum(['buy', 'sell']),
  /** Both sides are accounts of the house: on demo installs alone (api §6.19). */
  house: flag,
});
export type TradeRecord = z.output<typeof tradeRecord>;
/** `in` best (highest) first, `out` best (lowest) first. */
export const bookAnswer = z.object({
  symbol: z.string(),
  legal_id: z.int(),
  currency_id: z.int(),
  last_price: decimalText,
  proportion: decimalText,
  yesterday: decimalText,
  today: decimalText,
  in: z.array(level),
  out: z.array(level),
  complete: z.array(tradeRecord),
  user_cny: decimalText,
  user_currency: decimalText,
  seq: z.int(),
  checksum: z.int(),
  ts: millis,
});
export type BookAnswer = z.output<typeof bookAnswer>;
export const bar = z.object({
  time: millis,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
});
export type Bar = z.output<typeof bar>;
export const coin = z.object({
  id: z.int(),
  name: z.string(),
  full_name: z.string(),
  logo: z.string(),
  is_legal: flag,
  is_match: flag,
  is_lever: flag,
  is_micro: flag,
  scale: z.int(),
  publish_date: z.string(),
  total_supply: z.string(),
  circulation: z.string(),
  website: z.string(),
  explorer: z.string(),
  white_paper: z.string(),
  description: z.string(),
});
export type Coin = z.output<typeof coin>;
export const currencyList = z.object({
  legal: z.array(coin),
  list: z.array(coin),
});
export type CurrencyList = z.output<typeof currencyList>;
