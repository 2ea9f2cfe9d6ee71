import * as z from 'zod/mini';
import { PERIODS } from '../lists.js';
import { chatLine, deal } from './c2c.js';
import { leverPosition } from './lever.js';
import { level } from './market.js';
import { microOrder } from './micro.js';
import { notice } from './notices.js';
import { spotFill, spotOrder } from './spot.js';
import { decimalText, flag, millis, orderId, timeText } from './values.js';

/** Events of the socket (api §4). `prev_seq` is the `seq` of the message before on the same stream of this socket. */
export const numbered = z.object({
  ts: millis,
  seq: z.int(),
  prev_seq: z.int(),
});
export const pairHead = z.object({
  symbol: z.string(),
  legal_id: z.int(),
  currency_id: z.int(),
});
export const dayMarketPush = z.extend(pairHead, {
  ...numbered.shape,
  legal_name: z.string(),
  currency_name: z.string(),
  change: decimalText,
  now_price: decimalText,
  volume: decimalText,
  high: decimalText,
  low: decimalText,
});
export type DayMarketPush = z.output<typeof dayMarketPush>;
const depthHead = z.extend(pairHead, {
  ...numbered.shape,
  last_price: decimalText,
  proportion: decimalText,
  yesterday: decimalText,
  today: decimalText,
  checksum: z.int(),
});
/** The throttled default broadcast: levels as objects. */
export const fullDepthPush = z.extend(depthHead, {
  kind: z.literal('full'),
  bids: z.array(level),
  asks: z.array(level),
});
export type FullDepthPush = z.output<typeof fullDepthPush>;
/** Prices and numbers by turns. */
const flatLevels = z.array(z.string()).check(z.refine((list) => list.length % 2 === 0));
/** The depth that a subscriber receives: flat `[price, number, …]`; in a diff number `0` removes the level. */
export const flatDepthPush = z.extend(depthHead, {
  kind: z.enum(['snapshot', 'diff']),
  b: flatLevels,
  a: flatLevels,
});
export type FlatDepthPush = z.output<typeof flatDepthPush>;
export const depthPush = z.union([fullDepthPush, flatDepthPush]);
export type DepthPush = z.output<typeof depthPush>;
export const klinePush = z.extend(pairHead, {
  ...numbered.shape,
  period: z.enum(PERIODS),
  time: millis,
  open: z.number(),
  high: z.number(),
  low: z.number(),
  close: z.number(),
  volume: z.number(),
  final: z.literal([0, 1]),
});
export type KlinePush = z.output<typeof klinePush>;
export const matchTradePush = z.extend(pairHead, {
  ...numbered.shape,
  id: z.string(),
  price: decimalText,
  amount: decimalText,
  direction: z.enum(['buy', 'sell']),
  /** Both sides are accounts of the house: on demo installs alone (api §6.19). */
  house: flag,
});
export type MatchTradePush = z.output<typeof matchTradePush>;
export const transactionPush = z.extend(pairHead, {
  ...numbered.shape,
  legal_name: z.string(),
  currency_name: z.string(),
  id: z.string(),
  price: decimalText,
  number: decimalText,
  total: decimalText,
  direction: z.enum(['buy', 'sell']),
  type: z.enum(['in', 'out']),
  create_time: timeText,
});
export type TransactionPush = z.output<typeof transactionPush>;
/** Private events carry `user_seq`, which counts without gaps across the user's sockets. */
export const privatePush = z.object({
  ts: millis,
  user_seq: z.int(),
});
export const orderUpdatePush = z.extend(privatePush, {
  order: spotOrder,
  fill: z.nullable(spotFill),
});
export type OrderUpdatePush = z.output<typeof orderUpdatePush>;
export const balanceUpdatePush = z.extend(privatePush, {
  balances: z.array(
    z.object({
      currency: z.int(),
      currency_name: z.string(),
      account: z.string(),
      balance: decimalText,
      lock_balance: decimalText,
    }),
  ),
  cause_type: z.string(),
  cause_id: orderId,
});
export type BalanceUpdatePush = z.output<typeof balanceUpdatePush>;
/** All open positions of a quote, and its pending orders that are new or changed; entries replace those of their id. */
export const leverTradePush = z.extend(privatePush, {
  type: z.literal('lever_trade'),
  legal_id: z.int(),
  trades_all: z.array(leverPosition),
  trades_entrust: z.array(leverPosition),
  hazard_rate: decimalText,
  /** Of all quotes, in USDT. */
  profits_all: decimalText,
  /** Of this quote. */
  profits: decimalText,
});
export type LeverTradePush = z.output<typeof leverTradePush>;
export const leverClosedPush = z.extend(privatePush, {
  type: z.literal('lever_closed'),
  ids: z.array(orderId),
  legal_id: z.int(),
  closed_type: z.literal([1, 2, 3, 4, 5, 6]),
});
export type LeverClosedPush = z.output<typeof leverClosedPush>;
/** The deal as this person sees it. */
export const c2cUpdatePush = z.extend(privatePush, { deal });
export const c2cChatPush = z.extend(privatePush, { deal_id: orderId, line: chatLine });
export const microClosedPush = z.extend(privatePush, microOrder.shape);
export const CHANNELS = ['daymarket', 'depth', 'trades', 'kline', 'transaction'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A new personal notice. `kind` names its event: `orderFilled`, and `message` for a text of an operator. */
export const noticePush = z.extend(privatePush, { ...notice.shape, kind: z.string() });
