import { CHANNEL_EVENTS, periodOf, type Subscription, type StreamChannel } from '../application/public-channels.js';

/**
 * The subscription that a frame requests, or the key of its refusal (api §4). `isListed` returns whether a pair exists.
 */
export function readSubscription(payload: unknown, isListed: (symbol: string) => boolean): Subscription | string {
  if (typeof payload !== 'object' || payload === null) return 'common.fieldInvalid';
  const {
    channel,
    symbol = '',
    interval = '',
  } = payload as { channel?: unknown; symbol?: unknown; interval?: unknown };
  if (typeof channel !== 'string' || !Object.hasOwn(CHANNEL_EVENTS, channel)) return 'common.fieldInvalid';
  const name = symbol ?? '';
  if (typeof name !== 'string') return 'common.fieldInvalid';
  const needsSymbol = channel === 'depth' || channel === 'trades' || channel === 'kline';
  if (name === '' ? needsSymbol : !isListed(name)) return name === '' ? 'common.fieldInvalid' : 'pair.delisted';
  if (channel !== 'kline') return { channel: channel as StreamChannel, symbol: name, interval: '' };
  const period = readPeriod(interval);
  return period ? { channel, symbol: name, interval: period } : 'common.fieldInvalid';
}

function readPeriod(interval: unknown): string | undefined {
  if (interval === '' || interval === null) return '1min';
  return typeof interval === 'string' || typeof interval === 'number' ? periodOf(String(interval)) : undefined;
}
