import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, Refused } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import { loginBarrier, loginNeedsCode } from '../domain/lockout.js';
import { deviceOf } from './device.js';
import { codeRefusal } from './judge-code.js';
import { OpenSession } from './open-session.js';
import {
  AuthDatabase,
  Codes,
  Failures,
  Passwords,
  People,
  Sessions,
  Settings,
  Totp,
  type Origin,
  type Person,
} from './ports.js';

export interface LoginRequest {
  readonly text: string;
  readonly name: AccountName | null;
  readonly password: string;
  readonly code: string | undefined;
  readonly totpCode: string | undefined;
}

@Injectable()
export class Login {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly failures: Failures,
    private readonly settings: Settings,
    private readonly passwords: Passwords,
    private readonly codes: Codes,
    private readonly totp: Totp,
    private readonly sessions: Sessions,
    private readonly openSession: OpenSession,
    private readonly clock: Clock,
  ) {}

  /** Opens a session, or refuses in the order of rules §12.1. Accounts that are not there cost the same work and get the same answers [AUTH-001]. */
  async execute(
    { text, name, password, code, totpCode }: LoginRequest,
    origin: Origin,
  ): Promise<{ token: string; id: number }> {
    const now = this.clock.sessions();
    const found = name ? await this.people.byName(this.database, name) : null;
    const device = deviceOf(origin);
    const bucket = await this.bucketOf(found, text, device);
    const entry = await this.database.transaction(async (tx) => {
      await this.failures.lock(tx, bucket);
      const failures = await this.failures.login(tx, bucket, now);
      const codeDemanded = loginNeedsCode(failures, (await this.settings.read(tx)).loginNeedsCode);
      const barrier = loginBarrier(failures, { codeDemanded, codeGiven: code !== undefined });
      return { barrier, codeDemanded, attempt: barrier === 'none' ? await this.failures.add(tx, bucket, now) : '' };
    });
    if (entry.barrier === 'code')
      throw new Refused('set.enterCode', {}, { field: 'sms_code', extra: { need: 'sms_code' } });
    if (entry.barrier === 'reset') throw new Refused('login.resetOnly');
    const right = await this.failures.judged(this.database, entry.attempt, () =>
      this.passwords.verify(found?.canSignIn ? found.passwordHash : null, password),
    );
    if (!right || !found || !name) throw new Refused('auth.wrong');

    return this.openSession.execute(found, device, origin, async (tx) => {
      let codeId: string | undefined;
      if (entry.codeDemanded) {
        const verdict = await this.codes.judge(tx, name.key, 'login', code ?? '', now);
        const refusal = codeRefusal(verdict);
        if (refusal) {
          await this.failures.takeBack(tx, entry.attempt); // codes have tries of their own
          return refusal;
        }
        if (verdict.kind === 'right') codeId = verdict.id;
      }
      if (found.totpSealed !== null) {
        if (totpCode === undefined) {
          await this.failures.takeBack(tx, entry.attempt);
          return new Refused('login.totpRequired', {}, { field: 'totp_code', extra: { need: 'totp' } });
        }
        const step = this.totp.step(found.totpSealed, totpCode, this.clock.real());
        // The attempt stays counted: six digits must not be tried without end.
        if (step === null || !(await this.people.useTotpStep(tx, found.id, step)))
          return new Refused('login.totpWrong', {}, { field: 'totp_code' });
      }
      if (codeId !== undefined && !(await this.codes.consume(tx, codeId, now)))
        return new Refused('code.expired', {}, { field: 'sms_code' });
      await this.failures.clear(tx, bucket);
      return null;
    });
  }

  /**
   * Where failures are counted. A device that has signed in before has a count of its own, so that nobody can lock the owner out from elsewhere;
   * accounts that are not there are counted by what was written.
   */
  private async bucketOf(person: Person | null, text: string, device: string): Promise<string> {
    // The same question for accounts that are not there: the work must not tell.
    const known = await this.sessions.knowsDevice(this.database, person?.id ?? 0, device);
    if (!person) return `login:?${createHash('sha256').update(text.toLowerCase()).digest('base64url')}`;
    return known ? `login:${person.id}@${device}` : `login:${person.id}`;
  }
}
