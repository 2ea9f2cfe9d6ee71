import { Injectable } from '@nestjs/common';
import { Clock, rateAddress, Refused, SecurityLog } from '@bourse/platform';
import { LOGIN_NEED_CODE, Settings } from '@bourse/settings';
import { keyOfTyped, type AccountName } from '../../shared/domain/account-name.js';
import { loginBarrier, loginNeedsCode } from '../../shared/domain/lockout.js';
import { unknownBucket } from '../../shared/application/attempts.js';
import { codeRequesters, devicesOf } from '../../shared/application/device.js';
import { codeRefusal } from '../../shared/application/verify-code.js';
import { OpenSession } from './open-session.js';
import { Rehash } from '../../shared/application/rehash.js';
import { SecondStep, type SecondProof } from '../../security/application/second-step.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Passwords } from '../../shared/application/ports/passwords.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { Sessions, type Origin, type SessionKind } from '../../shared/application/ports/sessions.js';
import { Totp } from '../../shared/application/ports/totp.js';
import { Codes } from '../../shared/application/ports/verification-codes.js';

export interface LoginRequest extends SecondProof {
  readonly text: string;
  readonly name: AccountName | null;
  readonly password: string;
  readonly code: string | undefined;
  /** A session of the points login may call points only, whatever else the account may do (api §2.1). */
  readonly kind: SessionKind;
}

@Injectable()
export class Login {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly failures: Failures,
    private readonly settings: Settings,
    private readonly passwords: Passwords,
    private readonly codes: Codes,
    private readonly totp: Totp,
    private readonly sessions: Sessions,
    private readonly openSession: OpenSession,
    private readonly rehash: Rehash,
    private readonly secondStep: SecondStep,
    private readonly clock: Clock,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Opens a session, or refuses in the order of rules §12.1. Unknown accounts cost the same work and get the same
   * answers [AUTH-001].
   */
  async execute(request: LoginRequest, origin: Origin): Promise<{ token: string; id: number }> {
    const { text, name } = request;
    const found = name ? await this.people.byName(this.database, name) : null;
    // The same query runs for unknown accounts: the work must not reveal them.
    const known = await this.sessions.knownDevice(this.database, found?.id ?? 0, devicesOf(origin));
    try {
      return await this.verify(request, found, bucketOf(found, keyOfTyped(name, text), known), known !== null, origin);
    } catch (error) {
      if (error instanceof Refused)
        this.log.record(LOCKS.has(error.key) ? 'sign_in.locked' : 'sign_in.failed', {
          user_id: found?.id ?? null,
          reason: error.key,
          known_device: known !== null,
        });
      throw error;
    }
  }

  private async verify(
    { name, password, code, totpCode, passkey, kind }: LoginRequest,
    found: Person | null,
    bucket: string,
    known: boolean,
    origin: Origin,
  ): Promise<{ token: string; id: number }> {
    const now = this.clock.sessions();
    const entry = await this.database.transaction(async (tx) => {
      await this.failures.lock(tx, bucket);
      const failures = await this.failures.login(tx, bucket, now);
      const codeDemanded = loginNeedsCode(failures, this.settings.get(LOGIN_NEED_CODE));
      const barrier = loginBarrier(failures, { codeDemanded, codeGiven: code !== undefined });
      return { barrier, codeDemanded, attempt: barrier === 'none' ? await this.failures.add(tx, bucket, now) : '' };
    });
    if (entry.barrier === 'code')
      throw new Refused('set.enterCode', {}, { field: 'sms_code', extra: { need: 'sms_code' } });
    if (entry.barrier === 'reset') throw new Refused('login.resetOnly');
    const right = await this.failures.verifyCounted(this.database, entry.attempt, () =>
      this.passwords.verify(
        found?.canSignIn ? found.passwordHash : null,
        password,
        known ? { known: true, key: `user ${found?.id}` } : { known: false, key: rateAddress(origin.ip) },
      ),
    );
    if (!right || !found || !name) throw new Refused('auth.wrong');

    const opened = await this.openSession.execute(found, origin, { confirmed: true, kind }, async (tx) => {
      let codeId: string | undefined;
      if (entry.codeDemanded) {
        const verdict = await this.codes.verify(
          tx,
          { nameKey: name.key, scene: 'login', digits: code ?? '' },
          codeRequesters(null, origin),
          now,
          'all',
        );
        const refusal = codeRefusal(verdict);
        if (refusal) {
          await this.failures.takeBack(tx, entry.attempt); // codes have their own limit of tries
          return refusal;
        }
        if (verdict.kind === 'right') codeId = verdict.id;
      }
      const { totpSealed } = found;
      const second = await this.secondStep.verify(tx, found, { totpCode, passkey }, origin, async (digits) => {
        const step = totpSealed === null ? null : this.totp.step(totpSealed, digits, this.clock.real());
        return step !== null && this.people.useTotpStep(tx, found.id, step);
      });
      if (second) {
        // A wrong code or passkey stays counted: six digits must not be tried without limit.
        if (second.asked) await this.failures.takeBack(tx, entry.attempt);
        return second.refusal;
      }
      if (codeId !== undefined && !(await this.codes.consume(tx, codeId, now)))
        return new Refused('code.expired', {}, { field: 'sms_code' });
      await this.failures.clear(tx, bucket);
      return null;
    });
    await this.rehash.login(found, password);
    return opened;
  }
}

/** Refusals that come before the password check, after too many wrong passwords. */
const LOCKS: ReadonlySet<string> = new Set(['login.resetOnly', 'set.enterCode', 'common.tooMany']);

/**
 * Name under which failures are counted. A device that has signed in before has a count of its own, so that nobody can
 * lock the owner out from elsewhere; unknown accounts are counted by the key of the name [AUTH-219].
 */
function bucketOf(person: Person | null, nameKey: string, known: string | null): string {
  if (!person) return unknownBucket('login', nameKey);
  return known === null ? `login:${person.id}` : `login:${person.id}@${known}`;
}
