import { Injectable } from '@nestjs/common';
import type { FundVerdict } from '@bourse/messaging';
import { Clock, Refused, SecurityLog, type Caller } from '@bourse/platform';
import { namesOf } from '../../shared/domain/account-name.js';
import { opensPasswords } from '../../shared/domain/contact.js';
import { fundBarrier, fundTriesLeft } from '../../shared/domain/lockout.js';
import { isFundPassword } from '../../shared/domain/password.js';
import { WITHDRAWAL_BLOCK_MS } from '../../shared/domain/session.js';
import { Confirmation } from './confirmation.js';
import { codeRequesters, type CodeRequesters } from '../../shared/application/device.js';
import { codeExpired, VerifyCode } from '../../shared/application/verify-code.js';
import { MessageTemplates } from '../../shared/application/message-templates.js';
import { OwnChange } from '../../shared/application/own-change.js';
import { ApiKeys } from '../../shared/application/ports/api-keys.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Failures } from '../../shared/application/ports/failures.js';
import { Passwords, type Lane } from '../../shared/application/ports/passwords.js';
import { People, type Person } from '../../shared/application/ports/people.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import type { Origin } from '../../shared/application/ports/sessions.js';
import { Codes } from '../../shared/application/ports/verification-codes.js';
import { Rehash } from '../../shared/application/rehash.js';

const bucketOf = (userId: number): string => `fund:${userId}`;

@Injectable()
export class FundPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly failures: Failures,
    private readonly codes: Codes,
    private readonly verifyCode: VerifyCode,
    private readonly letters: MessageTemplates,
    private readonly news: SessionEvents,
    private readonly rehash: Rehash,
    private readonly clock: Clock,
    private readonly confirmation: Confirmation,
    private readonly ownChange: OwnChange,
    private readonly apiKeys: ApiKeys,
    private readonly log: SecurityLog,
  ) {}

  /**
   * Checks a fund password for another service. Five wrong tries lock for 15 minutes, ten in a day until it is set
   * again; a right one clears the count (rules §8.6) [AUTH-040].
   */
  async verify(userId: number, password: string): Promise<FundVerdict> {
    const now = this.clock.sessions();
    const person = await this.people.byId(this.database, userId);
    if (!person?.fundHash) return { ok: false, key: 'fund.notSet', params: {} };
    if (person.fundMustReset) return { ok: false, key: 'fund.mustReset', params: {} };
    const bucket = bucketOf(userId);
    const entry = await this.database.transaction(async (tx) => {
      await this.failures.lock(tx, bucket);
      const failures = await this.failures.fund(tx, bucket, now);
      const barrier = fundBarrier(failures, now);
      // Counted before the check: concurrent tries get no more than the rule allows.
      return {
        barrier,
        count: failures.count + 1,
        attempt: barrier.kind === 'none' ? await this.failures.add(tx, bucket, now) : '',
      };
    });
    if (entry.barrier.kind !== 'none')
      this.log.record('fund_password.locked', { user_id: userId, reason: entry.barrier.kind });
    if (entry.barrier.kind === 'locked')
      return { ok: false, key: 'fund.locked', params: { seconds: entry.barrier.seconds } };
    if (entry.barrier.kind === 'reset') return { ok: false, key: 'fund.mustReset', params: {} };
    if (
      await this.failures.verifyCounted(this.database, entry.attempt, () =>
        this.passwords.verify(person.fundHash, password, laneOf(userId)),
      )
    ) {
      await this.database.transaction((tx) => this.failures.clear(tx, bucket));
      await this.rehash.fund(person, password);
      return { ok: true };
    }
    this.log.record('fund_password.wrong', { user_id: userId, left: fundTriesLeft(entry.count) });
    if (fundBarrier({ count: entry.count, lastAt: now }, now).kind === 'reset') {
      await this.database.transaction((tx) => this.people.requireFundReset(tx, userId));
      await this.news.sessionsEnded(userId, []);
    }
    return { ok: false, key: 'fund.wrong', params: { left: fundTriesLeft(entry.count) } };
  }

  /**
   * Sets or resets the fund password by a code of scene `fund`, in the order of rules §12.4. The first one needs a
   * confirmed session (K of api §6.16); a reset blocks withdrawals for 24 h and ends all API keys; every contact is
   * notified of both. Throws what `OwnChange` throws as well [AUTH-041, HARD-103].
   */
  async set(
    caller: Caller,
    {
      password,
      repeated,
      code,
    }: {
      readonly password: string | undefined;
      readonly repeated: string | undefined;
      readonly code: string | undefined;
    },
    origin: Origin,
  ): Promise<void> {
    const { userId } = caller;
    const person = await this.people.byId(this.database, userId);
    if (!person) throw new Refused('auth.expired');
    if (person.fundHash === null) await this.confirmation.require(caller);
    if (!isFundPassword(password) || (await this.passwords.isInside(person, password, laneOf(userId))))
      throw new Refused('fund.format', {}, { field: 'password' });
    if (repeated !== password) throw new Refused('pswFalse', {}, { field: 're_password' });
    if (code === undefined) throw new Refused('set.enterCode', {}, { field: 'code' });
    const askers = codeRequesters(userId, origin);
    const nameKey = await this.codeNameOf(person, askers);
    const codeId = await this.verifyCode.execute({ nameKey, scene: 'fund', digits: code }, askers);
    const hash = await this.passwords.hash(password, laneOf(userId));
    const first = await this.ownChange.execute(caller, async (tx, now) => {
      await this.verifyCode.consume(tx, codeId, origin);
      // As it is now: of two first ones at once, the second is a reset.
      const first = now.fundHash === null;
      await this.people.setFundPassword(tx, userId, hash, first ? null : this.clock.now() + WITHDRAWAL_BLOCK_MS);
      await this.failures.clear(tx, bucketOf(userId));
      await this.letters.notifyEverywhere(tx, now, first ? 'fundFirst' : 'fund');
      if (!first) await this.apiKeys.removeAll(tx, userId, this.clock.sessions());
      return first;
    });
    await this.news.sessionsEnded(userId, []);
    this.log.record('fund_password.set', { first });
  }

  /**
   * The contact to which the last code was sent, by mail or by phone. One that was bound within a day counts only if
   * there is no other; no code was sent to it.
   */
  private async codeNameOf(person: Person, askers: CodeRequesters): Promise<string> {
    const names = namesOf(person).filter(({ kind }) => opensPasswords(person, kind, this.clock.now()));
    const sent = await Promise.all(
      names.map(async ({ kind, key }) => ({
        key,
        id: (await this.codes.last(this.database, { kind, nameKey: key, scene: 'fund', askers }))?.id ?? 0,
      })),
    );
    const [last] = sent.sort((one, other) => other.id - one.id);
    if (!last) throw codeExpired();
    return last.key;
  }
}

const laneOf = (userId: number): Lane => ({ known: true, key: `user ${userId}` });
