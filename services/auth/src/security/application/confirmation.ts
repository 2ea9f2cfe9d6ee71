import { Injectable } from '@nestjs/common';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { CONFIRMED_MS } from '../../shared/domain/session.js';
import { Authenticator } from './authenticator.js';
import { OwnPassword } from './own-password.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People } from '../../shared/application/ports/people.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';
import { SecondStep, type SecondProof } from './second-step.js';

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
    private readonly people: People,
    private readonly secondStep: SecondStep,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Confirms the caller's session by the login password and the second step of a person who has one. Returns the end
   * of the confirmation, ms of the clock of sessions. Throws `auth.wrong` {left} and the refusals of
   * `SecondStep.verify`.
   */
  async confirm(caller: Caller, password: string, proof: SecondProof, origin: Origin): Promise<number> {
    await this.password.require(caller.userId, password);
    const person = await this.people.byId(this.database, caller.userId);
    if (!person) throw new Refused('auth.expired');
    const second = await this.secondStep.verify(this.database, person, proof, origin, (digits) =>
      this.authenticator.useCode(person, digits),
    );
    if (second) {
      this.log.record('password.confirm_failed', { reason: second.refusal.key });
      throw second.refusal;
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
