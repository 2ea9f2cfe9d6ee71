import { Injectable } from '@nestjs/common';
import { FundGate } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import { OwnChange } from './own-change.js';
import { AuthDatabase } from './ports/database.js';
import { People, type Person } from './ports/people.js';

/** A change of the own account that needs the fund password. */
@Injectable()
export class FundChange {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly fund: FundGate,
    private readonly ownChange: OwnChange,
  ) {}

  /**
   * Checks the fund password, then does `work` in a transaction with the account as it is now. If the stored hash is no
   * longer the checked one, the password is checked again: it may be another password, or the same one with a new hash.
   * One that must be set again by now is refused by that check [AUTH-242].
   * Throws what `FundGate.demand` and `OwnChange.execute` throw [AUTH-218].
   */
  async execute<T>(
    caller: Caller,
    password: string | undefined,
    work: (tx: Tx, person: Person) => Promise<T>,
  ): Promise<T> {
    for (;;) {
      const before = await this.people.byId(this.database, caller.userId);
      await this.fund.demand(caller.userId, password, 'password', before?.fundHash ?? '');
      const done = await this.ownChange.execute(caller, async (tx, person) =>
        person.fundHash === before?.fundHash && !person.fundMustReset ? { result: await work(tx, person) } : null,
      );
      if (done) return done.result;
    }
  }
}
