import { useSyncExternalStore } from 'react';
import { Feed, FrameLoop, Tickers, type FeedStatus, type SocketLike, type Ticker } from '@bourse/realtime';
import { readStored } from '../prefs/storage.js';
import { api, readPersonAgain } from './api.js';
import { current } from './i18n.js';

let sessionEnded: (reason: string) => void = () => undefined;
/** The shell's reaction when the server ends the session of this socket. */
export function onSessionClosed(handler: (reason: string) => void): void {
  sessionEnded = handler;
}

/** Private events wait this long for those that were missed before them. */
const SINCE_MS = 10_000;

/** The one socket of the page. */
export const feed = new Feed({
  open: async () => {
    const { io } = await import('socket.io-client');
    const port = readStored('socketPort');
    const { protocol, hostname, origin } = window.location;
    const address = port && /^\d{1,5}$/.test(port) ? `${protocol}//${hostname}:${port}` : origin;
    return io(address, {
      autoConnect: false,
      transports: ['websocket'],
      reconnectionDelayMax: 5_000,
    }) as unknown as SocketLike;
  },
  token: () => readStored('token'),
  userId: () => readStored('user_id'),
  lang: current,
  now: () => performance.now(),
  onHole: readPersonAgain,
  since: async (userSeq) => {
    const options = { quiet: true, signal: AbortSignal.timeout(SINCE_MS) };
    return (await api.get('/api/stream/since', { user_seq: userSeq }, options)).message;
  },
  onSessionClosed: (reason) => sessionEnded(reason),
  onMisfit: (event) => console.warn(`socket message outside the contract: ${event}`),
});

/** Everything that moves is painted by this loop. */
export const frames = new FrameLoop(
  (paint) => {
    requestAnimationFrame(paint);
  },
  (error) => console.error('a live view failed', error),
);

export const useFeedStatus = (): FeedStatus =>
  useSyncExternalStore(
    (changed) => feed.onStatus(changed),
    () => feed.status,
  );

/** Newest quotation of every pair, from the `daymarket` channel; seeded by the quotation list. */
export const tickers = new Tickers();
const tickerListeners = new Set<() => void>();
let tickersDirty = false;
let users = 0;
let subscription: { close(): void } | undefined;

/** Opens the ticker stream while anyone looks; listeners are called at most four times a second. */
export function watchTickers(listener: () => void): () => void {
  tickerListeners.add(listener);
  users += 1;
  if (users === 1) {
    subscription = feed.subscribe(
      { channel: 'daymarket' },
      {
        event: (push) => {
          if (!tickers.apply(push)) return;
          if (tickersDirty) return;
          tickersDirty = true;
          setTimeout(() => {
            tickersDirty = false;
            for (const notify of tickerListeners) notify();
          }, 250);
        },
      },
    );
  }
  return () => {
    tickerListeners.delete(listener);
    users -= 1;
    if (users > 0) return;
    subscription?.close();
    subscription = undefined;
  };
}

/** The ticker of one pair, cut at 4 Hz: for titles, tiles and lists. */
export function useTicker(symbol: string): Ticker | undefined {
  return useSyncExternalStore(watchTickers, () => tickers.get(symbol));
}
