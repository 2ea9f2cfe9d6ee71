import type { Logger } from '@nestjs/common';
import type { Clock } from '@bourse/platform';
import type { ApiKeys } from '../../sign-in/application/api-keys.js';
import type { Sessions, SessionView } from '../../sign-in/application/sessions.js';
import type { TokenStrategy } from '../../sign-in/http/token.strategy.js';
import { programRoom, userRoom, type ClientSocket } from './client-socket.js';

/** Time for `session_closed` to be sent before the socket is closed. */
const FAREWELL_MS = 200;
/** Sockets in one question to auth. */
const QUESTION_SOCKETS = 500;

type Reason = 'ended' | 'expired';

/** Closes sockets whose session or API key has ended or expired. */
export class SocketSessions {
  /** `sockets` returns those of this process. */
  constructor(
    private readonly sockets: () => Iterable<ClientSocket>,
    private readonly sessions: Sessions,
    private readonly tokens: TokenStrategy,
    private readonly apiKeys: ApiKeys,
    private readonly clock: Clock,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /** Closes the sockets of sessions that were ended. */
  async onSession({ userId, ended }: SessionView): Promise<void> {
    const programs: ClientSocket[] = [];
    for (const socket of this.sockets()) {
      const { caller, apiKey } = socket.data;
      if (caller?.userId !== userId) continue;
      if (ended === 'all' || ended.includes(caller.sessionId)) this.end(socket, 'ended');
      else if (apiKey !== null) programs.push(socket);
    }
    // Some changes delete keys and end no session.
    await this.check(programs, 'ended');
  }

  /** Closes the sockets whose token has expired. */
  endExpired(): void {
    const now = this.clock.sessions();
    for (const socket of this.sockets()) if (socket.data.expiresAt <= now) this.end(socket, 'expired');
  }

  /**
   * Checks a socket that was just registered: an end of its session during the handshake has not found it. Auth is
   * asked only if it has published something since the handshake.
   */
  async verifyNew(socket: ClientSocket): Promise<void> {
    const { caller, token, apiKey, address } = socket.data;
    if (!caller) return;
    await this.keepOnFailure(async () => {
      const isActive =
        token === null
          ? apiKey !== null && (await this.apiKeys.mayRead(apiKey, address))
          : (await this.tokens.callerOf(token)) !== null;
      if (!isActive) this.end(socket, 'ended');
    });
  }

  /** Checks every signed-in socket with auth. */
  async recheck(): Promise<void> {
    await this.check([...this.sockets()], 'expired');
  }

  /** Closes those of these sockets whose session or API key is over, by a few questions one after the other. */
  private async check(sockets: readonly ClientSocket[], reason: Reason): Promise<void> {
    const signedIn = sockets.flatMap((socket) => {
      const { caller } = socket.data;
      return caller ? [{ socket, sessionId: caller.sessionId }] : [];
    });
    await this.keepOnFailure(async () => {
      for (let from = 0; from < signedIn.length; from += QUESTION_SOCKETS) {
        const asked = signedIn.slice(from, from + QUESTION_SOCKETS);
        const active = new Set(await this.sessions.activeAmong(asked.map(({ sessionId }) => sessionId)));
        for (const { socket, sessionId } of asked) if (!active.has(sessionId)) this.end(socket, reason);
      }
    });
  }

  /** A socket that cannot be checked stays open: its calls are checked anyway, and the next round checks it again. */
  private async keepOnFailure(check: () => Promise<void>): Promise<void> {
    try {
      await check();
    } catch (error) {
      this.log.warn(`sessions of sockets could not be checked: ${String(error)}`);
    }
  }

  /** Sends `session_closed`, then closes: no private event follows. */
  private end(socket: ClientSocket, reason: Reason): void {
    const { caller } = socket.data;
    // It was ended already, and waits for its farewell to be sent.
    if (!caller) return;
    for (const room of [userRoom, programRoom]) void socket.leave(room(caller.userId));
    socket.data.loggedIn = false;
    socket.data.caller = null;
    socket.data.expiresAt = Infinity;
    socket.emit('session_closed', { reason });
    setTimeout(() => socket.disconnect(true), FAREWELL_MS).unref();
  }
}
