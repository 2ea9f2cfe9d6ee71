import type { DecimalText, Flag, OrderId, TimeText } from './values.js';

/** Answers of spot-matching (api §2.3). `type` 1 buy, 2 sell; `status` 1 open, 2 done. */
export interface SpotOrder {
  id: OrderId;
  client_order_id: string;
  created_at: TimeText;
  updated_at: TimeText;
  symbol: string;
  legal_id: number;
  currency_id: number;
  legal_name: string;
  currency_name: string;
  type: 1 | 2;
  order_type: 'limit' | 'market' | 'stop_limit' | 'stop_market';
  time_in_force: 'GTC' | 'IOC' | 'FOK';
  post_only: Flag;
  stop_price: DecimalText;
  triggered: Flag;
  status: 1 | 2;
  cancelled: Flag;
  cancel_reason: '' | 'user' | 'ioc' | 'fok' | 'post_only' | 'stp' | 'market' | 'operator';
  trade_amount: DecimalText;
  filled_amount: DecimalText;
  target_price: DecimalText;
  trade_price: DecimalText;
  fee: DecimalText;
  fee_currency: string;
}
/** One side of one execution. */
export interface SpotFill {
  id: string;
  order_id: OrderId;
  symbol: string;
  type: 1 | 2;
  price: DecimalText;
  number: DecimalText;
  total: DecimalText;
  fee: DecimalText;
  fee_currency: string;
  role: 'maker' | 'taker';
  create_time: TimeText;
}
/** An open order as the entrust lists show it; `number` is what is left. */
export interface Entrust {
  id: OrderId;
  create_time: TimeText;
  currency_name: string;
  legal_name: string;
  account_number: string;
  total_number: DecimalText;
  price: DecimalText;
  complete_number: DecimalText;
  number: DecimalText;
  total_money: DecimalText;
}
/** A fill as the entrust list shows it: `in` I bought (fee in the base), `out` I sold (fee in the quote). */
export interface Complete {
  id: string;
  time: TimeText;
  create_time: TimeText;
  currency_name: string;
  legal_name: string;
  number: DecimalText;
  price: DecimalText;
  total_money: DecimalText;
  type: 'in' | 'out';
  in_fee: DecimalText;
  out_fee: DecimalText;
  account_number: string;
}
