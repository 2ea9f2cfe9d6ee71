import { Injectable } from '@nestjs/common';
import { Attempts, type AttemptVerdict } from './attempts.js';
import { AuthDatabase, Passwords, People } from './ports.js';

/** The login password of who is signed in already: a stolen session must not find it out, nor do what needs it. */
@Injectable()
export class OwnPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly attempts: Attempts,
  ) {}

  async verify(userId: number, password: string): Promise<AttemptVerdict> {
    return this.attempts.judge(bucketOf(userId), () => this.isRight(userId, password));
  }

  /** Throws `auth.wrong`, and what `Attempts.require` throws. */
  async require(userId: number, password: string): Promise<void> {
    await this.attempts.require(bucketOf(userId), () => this.isRight(userId, password), {
      key: 'auth.wrong',
      field: 'password',
    });
  }

  private async isRight(userId: number, password: string): Promise<boolean> {
    const person = await this.people.byId(this.database, userId);
    return this.passwords.verify(person?.canSignIn ? person.passwordHash : null, password);
  }
}

const bucketOf = (userId: number): string => `own:${userId}`;
