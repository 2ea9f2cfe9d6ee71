import { Injectable } from '@nestjs/common';
import type { PasskeyRequest } from '@bourse/contract';
import { Refused, SecurityLog } from '@bourse/platform';
import { Attempts, unknownBucket } from '../../shared/application/attempts.js';
import { devicesOf } from '../../shared/application/device.js';
import { OpenSession } from './open-session.js';
import { PasskeyProof } from '../../security/application/passkey-proof.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Passkeys } from '../../shared/application/ports/passkeys.js';
import { People } from '../../shared/application/ports/people.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';
import type { PasskeyAnswer } from '../../shared/application/ports/web-authn.js';

/**
 * Sign-in by a passkey alone: the authenticator proves possession and verifies its user, so that it replaces password
 * and code (decision 0234) [AUTH-112].
 */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly database: AuthDatabase,
    private readonly passkeys: Passkeys,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly proof: PasskeyProof,
    private readonly attempts: Attempts,
    private readonly openSession: OpenSession,
    private readonly log: SecurityLog,
  ) {}

  /** A challenge that any passkey of this install may answer: it names no account. Throws `passkey.unavailable`. */
  options(origin: Origin): Promise<PasskeyRequest> {
    return this.proof.request(this.database, 'sign_in', null, origin);
  }

  /**
   * Opens a session, or refuses with `passkey.expired` when the challenge was used, is too old or of another device,
   * and with `auth.wrong` whatever else was wrong; `common.tooMany`, `login.resetOnly` after too many wrong tries.
   */
  async execute(answer: PasskeyAnswer, origin: Origin): Promise<{ token: string; id: number }> {
    const challenge = await this.proof.take(this.database, answer, { purpose: 'sign_in', userId: null }, origin);
    // Before any account is read, so that it says nothing about one.
    if (challenge === null) throw this.failed(null, new Refused('passkey.expired'));
    const passkey = await this.passkeys.byId(this.database, answer.id);
    const found = passkey && (await this.people.byId(this.database, passkey.userId));
    const known = await this.sessions.knownDevice(this.database, found?.id ?? 0, devicesOf(origin));
    const bucket = !found
      ? unknownBucket('passkey', answer.id)
      : known !== null
        ? `passkey:${found.id}@${known}`
        : `passkey:${found.id}`;
    try {
      await this.attempts.require(
        bucket,
        async () =>
          passkey !== null &&
          found?.canSignIn === true &&
          // The authenticator names its account: an id alone may have been copied from elsewhere.
          Boolean(answer.response.userHandle) &&
          (await this.proof.isRight(this.database, answer, challenge, passkey)),
        { key: 'auth.wrong' },
      );
      if (!found) throw new Error('invariant: a right passkey has an owner');
      return await this.openSession.execute(found, origin, { confirmed: true, by: 'passkey' }, async (tx) =>
        // It may have been removed since its answer was checked.
        (await this.passkeys.byId(tx, answer.id)) ? null : new Refused('auth.wrong'),
      );
    } catch (error) {
      throw error instanceof Refused ? this.failed(found?.id ?? null, error) : error;
    }
  }

  private failed(userId: number | null, refusal: Refused): Refused {
    this.log.record('sign_in.failed', { user_id: userId, by: 'passkey', reason: refusal.key });
    return refusal;
  }
}
