import type { Level } from './market.js';
import type { SpotFill, SpotOrder } from './spot.js';
import type { DecimalText, Flag, Millis, OrderId, TimeText } from './values.js';

/** Events of the socket (api §4). `prev_seq` is the `seq` of the message before on the same stream of this socket. */
export interface Numbered {
  ts: Millis;
  seq: number;
  prev_seq: number;
}
export interface PairHead {
  symbol: string;
  legal_id: number;
  currency_id: number;
}
export interface DayMarketPush extends PairHead, Numbered {
  legal_name: string;
  currency_name: string;
  change: DecimalText;
  now_price: DecimalText;
  volume: DecimalText;
  high: DecimalText;
  low: DecimalText;
}
interface DepthHead extends PairHead, Numbered {
  last_price: DecimalText;
  proportion: DecimalText;
  yesterday: DecimalText;
  today: DecimalText;
  checksum: number;
}
/** The throttled default broadcast: levels as objects. */
export interface FullDepthPush extends DepthHead {
  kind: 'full';
  bids: Level[];
  asks: Level[];
}
/** What a subscriber gets: flat `[price, number, …]`; in a diff number `0` removes the level. */
export interface FlatDepthPush extends DepthHead {
  kind: 'snapshot' | 'diff';
  b: string[];
  a: string[];
}
export type DepthPush = FullDepthPush | FlatDepthPush;
export interface KlinePush extends PairHead, Numbered {
  period: string;
  time: Millis;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  final: 0 | 1;
}
export interface MatchTradePush extends PairHead, Numbered {
  id: string;
  price: DecimalText;
  amount: DecimalText;
  direction: 'buy' | 'sell';
  /** Both sides are accounts of the house: on demo installs alone (api §6.19). */
  house: Flag;
}
export interface TransactionPush extends PairHead, Numbered {
  legal_name: string;
  currency_name: string;
  id: string;
  price: DecimalText;
  number: DecimalText;
  total: DecimalText;
  direction: 'buy' | 'sell';
  type: 'in' | 'out';
  create_time: TimeText;
}
/** Private events carry `user_seq`, which counts without gaps across the user's sockets. */
export interface PrivatePush {
  ts: Millis;
  user_seq: number;
}
export interface OrderUpdatePush extends PrivatePush {
  order: SpotOrder;
  fill: SpotFill | null;
}
export interface BalanceUpdatePush extends PrivatePush {
  balances: {
    currency: number;
    currency_name: string;
    account: string;
    balance: DecimalText;
    lock_balance: DecimalText;
  }[];
  cause_type: string;
  cause_id: OrderId;
}
export const CHANNELS = ['daymarket', 'depth', 'trades', 'kline', 'transaction'] as const;
export type Channel = (typeof CHANNELS)[number];
