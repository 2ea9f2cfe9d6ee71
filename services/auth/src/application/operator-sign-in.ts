import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Refused, type Caller } from '@bourse/platform';
import { LOGIN_FAILURES } from '../domain/lockout.js';
import { deviceOf } from './device.js';
import {
  AuthDatabase,
  Failures,
  Operators,
  Passwords,
  SessionNews,
  Tokens,
  Totp,
  type OperatorRole,
  type Origin,
} from './ports.js';

type Opened = { readonly token: string; readonly ended: readonly string[] };

/** Sign-in of those who run the exchange: password, and outside a demo install always an authenticator code. */
@Injectable()
export class OperatorSignIn {
  constructor(
    private readonly database: AuthDatabase,
    private readonly operators: Operators,
    private readonly failures: Failures,
    private readonly passwords: Passwords,
    private readonly totp: Totp,
    private readonly tokens: Tokens,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  /** Throws `auth.wrong`, `login.totpRequired`, `login.totpWrong`; `common.tooMany` after ten failures in fifteen minutes, `login.resetOnly` after twenty in a day [AUTH-070]. */
  async execute(
    {
      username,
      password,
      totpCode,
    }: { readonly username: string; readonly password: string; readonly totpCode: string | undefined },
    origin: Origin,
  ): Promise<{ token: string; id: number; roles: readonly OperatorRole[] }> {
    const now = this.clock.sessions();
    const found = await this.operators.byName(this.database, username);
    const device = deviceOf(origin);
    // The same question for names that are not there: the work must not tell.
    const known = await this.operators.knowsDevice(this.database, found?.id ?? 0, device);
    const bucket = !found
      ? `operator:?${createHash('sha256').update(username.toLowerCase()).digest('base64url')}`
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
    if (entry.barrier === 'reset') throw new Refused('login.resetOnly');
    if (entry.barrier === 'wait') throw new Refused('common.tooMany', { seconds: LOGIN_FAILURES.codeWindowMs / 1_000 });
    const right = await this.failures.judged(this.database, entry.attempt, () =>
      this.passwords.verify(found?.active ? found.passwordHash : null, password),
    );
    if (!right || !found) throw new Refused('auth.wrong');

    const opened = await this.database.transaction(async (tx): Promise<Opened | Refused> => {
      if (found.totpSealed !== null || (await this.operators.totpRequired(tx))) {
        if (totpCode === undefined) {
          await this.failures.takeBack(tx, entry.attempt);
          return new Refused('login.totpRequired', {}, { field: 'totp_code', extra: { need: 'totp' } });
        }
        // Who has no authenticator cannot have the right code; the attempt stays counted.
        const step = found.totpSealed === null ? null : this.totp.step(found.totpSealed, totpCode, this.clock.real());
        if (step === null || !(await this.operators.useTotpStep(tx, found.id, step)))
          return new Refused('login.totpWrong', {}, { field: 'totp_code' });
      }
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
    if (opened instanceof Refused) throw opened;
    if (opened.ended.length > 0) await this.news.tell(found.id, opened.ended);
    return { token: opened.token, id: found.id, roles: found.roles };
  }

  async logout(caller: Caller): Promise<void> {
    await this.database.transaction((tx) =>
      this.operators.end(tx, caller.userId, caller.sessionId, this.clock.sessions()),
    );
    await this.news.tell(caller.userId, [caller.sessionId]);
  }
}
