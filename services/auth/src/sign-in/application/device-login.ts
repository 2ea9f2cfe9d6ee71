import { Injectable } from '@nestjs/common';
import { Clock, Refused, sameText, SecurityLog, type Caller } from '@bourse/platform';
import { keyOfTyped, type AccountName } from '../../shared/domain/account-name.js';
import { AUTHORIZATION_CODE } from '../../shared/domain/session.js';
import { Attempts, unknownBucket } from '../../shared/application/attempts.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { Authenticator } from '../../security/application/authenticator.js';
import { devicesOf } from '../../shared/application/device.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { People } from '../../shared/application/ports/people.js';
import { Randomness } from '../../shared/application/ports/randomness.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { Sessions, type Origin } from '../../shared/application/ports/sessions.js';
import { OpenSession } from './open-session.js';
import { SecondStep, type SecondProof } from '../../security/application/second-step.js';

/**
 * Sign-in of another device by a code that a signed-in one shows (api §2.1, §6.16): the new session counts as no
 * younger than its origin, is not confirmed, and needs the second step of a person who has one [AUTH-080].
 */
@Injectable()
export class DeviceLogin {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly devices: AuthorizationCodes,
    private readonly sessions: Sessions,
    private readonly attempts: Attempts,
    private readonly ownChange: OwnChange,
    private readonly authenticator: Authenticator,
    private readonly secondStep: SecondStep,
    private readonly openSession: OpenSession,
    private readonly seal: Seal,
    private readonly random: Randomness,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /** The caller's code: the same one until it is used or ten minutes old. */
  async code(caller: Caller): Promise<{ code: string; expiresIn: number }> {
    const now = this.clock.sessions();
    return this.ownChange.execute(caller, async (tx) => {
      const session = await this.sessions.ages(tx, caller.userId, caller.sessionId, now);
      if (!session) throw new Refused('auth.expired');
      const current = await this.devices.current(tx, caller.userId, now);
      if (current) {
        // A younger session shows the code too: the new session still gets the age of the oldest one.
        await this.devices.shownTo(tx, caller.userId, session.createdAt);
        return {
          code: this.seal.open('authorization', current.sealed),
          expiresIn: Math.ceil((current.expiresAt - now) / 1_000),
        };
      }
      const code = this.random.letters(AUTHORIZATION_CODE.length);
      await this.devices.store(
        tx,
        caller.userId,
        {
          sealed: this.seal.seal('authorization', code),
          expiresAt: now + AUTHORIZATION_CODE.lifeMs,
          sessionCreatedAt: session.createdAt,
        },
        now,
      );
      return { code, expiresIn: AUTHORIZATION_CODE.lifeMs / 1_000 };
    });
  }

  /**
   * Opens a session, or refuses with `auth.wrong` whatever was wrong; `common.tooMany`, `login.resetOnly` after too
   * many wrong tries, which count for all spellings of a name, account or none [AUTH-219]. A right code of a person
   * with an authenticator or a passkey is answered by what `SecondStep.verify` refuses with, and stays valid for the
   * next try.
   */
  async execute(
    {
      text,
      name,
      code,
      totpCode,
      passkey,
    }: SecondProof & { readonly text: string; readonly name: AccountName | null; readonly code: string },
    origin: Origin,
  ): Promise<{ token: string; id: number }> {
    const found = name ? await this.people.byName(this.database, name) : null;
    // The same queries run for unknown accounts: the work must not reveal them.
    const known = await this.sessions.knownDevice(this.database, found?.id ?? 0, devicesOf(origin));
    const bucket = !found
      ? unknownBucket('device', keyOfTyped(name, text))
      : known !== null
        ? `device:${found.id}@${known}`
        : `device:${found.id}`;
    let right: { readonly sealed: string; readonly sessionCreatedAt: number } | null = null;
    try {
      await this.attempts.require(
        bucket,
        async () => {
          const current = await this.database.transaction((tx) =>
            this.devices.current(tx, found?.canSignIn ? found.id : 0, this.clock.sessions()),
          );
          const isRight = sameText(current ? this.seal.open('authorization', current.sealed) : '', code.toUpperCase());
          right = isRight ? current : null;
          return right !== null;
        },
        { key: 'auth.wrong' },
      );
    } catch (error) {
      if (error instanceof Refused)
        this.log.record('sign_in.failed', { user_id: found?.id ?? null, by: 'device_code', reason: error.key });
      throw error;
    }
    // The code found by the callback; TypeScript does not see the assignment inside it.
    const shown = right as { readonly sealed: string; readonly sessionCreatedAt: number } | null;
    if (!found || shown === null) throw new Refused('auth.wrong');
    const second = await this.secondStep.verify(this.database, found, { totpCode, passkey }, origin, (digits) =>
      this.authenticator.useCode(found, digits),
    );
    if (second) {
      this.log.record('sign_in.failed', { user_id: found.id, by: 'device_code', reason: second.refusal.key });
      throw second.refusal;
    }
    return this.openSession.execute(found, origin, { confirmed: false, since: shown.sessionCreatedAt }, async (tx) =>
      (await this.devices.use(tx, found.id, shown.sealed, this.clock.sessions())) ? null : new Refused('auth.wrong'),
    );
  }
}
