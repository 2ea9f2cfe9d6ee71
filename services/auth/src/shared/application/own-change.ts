import { Injectable } from '@nestjs/common';
import type { Tx } from '@bourse/persistence';
import { Clock, Refused, type Caller } from '@bourse/platform';
import { AuthDatabase } from './ports/database.js';
import { People, type Person } from './ports/people.js';
import { Sessions } from './ports/sessions.js';

/**
 * The last transaction of a change that a signed-in person makes to the own account. Its checks take time: hashes,
 * questions to other services. Meanwhile the password may be reset, which ends every session and API key (api §6.16),
 * and what the ended session asked for must not come into force afterwards [AUTH-218].
 */
@Injectable()
export class OwnChange {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly clock: Clock,
  ) {}

  /**
   * Does `work` in a transaction, with the account as it is now. The account is locked before anything else, as in a
   * sign-in: a reset comes wholly before the change, which is then refused, or wholly after it. Throws `auth.expired`
   * if the caller's session has ended.
   */
  execute<T>(caller: Caller, work: (tx: Tx, person: Person) => Promise<T>): Promise<T> {
    return this.database.transaction(async (tx) => {
      const person = await this.people.lock(tx, caller.userId);
      // Read after the wait for the lock: the session may have ended during it.
      const session = await this.sessions.ages(tx, caller.userId, caller.sessionId, this.clock.sessions());
      if (!person || !session) throw new Refused('auth.expired');
      return work(tx, person);
    });
  }
}
