import { Injectable } from '@nestjs/common';
import type { Params } from '@bourse/contract';
import { Clock, Refused } from '@bourse/platform';
import { fundBarrier, fundTriesLeft } from '../domain/lockout.js';
import { isFundPassword } from '../domain/password.js';
import { WITHDRAWAL_BLOCK_MS } from '../domain/session.js';
import { JudgeCode } from './judge-code.js';
import { Letters } from './letters.js';
import { readEmail, readMobile } from '../domain/account-name.js';
import { AuthDatabase, Codes, Failures, Passwords, People, SessionNews, type Person } from './ports.js';

export type FundVerdict =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly key: 'fund.wrong' | 'fund.locked' | 'fund.mustReset' | 'fund.notSet';
      readonly params: Params;
    };
const bucketOf = (userId: number): string => `fund:${userId}`;

@Injectable()
export class FundPassword {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly passwords: Passwords,
    private readonly failures: Failures,
    private readonly codes: Codes,
    private readonly judge: JudgeCode,
    private readonly letters: Letters,
    private readonly news: SessionNews,
    private readonly clock: Clock,
  ) {}

  /** Judges a fund password for another service. Five wrong ones lock for 15 minutes, ten in a day until it is set anew; a right one forgets them all (rules §8.6) [AUTH-040]. */
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
      // Counted before it is looked at: many tries at once get no more than the rule allows.
      return {
        barrier,
        count: failures.count + 1,
        attempt: barrier.kind === 'none' ? await this.failures.add(tx, bucket, now) : '',
      };
    });
    if (entry.barrier.kind === 'locked')
      return { ok: false, key: 'fund.locked', params: { seconds: entry.barrier.seconds } };
    if (entry.barrier.kind === 'reset') return { ok: false, key: 'fund.mustReset', params: {} };
    if (
      await this.failures.judged(this.database, entry.attempt, () => this.passwords.verify(person.fundHash, password))
    ) {
      await this.database.transaction((tx) => this.failures.clear(tx, bucket));
      return { ok: true };
    }
    if (fundBarrier({ count: entry.count, lastAt: now }, now).kind === 'reset') {
      await this.database.transaction((tx) => this.people.requireFundReset(tx, userId));
      await this.news.tell(userId, []);
    }
    return { ok: false, key: 'fund.wrong', params: { left: fundTriesLeft(entry.count) } };
  }

  /** Sets or resets the fund password by a code of scene `fund`, in the order of rules §12.4; a reset blocks withdrawals for 24 h [AUTH-041]. */
  async set(
    userId: number,
    {
      password,
      repeated,
      code,
    }: {
      readonly password: string | undefined;
      readonly repeated: string | undefined;
      readonly code: string | undefined;
    },
  ): Promise<void> {
    const person = await this.people.byId(this.database, userId);
    if (!person) throw new Refused('auth.expired');
    if (!isFundPassword(password) || (await this.passwords.isInside(person, password)))
      throw new Refused('fund.format', {}, { field: 'password' });
    if (repeated !== password) throw new Refused('pswFalse', {}, { field: 're_password' });
    if (code === undefined) throw new Refused('set.enterCode', {}, { field: 'code' });
    const codeId = await this.judge.execute(await this.codeNameOf(person), 'fund', code);
    const hash = await this.passwords.hash(password);
    await this.database.transaction(async (tx) => {
      await this.judge.consume(tx, codeId);
      await this.people.setFundPassword(
        tx,
        userId,
        hash,
        person.fundHash === null ? null : this.clock.now() + WITHDRAWAL_BLOCK_MS,
      );
      await this.failures.clear(tx, bucketOf(userId));
      if (person.fundHash !== null) await this.letters.tell(tx, person, 'fund');
    });
    await this.news.tell(userId, []);
  }

  /** To which of the person's names the last code went: the code may have been asked for by mail or by phone. */
  private async codeNameOf(person: Person): Promise<string> {
    const email = person.email === '' ? null : readEmail(person.email);
    const mobile = person.phone === '' ? null : readMobile(person.phone, person.areaCode);
    if (email && mobile) {
      const [byMail, byPhone] = await Promise.all(
        (['email', 'mobile'] as const).map((kind) =>
          this.codes.last(this.database, {
            kind,
            nameKey: (kind === 'email' ? email : mobile).key,
            scene: 'fund',
            ip: '',
          }),
        ),
      );
      if (byPhone && (!byMail || byPhone.id > byMail.id)) return mobile.key;
    }
    const name = email ?? mobile;
    if (!name) throw new Error(`invariant: account ${person.id} has neither e-mail nor phone`);
    return name.key;
  }
}
