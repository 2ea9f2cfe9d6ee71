import type { PublicStreams } from '../application/public-streams.js';
import { CHANNEL_EVENTS, DEFAULT_DEPTH_ROOM, DEFAULT_ROOM, roomOf } from '../application/public-channels.js';
import { acknowledge, type ClientSocket } from './client-socket.js';
import type { Ack } from './socket-adapter.js';
import { readSubscription } from './subscription-frame.js';

const SUBSCRIPTIONS_MAX = 200;
/** Maximum channels per frame. */
const CHANNELS_MAX = 50;

/** The answer to a subscription that begins. */
interface Started {
  readonly channel: string;
  readonly symbol: string;
  readonly interval: string;
  readonly seq: number;
  readonly snapshot: unknown;
}

/** Begins subscriptions, one or several per frame (api §4). */
export class Subscribing {
  constructor(
    private readonly streams: PublicStreams,
    private readonly isListed: (symbol: string) => boolean,
  ) {}

  /** Answers a frame: by its acknowledgement, or by events `snapshot` if it has none. */
  answer(socket: ClientSocket, payload: unknown, ack: Ack): void {
    const { channels } = (payload ?? {}) as { channels?: unknown };
    if (channels !== undefined) return this.answerBatch(socket, channels, ack);
    const begun = this.begin(socket, payload);
    const told = typeof begun === 'string' ? { type: 'error', key: begun } : { type: 'ok', ...begun };
    if (ack) ack(told);
    else socket.emit('snapshot', told);
  }

  private answerBatch(socket: ClientSocket, channels: unknown, ack: Ack): void {
    if (!Array.isArray(channels) || channels.length === 0 || channels.length > CHANNELS_MAX) {
      const refusal = { type: 'error', key: 'common.fieldInvalid', field: 'channels' };
      if (ack) return ack(refusal);
      return void socket.emit('snapshot', refusal);
    }
    const ok: Started[] = [];
    const refused: object[] = [];
    for (const wish of channels as readonly unknown[]) {
      const begun = this.begin(socket, wish);
      if (typeof begun === 'string') refused.push({ ...nameOf(wish), key: begun });
      else ok.push(begun);
    }
    if (ack) return acknowledge(ack, { ok, refused });
    for (const started of ok) socket.emit('snapshot', { type: 'ok', ...started });
    for (const refusal of refused) socket.emit('snapshot', { type: 'error', ...refusal });
  }

  /** @returns its start, or the key of its refusal */
  private begin(socket: ClientSocket, wish: unknown): Started | string {
    const { subscriptions } = socket.data;
    const subscription = readSubscription(wish, this.isListed);
    if (typeof subscription === 'string') return subscription;
    const room = roomOf(subscription);
    if (!subscriptions.has(room) && subscriptions.size >= SUBSCRIPTIONS_MAX) return 'common.tooMany';
    const { seq: from } = wish as { seq?: unknown };
    if (from !== undefined && from !== null && !(typeof from === 'number' && Number.isSafeInteger(from) && from >= 0))
      return 'common.fieldInvalid';
    void socket.leave(DEFAULT_ROOM);
    void socket.leave(DEFAULT_DEPTH_ROOM);
    // State and membership in the same turn: no message of the stream can fall between them.
    const { seq, snapshot, missed } = this.streams.start(subscription, typeof from === 'number' ? from : undefined);
    subscriptions.set(room, subscription);
    if (!(socket.data.slow && subscription.channel === 'depth')) void socket.join(room);
    for (const message of missed) socket.emit(CHANNEL_EVENTS[subscription.channel], message);
    const { channel, symbol, interval } = subscription;
    return { channel, symbol, interval, seq, snapshot };
  }
}

/** The names in a refused request, by which the client recognises it. */
function nameOf(wish: unknown): { channel: string; symbol: string; interval: string } {
  const { channel, symbol, interval } = (typeof wish === 'object' && wish !== null ? wish : {}) as Record<
    string,
    unknown
  >;
  const text = (value: unknown): string =>
    typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, NAME_MAX) : '';
  return { channel: text(channel), symbol: text(symbol), interval: text(interval) };
}
const NAME_MAX = 40;
