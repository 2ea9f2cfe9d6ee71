import { Injectable } from '@nestjs/common';
import { Clock } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import { WITHDRAWAL_BLOCK_MS } from '../domain/session.js';
import { JudgeCode, codeRefusal } from './judge-code.js';
import { Letters } from './letters.js';
import { AuthDatabase, AuthorizationCodes, Failures, Passwords, People, SessionNews, Sessions } from './ports.js';

@Injectable()
export class ForgottenPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly failures: Failures,
    private readonly sessions: Sessions,
    private readonly judge: JudgeCode,
    private readonly devices: AuthorizationCodes,
    private readonly letters: Letters,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  /** Sets a new login password by a code of scene `forget`: all sessions end, failed logins are forgotten, withdrawals wait 24 h [AUTH-030]. */
  async execute(name: AccountName, code: string, password: string): Promise<void> {
    const codeId = await this.judge.execute(name.key, 'forget', code);
    const person = await this.people.byName(this.database, name);
    // No code of an account that is not there was ever sent, so nobody gets here but by guessing.
    if (!person?.canSignIn)
      throw codeRefusal({ kind: 'expired' }) ?? new Error('invariant: an expired code is a refusal');
    const stored = await this.passwords.hashLogin(password);
    await this.database.transaction(async (tx) => {
      await this.judge.consume(tx, codeId);
      await this.people.setPassword(tx, person.id, stored, this.clock.now() + WITHDRAWAL_BLOCK_MS);
      await this.sessions.endAll(tx, person.id, this.clock.sessions());
      await this.failures.clearLogins(tx, person.id);
      await this.devices.drop(tx, person.id);
      await this.letters.tell(tx, person, 'password');
    });
    await this.news.tell(person.id, 'all');
  }
}
