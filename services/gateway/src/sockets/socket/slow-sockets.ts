import type { Logger } from '@nestjs/common';
import { DEFAULT_DEPTH_ROOM } from '../application/public-channels.js';
import type { PublicStreams } from '../application/public-streams.js';
import { backlogOf, dropDepthFrames } from './backlog.js';
import type { ClientSocket } from './client-socket.js';

const BACKLOG_SLOW_BYTES = 256 * 1024;
const BACKLOG_FINE_BYTES = 64 * 1024;
const BACKLOG_MAX_BYTES = 1024 * 1024;

/**
 * Watches sockets that read slowly: old depth frames are dropped first, fills never; a socket with a backlog of more
 * than 1 MB is closed (api §4).
 */
export class SlowSockets {
  constructor(
    private readonly publicStreams: PublicStreams,
    private readonly log: Logger,
  ) {}

  /** Checks the backlog of each socket. */
  check(sockets: Iterable<ClientSocket>): void {
    for (const socket of sockets) {
      const bytes = backlogOf(socket);
      if (bytes > BACKLOG_MAX_BYTES) {
        this.log.warn(`a socket of ${socket.data.address} held back ${bytes} bytes and was cut`);
        socket.disconnect(true);
      } else if (bytes > BACKLOG_SLOW_BYTES) this.pauseDepth(socket);
      else if (socket.data.slow && bytes < BACKLOG_FINE_BYTES) this.resumeDepth(socket);
    }
  }

  private pauseDepth(socket: ClientSocket): void {
    dropDepthFrames(socket);
    if (socket.data.slow) return;
    socket.data.slow = true;
    void socket.leave(DEFAULT_DEPTH_ROOM);
    for (const [room, { channel }] of socket.data.subscriptions) if (channel === 'depth') void socket.leave(room);
  }

  private resumeDepth(socket: ClientSocket): void {
    socket.data.slow = false;
    if (socket.data.subscriptions.size === 0) void socket.join(DEFAULT_DEPTH_ROOM);
    for (const [room, subscription] of socket.data.subscriptions) {
      if (subscription.channel !== 'depth') continue;
      const { snapshot } = this.publicStreams.start(subscription);
      void socket.join(room);
      if (snapshot) socket.emit('market_depth', snapshot);
    }
  }
}
