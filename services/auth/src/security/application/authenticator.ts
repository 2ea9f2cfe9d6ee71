import { Injectable } from '@nestjs/common';
import type { TotpSetup } from '@bourse/contract';
import type { TotpVerdict } from '@bourse/messaging';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { Attempts } from '../../shared/application/attempts.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { OwnPassword } from './own-password.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions } from '../../shared/application/ports/sessions.js';
import { Totp } from '../../shared/application/ports/totp.js';

const bucketOf = (userId: number): string => `totp:${userId}`;
const WRONG = { key: 'login.totpWrong', field: 'totp_code' } as const;

/** The second factor of a person: set up, confirmed by a first code, removed by a code and the password [AUTH-110]. */
@Injectable()
export class Authenticator {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly totp: Totp,
    private readonly attempts: Attempts,
    private readonly password: OwnPassword,
    private readonly ownChange: OwnChange,
    private readonly sessions: Sessions,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly devices: AuthorizationCodes,
    private readonly log: SecurityLog,
  ) {}

  /**
   * A new secret, shown only here; it is valid from `enable` on. Throws `totp.active`: an active one must be removed
   * first.
   */
  async setup(caller: Caller): Promise<TotpSetup> {
    const person = await this.own(caller.userId);
    if (person.totpSealed !== null) throw new Refused('totp.active');
    const { secret, url, sealed } = this.totp.create(person.email || `+${person.areaCode}${person.phone}`);
    await this.database.transaction((tx) => this.people.setTotpPending(tx, person.id, sealed));
    return { secret, otpauth_url: url };
  }

  /** Throws `login.totpWrong`, also when nothing was set up, and what `OwnChange` throws. Every other session ends. */
  async enable(caller: Caller, code: string): Promise<void> {
    const person = await this.own(caller.userId);
    if (person.totpSealed !== null) throw new Refused('totp.active');
    const { totpPending } = person;
    let step: number | null = null;
    await this.attempts.require(
      bucketOf(person.id),
      () =>
        Promise.resolve(
          (step = totpPending === null ? null : this.totp.step(totpPending, code, this.clock.real())) !== null,
        ),
      WRONG,
    );
    const ended = await this.ownChange.execute(caller, async (tx, now) => {
      if (totpPending === null || step === null || !(await this.people.enableTotp(tx, person.id, totpPending, step)))
        throw new Refused(WRONG.key, {}, { field: WRONG.field });
      await this.letters.notifyEverywhere(tx, now, 'totpOn');
      await this.devices.drop(tx, person.id);
      return this.sessions.endOthers(tx, person.id, caller.sessionId, this.clock.sessions());
    });
    await this.news.sessionsEnded(person.id, ended);
    this.log.record('authenticator.enabled');
  }

  /**
   * Throws `auth.wrong` for the password, then `login.totpWrong`, and what `OwnChange` throws. Every other session
   * ends.
   */
  async disable(caller: Caller, code: string, password: string): Promise<void> {
    await this.password.require(caller.userId, password);
    const person = await this.own(caller.userId);
    if (person.totpSealed === null || !(await this.useCode(person, code)))
      throw new Refused(WRONG.key, {}, { field: WRONG.field });
    const ended = await this.ownChange.execute(caller, async (tx, now) => {
      // Another one may be on since the code was checked.
      if (now.totpSealed !== person.totpSealed) throw new Refused(WRONG.key, {}, { field: WRONG.field });
      await this.people.disableTotp(tx, person.id);
      await this.letters.notifyEverywhere(tx, now, 'totpOff');
      await this.devices.drop(tx, person.id);
      return this.sessions.endOthers(tx, person.id, caller.sessionId, this.clock.sessions());
    });
    await this.news.sessionsEnded(person.id, ended);
    this.log.record('authenticator.disabled');
  }

  /** For other services: whether the code is the person's. A person without an authenticator passes. */
  async verify(userId: number, code: string | null): Promise<TotpVerdict> {
    const person = await this.people.byId(this.database, userId);
    if (!person) return { ok: false, key: 'login.totpWrong' };
    if (person.totpSealed === null) return { ok: true };
    if (code === null || code === '') return { ok: false, key: 'login.totpRequired' };
    return (await this.useCode(person, code)) ? { ok: true } : { ok: false, key: 'login.totpWrong' };
  }

  /** Checks a code and uses its step up; the try is counted before the check. */
  async useCode({ id, totpSealed }: Person, code: string): Promise<boolean> {
    const verdict = await this.attempts.check(bucketOf(id), async () => {
      const step = totpSealed === null ? null : this.totp.step(totpSealed, code, this.clock.real());
      return step !== null && (await this.database.transaction((tx) => this.people.useTotpStep(tx, id, step)));
    });
    if (verdict.kind !== 'right') this.log.record('authenticator.wrong', { user_id: id, reason: verdict.kind });
    return verdict.kind === 'right';
  }

  private async own(userId: number): Promise<Person> {
    const person = await this.people.byId(this.database, userId);
    if (!person) throw new Refused('auth.expired');
    return person;
  }
}
