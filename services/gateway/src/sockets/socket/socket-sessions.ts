import type { Clock } from '@bourse/platform';
import type { ApiKeys } from '../../sign-in/application/api-keys.js';
import type { SessionView } from '../../sign-in/application/sessions.js';
import type { TokenStrategy } from '../../sign-in/http/token.strategy.js';
import { programRoom, userRoom, type ClientSocket } from './client-socket.js';

/** Time for `session_closed` to be sent before the socket is closed. */
const FAREWELL_MS = 200;

/** Closes sockets whose session has ended or expired. */
export class SocketSessions {
  /** `sockets` returns those of this process. */
  constructor(
    private readonly sockets: () => Iterable<ClientSocket>,
    private readonly tokens: TokenStrategy,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
  ) {}

  /** Closes the sockets of sessions that were ended. */
  onSession({ userId, ended }: SessionView): void {
    for (const socket of this.sockets()) {
      const { caller, apiKey } = socket.data;
      // The change may be the deletion of its key.
      if (caller?.userId === userId && apiKey !== null) void this.recheckKey(socket, apiKey);
      if (caller?.userId !== userId || !(ended === 'all' || ended.includes(caller.sessionId))) continue;
      this.end(socket, 'ended');
    }
  }

  /** Closes the sockets whose token has expired. */
  endExpired(): void {
    const now = this.clock.sessions();
    for (const socket of this.sockets()) if (socket.data.expiresAt <= now) this.end(socket, 'expired');
  }

  /**
   * Checks every signed-in socket with auth. One that cannot be checked now stays open: its calls are checked anyway.
   */
  async recheck(): Promise<void> {
    for (const socket of [...this.sockets()]) {
      const { token, caller, apiKey } = socket.data;
      if (token && caller && !(await this.tokens.callerOf(token))) this.end(socket, 'expired');
      if (apiKey !== null && caller) await this.recheckKey(socket, apiKey);
    }
  }

  private async recheckKey(socket: ClientSocket, name: string): Promise<void> {
    try {
      if (!(await this.apiKeys.mayRead(name, socket.data.address))) this.end(socket, 'ended');
    } catch {
      // As with tokens: the next round checks again.
    }
  }

  /** Sends `session_closed`, then closes: no private event follows. */
  private end(socket: ClientSocket, reason: 'ended' | 'expired'): void {
    if (socket.data.caller)
      for (const room of [userRoom, programRoom]) void socket.leave(room(socket.data.caller.userId));
    socket.data.loggedIn = false;
    socket.data.caller = null;
    socket.data.expiresAt = Infinity;
    socket.emit('session_closed', { reason });
    setTimeout(() => socket.disconnect(true), FAREWELL_MS).unref();
  }
}
