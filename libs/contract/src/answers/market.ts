import type { DecimalText, Flag, Millis, TimeText } from './values.js';

/** Answers of market-data (api §2.4). Names are the contract's. */
export interface QuotationGroup {
  name: string;
  id: number;
  rmb_relation: DecimalText;
  fiat_convert_cny: DecimalText;
  quotation: QuotationItem[];
}
export interface QuotationItem {
  /** match_id */
  id: number;
  symbol: string;
  legal_id: number;
  legal_name: string;
  currency_id: number;
  currency_name: string;
  now_price: DecimalText;
  change: DecimalText;
  volume: DecimalText;
  high: DecimalText;
  low: DecimalText;
  is_display: Flag;
  open_coin_trade: Flag;
  open_lever: Flag;
  open_microtrade: Flag;
  lever_share_num: DecimalText;
  price_scale: number;
  number_scale: number;
  min_total: DecimalText;
  maker_fee: DecimalText;
  taker_fee: DecimalText;
  mode: 'normal' | 'cancel_only' | 'halted';
  feed: 'recorded' | 'simulated' | 'live';
}
export interface Level {
  price: DecimalText;
  number: DecimalText;
}
export interface TradeRecord {
  id: string;
  create_time: TimeText;
  price: DecimalText;
  number: DecimalText;
  direction: 'buy' | 'sell';
  /** Both sides are accounts of the house: on demo installs alone (api §6.19). */
  house: Flag;
}
/** `in` best (highest) first, `out` best (lowest) first. */
export interface BookAnswer {
  symbol: string;
  legal_id: number;
  currency_id: number;
  last_price: DecimalText;
  proportion: DecimalText;
  yesterday: DecimalText;
  today: DecimalText;
  in: Level[];
  out: Level[];
  complete: TradeRecord[];
  user_cny: DecimalText;
  user_currency: DecimalText;
  seq: number;
  checksum: number;
  ts: Millis;
}
export interface Bar {
  time: Millis;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
}
export interface Coin {
  id: number;
  name: string;
  full_name: string;
  logo: string;
  is_legal: Flag;
  is_match: Flag;
  is_lever: Flag;
  is_micro: Flag;
  scale: number;
  publish_date: string;
  total_supply: string;
  circulation: string;
  website: string;
  explorer: string;
  white_paper: string;
  description: string;
}
export interface CurrencyList {
  legal: Coin[];
  list: Coin[];
}
export const PERIODS = ['1min', '5min', '15min', '30min', '60min', '1day', '1week', '1mon'] as const;
export type Period = (typeof PERIODS)[number];
