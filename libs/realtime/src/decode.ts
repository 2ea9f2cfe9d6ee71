import {
  PERIODS,
  type BalanceUpdatePush,
  type DayMarketPush,
  type DepthPush,
  type KlinePush,
  type MatchTradePush,
  type OrderUpdatePush,
  type TransactionPush,
} from '@bourse/contract';

/** Public events by name, as the socket sends them. */
export interface PublicEvents {
  daymarket: DayMarketPush;
  market_depth: DepthPush;
  kline: KlinePush;
  match_trade: MatchTradePush;
  transaction: TransactionPush;
}
export interface PrivateEvents {
  order_update: OrderUpdatePush;
  balance_update: BalanceUpdatePush;
}

/**
 * The checked payload of a public event, or undefined when a field that is drawn or counted with is missing. Cheap: it
 * runs on every tick.
 */
export function decodePublic<E extends keyof PublicEvents>(event: E, payload: unknown): PublicEvents[E] | undefined {
  if (
    !isRecord(payload) ||
    typeof payload['symbol'] !== 'string' ||
    typeof payload['ts'] !== 'number' ||
    !Number.isInteger(payload['seq'])
  )
    return undefined;
  return CHECKS[event](payload) ? (payload as unknown as PublicEvents[E]) : undefined;
}

/** The checked payload of a private event. */
export function decodePrivate<E extends keyof PrivateEvents>(event: E, payload: unknown): PrivateEvents[E] | undefined {
  if (!isRecord(payload)) return undefined;
  const fits =
    event === 'order_update'
      ? isRecord(payload['order']) && typeof payload['order']['id'] === 'string'
      : Array.isArray(payload['balances']);
  return fits ? (payload as unknown as PrivateEvents[E]) : undefined;
}

type Payload = Record<string, unknown>;
const isRecord = (value: unknown): value is Payload => typeof value === 'object' && value !== null;
const texts = (payload: Payload, ...names: string[]): boolean =>
  names.every((name) => typeof payload[name] === 'string');
const isFlat = (value: unknown): boolean =>
  Array.isArray(value) && value.length % 2 === 0 && value.every((item) => typeof item === 'string');
const isLevels = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => isRecord(item) && texts(item, 'price', 'number'));
const isDirection = (value: unknown): boolean => value === 'buy' || value === 'sell';

const CHECKS: { [E in keyof PublicEvents]: (payload: Payload) => boolean } = {
  daymarket: (payload) => texts(payload, 'now_price', 'change', 'volume'),
  market_depth: (payload) =>
    Number.isInteger(payload['checksum']) &&
    typeof payload['last_price'] === 'string' &&
    (payload['kind'] === 'full'
      ? isLevels(payload['bids']) && isLevels(payload['asks'])
      : (payload['kind'] === 'snapshot' || payload['kind'] === 'diff') && isFlat(payload['b']) && isFlat(payload['a'])),
  kline: (payload) =>
    (PERIODS as readonly unknown[]).includes(payload['period']) &&
    ['time', 'open', 'high', 'low', 'close', 'volume'].every((name) => typeof payload[name] === 'number'),
  match_trade: (payload) => texts(payload, 'id', 'price', 'amount') && isDirection(payload['direction']),
  transaction: (payload) => texts(payload, 'id', 'price', 'number') && isDirection(payload['direction']),
};
