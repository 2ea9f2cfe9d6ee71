import { Injectable } from '@nestjs/common';
import { Clock, Refused, type Caller } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import { WITHDRAWAL_BLOCK_MS } from '../domain/session.js';
import { JudgeCode } from './judge-code.js';
import { Letters, nameOf } from './letters.js';
import { AuthDatabase, AuthorizationCodes, People, SessionNews, Sessions } from './ports.js';

/** Binding of e-mail and phone (rules §12.4, §8.6) [AUTH-100]. */
@Injectable()
export class Contact {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly judge: JudgeCode,
    private readonly sessions: Sessions,
    private readonly devices: AuthorizationCodes,
    private readonly letters: Letters,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  /**
   * Binds an address by the code that was sent to it. A change of one, unlike the first, blocks withdrawals for 24 h, ends the other sessions and is told to
   * the address before. Throws `code.wrong`, `code.expired`, `register.used`.
   */
  async bind(caller: Caller, name: AccountName, field: 'email' | 'mobile', code: string): Promise<void> {
    const codeId = await this.judge.execute(name.key, 'bind', code);
    const ended = await this.database.transaction(async (tx) => {
      const person = await this.people.byId(tx, caller.userId);
      if (!person) throw new Refused('auth.expired');
      await this.judge.consume(tx, codeId);
      const isChange = (name.kind === 'email' ? person.email : person.phone) !== '';
      const blockedUntil = isChange ? this.clock.now() + WITHDRAWAL_BLOCK_MS : null;
      if (
        (await this.people.byName(tx, name)) !== null ||
        !(await this.people.setContact(tx, person.id, name, blockedUntil))
      )
        throw new Refused('register.used', {}, { field });
      if (!isChange) return [];
      await this.letters.tell(tx, person, name.kind, {}, nameOf(person));
      await this.devices.drop(tx, person.id);
      return this.sessions.endOthers(tx, person.id, caller.sessionId, this.clock.sessions());
    });
    await this.news.tell(caller.userId, ended);
  }
}
