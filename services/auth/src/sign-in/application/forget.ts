import { Injectable } from '@nestjs/common';
import { Clock, Refused, SecurityLog } from '@bourse/platform';
import { keyOfTyped, type AccountName } from '../../shared/domain/account-name.js';
import { opensPasswords } from '../../shared/domain/contact.js';
import { isGuessable } from '../../shared/domain/password.js';
import { WITHDRAWAL_BLOCK_MS } from '../../shared/domain/session.js';
import { codeRequesters } from '../../shared/application/device.js';
import { codeExpired, VerifyCode } from '../../shared/application/verify-code.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { ApiKeys } from '../../shared/application/ports/api-keys.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { People } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';

export interface Forgotten {
  /** The account as typed, and the name that was read from it. */
  readonly text: string;
  readonly name: AccountName | null;
  readonly code: string;
  readonly password: string;
  readonly repeated: string | undefined;
}

@Injectable()
export class ForgottenPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly failures: Failures,
    private readonly sessions: Sessions,
    private readonly apiKeys: ApiKeys,
    private readonly verifyCode: VerifyCode,
    private readonly devices: AuthorizationCodes,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * The rest of rules §12.3, after the fields that the edge reads: guessable password (as in a registration), repeat,
   * code. Sets a new login password: all sessions and API keys end, failed logins are cleared, withdrawals are blocked
   * for 24 h. A contact that was bound within a day is not accepted while there is another (api §6.16): no code was
   * sent to it, so none is right [AUTH-030].
   */
  async execute({ text, name, code, password, repeated }: Forgotten, origin: Origin): Promise<void> {
    if (name && isGuessable(password, name, this.passwords.common))
      throw new Refused('register.pswCommon', {}, { field: 'password' });
    if (repeated !== password) throw new Refused('pswFalse', {}, { field: 'repassword' });
    // A text that is no account has no code, like an unknown account.
    const codeId = await this.verifyCode.execute(
      { nameKey: keyOfTyped(name, text), scene: 'forget', digits: code },
      codeRequesters(null, origin),
    );
    if (!name) throw new Error('invariant: what is no account has no code');
    const person = await this.people.byName(this.database, name);
    // No code was ever sent for an unknown account, so this line is reached by guessing only.
    if (!person?.canSignIn || !opensPasswords(person, name.kind, this.clock.now())) throw codeExpired();
    // The right code makes the caller known.
    const stored = await this.passwords.hashLogin(password, { known: true, key: `user ${person.id}` });
    const keys = await this.database.transaction(async (tx) => {
      await this.verifyCode.consume(tx, codeId, origin);
      await this.people.lock(tx, person.id);
      // The contact may have been replaced meanwhile: then it opens nothing, and gets no letter [AUTH-244].
      const now = await this.people.byName(tx, name);
      if (now?.id !== person.id || !now.canSignIn || !opensPasswords(now, name.kind, this.clock.now()))
        throw codeExpired();
      await this.people.setPassword(tx, person.id, stored, this.clock.now() + WITHDRAWAL_BLOCK_MS);
      await this.sessions.endAll(tx, person.id, this.clock.sessions());
      await this.failures.clearLogins(tx, person.id);
      await this.devices.drop(tx, person.id);
      await this.letters.notifyEverywhere(tx, now, 'password');
      return this.apiKeys.removeAll(tx, person.id, this.clock.sessions());
    });
    await this.news.sessionsEnded(person.id, 'all');
    this.log.record('password.reset', { user_id: person.id, api_keys_ended: keys });
  }
}
