import type { Socket } from 'socket.io';
import type { Caller } from '@bourse/platform';
import type { Subscription } from '../application/public-channels.js';
import type { FrameAllowance } from './frames.js';
import type { Ack } from './socket-adapter.js';

/** The server's state of a socket. */
interface SocketState {
  caller: Caller | null;
  token: string | null;
  /** Name of the API key that signed its handshake; null: a person or a guest. */
  readonly apiKey: string | null;
  /** Whether the signature of its handshake was new: only then may a program place orders over the socket. */
  readonly isFirstUse: boolean;
  /** Number of order frames in progress. */
  ordersUnderWay: number;
  expiresAt: number;
  loggedIn: boolean;
  readonly address: string;
  /** The client reads more slowly than messages are sent: depth frames are held back until it has caught up. */
  slow: boolean;
  /** Subscriptions by their room. */
  readonly subscriptions: Map<string, Subscription>;
  readonly frames: FrameAllowance;
}
export type ClientSocket = Socket<
  Record<string, (...values: never[]) => void>,
  Record<string, (...values: unknown[]) => void>,
  Record<string, never>,
  SocketState
>;

/** Room of the sockets with a token of this user, logged in or not: the limit counts these. */
export const tokenRoom = (userId: number): string => `own:${userId}`;
/** Room of the sockets that get this user's private events. */
export const userRoom = (userId: number): string => `user:${userId}`;
/** Room of the sockets of programs, which get the same events without personal data. */
export const programRoom = (userId: number): string => `program:${userId}`;
/** Acknowledges a frame if its sender has asked for it. */
export const acknowledge = (ack: Ack, body: object): void => {
  ack?.(body);
};
