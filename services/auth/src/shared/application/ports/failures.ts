import type { Database, Tx } from '@bourse/persistence';
import type { FundFailures, LoginFailures } from '../../domain/lockout.js';

/**
 * Failed passwords, in PostgreSQL: clearing a cache must not reset them. A failure is counted before the password is
 * checked and taken back when it was right.
 */
export abstract class Failures {
  abstract lock(tx: Tx, bucket: string): Promise<void>;
  abstract login(tx: Tx, bucket: string, now: number): Promise<LoginFailures>;
  abstract fund(tx: Tx, bucket: string, now: number): Promise<FundFailures>;
  abstract add(tx: Tx, bucket: string, now: number): Promise<string>;
  abstract takeBack(tx: Tx, id: string): Promise<void>;
  abstract clear(tx: Tx, bucket: string): Promise<void>;
  /** Clears all failures of one person's login password, from every device. */
  abstract clearLogins(tx: Tx, userId: number): Promise<void>;
  /** Clears all failures of one operator's password and authenticator, from every device. */
  abstract clearOperator(tx: Tx, operatorId: number): Promise<void>;

  /**
   * Checks a password whose attempt was counted. If the check itself fails, the password was not wrong: its attempt is
   * taken back.
   */
  async verifyCounted(
    database: Pick<Database, 'transaction'>,
    attempt: string,
    look: () => Promise<boolean>,
  ): Promise<boolean> {
    try {
      return await look();
    } catch (error) {
      await database.transaction((tx) => this.takeBack(tx, attempt));
      throw error;
    }
  }
}
