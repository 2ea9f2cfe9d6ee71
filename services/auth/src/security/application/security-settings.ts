import { Injectable } from '@nestjs/common';
import { Clock, SecurityLog, type Caller } from '@bourse/platform';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { OwnPassword } from './own-password.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People } from '../../shared/application/ports/people.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { SessionEvents } from '../../shared/application/session-events.js';

/**
 * People's own security settings: the anti-phishing phrase of their letters, and the account freeze [AUTH-120,
 * AUTH-122].
 */
@Injectable()
export class SecuritySettings {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly password: OwnPassword,
    private readonly ownChange: OwnChange,
    private readonly letters: MessageTemplates,
    private readonly seal: Seal,
    private readonly news: SessionEvents,
    private readonly log: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /** Sets the phrase that every letter to this person shows from now on. */
  async setWord(caller: Caller, word: string): Promise<void> {
    await this.database.transaction((tx) =>
      this.people.setPhishingWord(tx, caller.userId, this.seal.seal('phishing', word)),
    );
  }

  /**
   * Stops trading and withdrawals until support lifts the freeze. Throws what `OwnPassword.require` and `OwnChange`
   * throw.
   */
  async freeze(caller: Caller, password: string): Promise<void> {
    await this.password.require(caller.userId, password);
    await this.ownChange.execute(caller, async (tx, person) => {
      await this.people.setFrozen(tx, person.id, 'all', this.clock.now());
      await this.letters.notifyEverywhere(tx, person, 'frozen');
    });
    await this.news.sessionsEnded(caller.userId, []);
    this.log.record('account.frozen', { scope: 'all', by: 'owner' });
  }
}
