import { Injectable } from '@nestjs/common';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { CONFIRMED_MS } from '../domain/session.js';
import { Authenticator } from './authenticator.js';
import { OwnPassword } from './own-password.js';
import { AuthDatabase } from './ports/database.js';
import { Sessions } from './ports/sessions.js';

/**
 * K of api §6.16: calls that can take an account over need its password within the last ten minutes, so that a token
 * alone is not enough. Read from the session's row each time, never from the edge's cache [HARD-103].
 */
@Injectable()
export class Confirmation {
  constructor(
    private readonly database: AuthDatabase,
    private readonly sessions: Sessions,
    private readonly password: OwnPassword,
    private readonly authenticator: Authenticator,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Confirms the caller's session by the login password and, if one is set up, the authenticator. Returns the end of
   * the confirmation, ms of the clock of sessions. Throws `auth.wrong` {left}, `login.totpRequired`, `login.totpWrong`.
   */
  async confirm(caller: Caller, password: string, totpCode: string | null): Promise<number> {
    await this.password.require(caller.userId, password);
    const verdict = await this.authenticator.verify(caller.userId, totpCode);
    if (!verdict.ok) {
      this.log.record('password.confirm_failed', { reason: verdict.key });
      throw new Refused(
        verdict.key,
        {},
        {
          field: 'totp_code',
          ...(verdict.key === 'login.totpRequired' ? { extra: { need: 'totp' } } : {}),
        },
      );
    }
    const now = this.clock.sessions();
    const confirmed = await this.database.transaction((tx) =>
      this.sessions.confirm(tx, caller.userId, caller.sessionId, now),
    );
    if (!confirmed) throw new Refused('auth.expired');
    this.log.record('password.confirmed');
    return now + CONFIRMED_MS;
  }

  /** Throws `auth.confirm` when the caller's session is not confirmed, `auth.expired` when it has ended. */
  async require(caller: Caller): Promise<void> {
    const now = this.clock.sessions();
    const session = await this.sessions.ages(this.database, caller.userId, caller.sessionId, now);
    if (!session) throw new Refused('auth.expired');
    if (session.confirmedAt === null || now - session.confirmedAt >= CONFIRMED_MS)
      throw new Refused('auth.confirm', {}, { extra: { need: 'password' } });
  }
}
