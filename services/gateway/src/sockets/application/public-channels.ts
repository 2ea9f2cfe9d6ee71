import {
  PERIODS,
  type DayMarketPush,
  type DepthPush,
  type KlinePush,
  type MatchTradePush,
  type TransactionPush,
} from '@bourse/contract';

/** Rooms of the default broadcast; depth has its own, so that a slow socket can leave it. */
export const DEFAULT_ROOM = 'default';
export const DEFAULT_DEPTH_ROOM = 'default:depth';

/** The event that carries the messages of each channel (api §4). */
export const CHANNEL_EVENTS = {
  daymarket: 'daymarket',
  depth: 'market_depth',
  trades: 'match_trade',
  kline: 'kline',
  transaction: 'transaction',
} as const;
export type StreamChannel = keyof typeof CHANNEL_EVENTS;
/** A public message, as it is sent. */
export type PublicPush = DayMarketPush | DepthPush | KlinePush | MatchTradePush | TransactionPush;
/** Sends to all sockets of this process that are in any of the rooms, once each. */
export type Outlet = (rooms: readonly string[], event: string, payload: PublicPush) => void;

/** The request of one subscription, in the contract's terms; `symbol` is empty for all pairs. */
export interface Subscription {
  readonly channel: StreamChannel;
  readonly symbol: string;
  readonly interval: string;
}
/** The room of a subscription's sockets. */
export const roomOf = ({ channel, symbol, interval }: Subscription): string =>
  [channel, symbol, interval].filter((part) => part !== '').join(':');

/** The periods of klines, with the short names of the contract (api §2.4). */
export function periodOf(text: string): string | undefined {
  if ((PERIODS as readonly string[]).includes(text)) return text;
  // A property of the prototype is no period [HARD-304].
  return Object.hasOwn(SHORT_PERIODS, text) ? SHORT_PERIODS[text] : undefined;
}
const SHORT_PERIODS: Readonly<Record<string, string>> = {
  1: '1min',
  5: '5min',
  15: '15min',
  30: '30min',
  60: '60min',
  '1D': '1day',
  D: '1day',
  '1W': '1week',
  W: '1week',
  '1M': '1mon',
  M: '1mon',
};
