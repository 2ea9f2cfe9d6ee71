import type { PairRow } from '@bourse/contract';
import { flat } from '../domain/depth-diff.js';
import type { PairStreams } from './pair-streams.js';
import type { PublicPush, StreamChannel } from './public-channels.js';
import type { PublicMessages } from './public-messages.js';

/** One of the first messages to a socket of the default broadcast. */
export interface WelcomeMessage {
  readonly event: string;
  readonly payload: PublicPush;
}

/** The state of a channel for one pair, with which a subscription begins; empty before there is any. */
export function stateOf(
  channel: StreamChannel,
  interval: string,
  pair: PairRow,
  streams: PairStreams,
  messages: PublicMessages,
): readonly PublicPush[] {
  switch (channel) {
    case 'depth':
      return streams.sent
        ? [
            messages.depth(
              pair,
              streams,
              'snapshot',
              flat(streams.sent.window.bids),
              flat(streams.sent.window.asks),
              streams.diffs.seq,
              0,
            ),
          ]
        : [];
    case 'trades':
      return streams.trades.newest(20);
    case 'transaction':
      return streams.transactions.newest(20);
    case 'daymarket':
      return streams.ticker
        ? [messages.ticker(pair, streams.ticker, streams.tickers.seq || streams.ticker.seq, 0)]
        : [];
    case 'kline': {
      const bar = streams.bars.get(interval);
      return bar ? [messages.kline(pair, bar, streams.klineOf(interval).seq || bar.seq, 0)] : [];
    }
  }
}

/** The state of one pair in the default broadcast. */
export function welcomeOf(pair: PairRow, streams: PairStreams, messages: PublicMessages): readonly WelcomeMessage[] {
  const welcome: WelcomeMessage[] = [];
  if (streams.ticker)
    welcome.push({
      event: 'daymarket',
      payload: messages.ticker(pair, streams.ticker, streams.defaults.ticker.seq || streams.ticker.seq, 0),
    });
  if (streams.depth)
    welcome.push({
      event: 'market_depth',
      payload: messages.fullDepth(pair, streams, streams.depth, streams.defaults.depth.seq || streams.depth.seq, 0),
    });
  return welcome;
}
