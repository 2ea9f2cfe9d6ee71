import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isTransient } from '@bourse/persistence';
import { Clock, Refused } from '@bourse/platform';
import { LOGIN_FAILURES } from '../domain/lockout.js';
import { AuthDatabase } from './ports/database.js';
import { Failures } from './ports/failures.js';

/**
 * Name under which tries with an unknown name are counted: its hash, so that the table of failures holds no text typed
 * by strangers. `kind` names the kind of sign-in.
 */
export const unknownBucket = (kind: 'login' | 'device' | 'operator' | 'passkey', name: string): string =>
  `${kind}:?${createHash('sha256').update(name.toLowerCase()).digest('base64url')}`;

export type AttemptVerdict =
  | { readonly kind: 'right' }
  /** `left`: tries left before the lock. */
  | { readonly kind: 'wrong'; readonly left: number }
  | { readonly kind: 'barred'; readonly key: 'common.tooMany' | 'login.resetOnly' };

/**
 * Limits tries of secrets other than the login's and the fund password: the login password of a signed-in person,
 * authenticator codes, codes of another device. Ten wrong tries in fifteen minutes lock for that long, twenty in a day
 * until the password is set again. Tries are counted in PostgreSQL before the secret is checked, so that concurrent
 * tries get no more; a right one clears the count [AUTH-101].
 */
@Injectable()
export class Attempts {
  constructor(
    private readonly database: AuthDatabase,
    private readonly failures: Failures,
    private readonly clock: Clock,
  ) {}

  async check(bucket: string, look: () => Promise<boolean>): Promise<AttemptVerdict> {
    const now = this.clock.sessions();
    const entry = await this.database.transaction(async (tx) => {
      await this.failures.lock(tx, bucket);
      const { recent, day } = await this.failures.login(tx, bucket, now);
      if (day >= LOGIN_FAILURES.resetFrom) return 'login.resetOnly' as const;
      if (recent >= LOGIN_FAILURES.codeFrom) return 'common.tooMany' as const;
      const left = Math.min(LOGIN_FAILURES.codeFrom - recent, LOGIN_FAILURES.resetFrom - day) - 1;
      return { attempt: await this.failures.add(tx, bucket, now), left };
    });
    if (typeof entry === 'string') return { kind: 'barred', key: entry };
    if (!(await this.failures.verifyCounted(this.database, entry.attempt, look)))
      return { kind: 'wrong', left: entry.left };
    try {
      await this.database.transaction((tx) => this.failures.clear(tx, bucket));
    } catch (error) {
      // The secret was right, and may be used up: a refusal would say that nothing was done. The try stays counted.
      if (!isTransient(error)) throw error;
    }
    return { kind: 'right' };
  }

  /**
   * Like `check`, but throws `common.tooMany`, `login.resetOnly`, or `wrong` as a refusal of `field`, with the tries
   * left if `tells` is set.
   */
  async require(
    bucket: string,
    look: () => Promise<boolean>,
    wrong: { readonly key: string; readonly field?: string; readonly tells?: boolean },
  ): Promise<void> {
    const verdict = await this.check(bucket, look);
    if (verdict.kind === 'barred')
      throw new Refused(
        verdict.key,
        verdict.key === 'common.tooMany' ? { seconds: LOGIN_FAILURES.codeWindowMs / 1_000 } : {},
      );
    if (verdict.kind === 'wrong')
      throw new Refused(
        wrong.key,
        wrong.tells ? { left: verdict.left } : {},
        wrong.field === undefined ? {} : { field: wrong.field },
      );
  }
}
