import { Injectable, Logger } from '@nestjs/common';
import { isTransient } from '@bourse/persistence';
import { Unavailable } from '@bourse/platform';
import { AuthDatabase } from './ports/database.js';
import { Passwords, type Lane } from './ports/passwords.js';
import { People, type Person } from './ports/people.js';

/**
 * Hashes a right password again if its hash is of an old pepper, so that the pepper can be changed (docs/data-keys.md),
 * or of another form than the normalized one [HARD-316] [CLIENT-200].
 */
@Injectable()
export class Rehash {
  private readonly log = new Logger('Passwords');

  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
  ) {}

  login(person: Person, password: string): Promise<void> {
    return this.whenOutdated(person, person.passwordHash, password, async (old) => {
      const fresh = await this.passwords.hashLogin(password, laneOf(person));
      await this.database.transaction((tx) => this.people.rehash(tx, person.id, old, fresh));
    });
  }

  fund(person: Person, password: string): Promise<void> {
    return this.whenOutdated(person, person.fundHash, password, async (old) => {
      const fresh = await this.passwords.hash(password, laneOf(person));
      await this.database.transaction((tx) => this.people.rehashFund(tx, person.id, old, fresh));
    });
  }

  /**
   * A failure here refuses nobody: the session is open, and the code that opened it is used up. The next sign-in tries
   * again.
   */
  private async whenOutdated(
    person: Person,
    hash: string | null,
    password: string,
    work: (old: string) => Promise<void>,
  ): Promise<void> {
    if (hash === null) return;
    try {
      if (await this.passwords.isOutdated(hash, password, laneOf(person))) await work(hash);
    } catch (error) {
      if (!(error instanceof Unavailable || isTransient(error))) throw error;
      this.log.debug(`a password keeps its earlier hash for now: ${(error as Error).message}`);
    }
  }
}

/** The right password makes the caller known. */
const laneOf = ({ id }: Person): Lane => ({ known: true, key: `user ${id}` });
