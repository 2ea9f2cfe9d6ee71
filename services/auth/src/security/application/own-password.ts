import { Injectable } from '@nestjs/common';
import { Refused, SecurityLog } from '@bourse/platform';
import { Attempts, type AttemptVerdict } from '../../shared/application/attempts.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { People } from '../../shared/application/ports/people.js';

/** Checks the login password of a signed-in person: a stolen session must not guess it, nor bypass it. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly attempts: Attempts,
    private readonly log: SecurityLog,
  ) {}

  async verify(userId: number, password: string): Promise<AttemptVerdict> {
    const verdict = await this.attempts.check(bucketOf(userId), () => this.isRight(userId, password));
    if (verdict.kind !== 'right') this.log.record('password.confirm_failed', { user_id: userId, reason: verdict.kind });
    return verdict;
  }

  /** Throws `auth.wrong` {left}, and what `Attempts.require` throws. */
  async require(userId: number, password: string): Promise<void> {
    try {
      await this.attempts.require(bucketOf(userId), () => this.isRight(userId, password), {
        key: 'auth.wrong',
        field: 'password',
        tells: true,
      });
    } catch (error) {
      if (error instanceof Refused) this.log.record('password.confirm_failed', { reason: error.key });
      throw error;
    }
  }

  private async isRight(userId: number, password: string): Promise<boolean> {
    const person = await this.people.byId(this.database, userId);
    return this.passwords.verify(person?.canSignIn ? person.passwordHash : null, password, {
      known: true,
      key: `user ${userId}`,
    });
  }
}

const bucketOf = (userId: number): string => `own:${userId}`;
