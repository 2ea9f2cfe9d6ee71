import { Injectable } from '@nestjs/common';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { LOGIN_FAILURES } from '../../shared/domain/lockout.js';
import { unknownBucket } from '../../shared/application/attempts.js';
import { deviceOf } from '../../shared/application/device.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Operators, type Operator, type OperatorRole } from '../../shared/application/ports/operators.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { Tokens } from '../../shared/application/ports/session-tokens.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import type { Origin } from '../../shared/application/ports/sessions.js';
import { Totp } from '../../shared/application/ports/totp.js';

/** Fields of a sign-in; `newPassword` counts only for an operator who must choose one. */
export interface OperatorAccess {
  readonly username: string;
  readonly password: string;
  readonly totpCode: string | undefined;
  readonly newPassword: string | undefined;
}
type Opened = { readonly token: string; readonly ended: readonly string[] };

/** Sign-in of operators: password, and outside a demo install always an authenticator code. */
@Injectable()
export class OperatorSignIn {
  constructor(
    private readonly database: AuthDatabase,
    private readonly operators: Operators,
    private readonly failures: Failures,
    private readonly passwords: Passwords,
    private readonly totp: Totp,
    private readonly tokens: Tokens,
    private readonly news: SessionEvents,
    private readonly security: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `auth.wrong`, `login.totpRequired`, `login.totpWrong`; `common.tooMany` after ten failures in fifteen
   * minutes, `login.resetOnly` after twenty in a day [AUTH-070]; `admin.passwordFirst` when somebody else has chosen
   * the password and no new one is given [HARD-104].
   */
  async execute(
    { username, password, totpCode, newPassword }: OperatorAccess,
    origin: Origin,
  ): Promise<{ token: string; id: number; roles: readonly OperatorRole[] }> {
    const now = this.clock.sessions();
    const found = await this.operators.byName(this.database, username);
    const device = deviceOf(origin);
    // The same query runs for unknown names: the work must not reveal them.
    const known = await this.operators.hasDevice(this.database, found?.id ?? 0, device);
    const bucket = !found
      ? unknownBucket('operator', username)
      : known
        ? `operator:${found.id}@${device}`
        : `operator:${found.id}`;
    const entry = await this.database.transaction(async (tx) => {
      await this.failures.lock(tx, bucket);
      const { recent, day } = await this.failures.login(tx, bucket, now);
      const barrier =
        day >= LOGIN_FAILURES.resetFrom
          ? ('reset' as const)
          : recent >= LOGIN_FAILURES.codeFrom
            ? ('wait' as const)
            : ('none' as const);
      return { barrier, attempt: barrier === 'none' ? await this.failures.add(tx, bucket, now) : '' };
    });
    const failed = (why: string): void => {
      this.security.record('operator.sign_in_failed', { ...(found ? { operator_id: found.id } : {}), why });
    };
    if (entry.barrier !== 'none') failed('locked');
    if (entry.barrier === 'reset') throw new Refused('login.resetOnly');
    if (entry.barrier === 'wait') throw new Refused('common.tooMany', { seconds: LOGIN_FAILURES.codeWindowMs / 1_000 });
    const right = await this.failures.verifyCounted(this.database, entry.attempt, () =>
      this.passwords.verify(found?.active ? found.passwordHash : null, password),
    );
    if (!right || !found) {
      failed('password');
      throw new Refused('auth.wrong');
    }
    const ownHash = found.needsOwnPassword && newPassword !== undefined ? await this.chosen(found, newPassword) : null;

    const freshHash =
      ownHash ??
      ((await this.passwords.isOutdated(found.passwordHash, password)) ? await this.passwords.hash(password) : null);

    const opened = await this.database.transaction(async (tx): Promise<Opened | Refused> => {
      // The check takes time: a session must not outlive a change made meanwhile [AUTH-215].
      if (!(await this.operators.lockUnchanged(tx, found))) return new Refused('auth.wrong');
      const required = await this.operators.totpRequired(tx);
      if (found.totpSealed !== null || required) {
        if (totpCode === undefined) {
          await this.failures.takeBack(tx, entry.attempt);
          return new Refused('login.totpRequired', {}, { field: 'totp_code', extra: { need: 'totp' } });
        }
        // The person who chose the password knows this already. The code stays valid, because it is sent again with
        // the new password.
        if (required && found.needsOwnPassword && ownHash === null) {
          await this.failures.takeBack(tx, entry.attempt);
          return new Refused('admin.passwordFirst', {}, { field: 'new_password', extra: { need: 'new_password' } });
        }
        // Without an authenticator every code is wrong; the attempt is counted.
        const step = found.totpSealed === null ? null : this.totp.step(found.totpSealed, totpCode, this.clock.real());
        if (step === null || !(await this.operators.useTotpStep(tx, found.id, step)))
          return new Refused('login.totpWrong', {}, { field: 'totp_code' });
      }
      if (freshHash !== null) await this.operators.setPassword(tx, found.id, found.passwordHash, freshHash);
      if (ownHash !== null) await this.operators.requireOwnPassword(tx, found.id, false);
      await this.failures.clear(tx, bucket);
      await this.operators.rememberDevice(tx, found.id, device, now);
      const { token, tokenHash, publicId } = this.tokens.issue(`operator:${found.id}`);
      const ended = await this.operators.open(
        tx,
        { tokenHash, publicId, operatorId: found.id, ip: origin.ip, agent: origin.agent },
        now,
      );
      return { token, ended };
    });
    if (opened instanceof Refused) {
      if (opened.key === 'auth.wrong') failed('password');
      if (opened.key === 'login.totpWrong') failed('authenticator');
      throw opened;
    }
    this.security.record('operator.sign_in', { operator_id: found.id });
    if (ownHash !== null) this.security.record('operator.password_changed', { operator_id: found.id });
    if (opened.ended.length > 0) await this.news.sessionsEnded(found.id, opened.ended);
    return { token: opened.token, id: found.id, roles: found.roles };
  }

  /** Hash of a password that replaces the first one. Throws `register.pswCommon`. */
  private async chosen(operator: Operator, password: string): Promise<string> {
    const folded = password.toLowerCase();
    const isOld = await this.passwords.verify(operator.passwordHash, password);
    if (isOld || folded === operator.username || this.passwords.common.has(folded))
      throw new Refused('register.pswCommon', {}, { field: 'new_password' });
    return this.passwords.hash(password);
  }

  async logout(caller: Caller): Promise<void> {
    await this.database.transaction((tx) =>
      this.operators.end(tx, caller.userId, caller.sessionId, this.clock.sessions()),
    );
    await this.news.sessionsEnded(caller.userId, [caller.sessionId]);
    this.security.record('sign_out');
  }
}
