import { Injectable } from '@nestjs/common';
import {
  GATES,
  toFlag,
  withoutHiddenCharacters,
  type Center,
  type Language,
  type Preferences,
  type ReferenceCurrency,
  type SessionRow,
  type UserInfo,
} from '@bourse/contract';
import type { PartyFacts, ProfileFacts, ReaderFacts } from '@bourse/messaging';
import { Clock, Refused, SecurityLog, timeText, type Caller } from '@bourse/platform';
import { SESSION } from '../../shared/domain/session.js';
import { areaCodeId, masked, maskedName, securityLevel } from '../../shared/domain/profile.js';
import { AuthorizationCodes } from '../../shared/application/ports/authorization-codes.js';
import { AuthDatabase } from '../../shared/application/ports/database.js';
import { Operators } from '../../shared/application/ports/operators.js';
import { People, type PaymentSettings, type Person } from '../../shared/application/ports/people.js';
import { Seal } from '../../shared/application/ports/seal.js';
import { Tokens } from '../../shared/application/ports/session-tokens.js';
import { SessionEvents } from '../../shared/application/session-events.js';
import { Sessions } from '../../shared/application/ports/sessions.js';

/** Whether others may begin a deal with a person, by the freeze scopes that close deals. */
const mayDeal = ({ frozen }: Person): boolean => frozen !== 'all' && frozen !== GATES.c2c.closedBy;

/** A person in the shape of the contract. */
export const userInfoOf = (person: Person): UserInfo => ({
  id: person.id,
  phone: person.phone,
  email: person.email,
  area_code: person.areaCode,
  area_code_id: areaCodeId(person.areaCode),
  extension_code: person.extensionCode,
  review_status: person.reviewStatus,
  account_number: person.accountNumber,
  is_seller: toFlag(person.isSeller),
  type: toFlag(person.inPoints),
  nationality: person.nationality,
  lang: person.lang,
  currency: person.currency,
  preferences: person.preferences,
  is_acceptor: toFlag(person.isAcceptor),
  is_region: toFlag(person.region !== ''),
  has_fund_password: toFlag(person.fundHash !== null),
  totp: toFlag(person.totpSealed !== null),
});

/** Settings that were saved before names refused hidden characters [HARD-506]. */
const readable = (payment: PaymentSettings | null): PaymentSettings | null =>
  payment &&
  (Object.fromEntries(
    Object.entries(payment).map(([name, text]) => [name, withoutHiddenCharacters(text as string)]),
  ) as unknown as PaymentSettings);

/** The signed-in person's own account and sessions. */
@Injectable()
export class Account {
  constructor(
    private readonly database: AuthDatabase,
    private readonly people: People,
    private readonly sessions: Sessions,
    private readonly tokens: Tokens,
    private readonly news: SessionEvents,
    private readonly clock: Clock,
    private readonly operators: Operators,
    private readonly seal: Seal,
    private readonly devices: AuthorizationCodes,
    private readonly log: SecurityLog,
  ) {}

  /** The caller behind a token, or null. Keeps the session from idling out, at most once a minute [AUTH-050]. */
  async authenticate(token: string): Promise<Caller | null> {
    const tokenHash = this.tokens.read(token);
    if (tokenHash === null) return null;
    const now = this.clock.sessions();
    const session = await this.sessions.caller(this.database, tokenHash, now);
    if (session) {
      if (now - session.lastAt >= SESSION.touchMs) await this.sessions.touch(this.database, tokenHash, now);
      return session.caller;
    }
    const shift = await this.operators.caller(this.database, tokenHash, now);
    if (shift && now - shift.lastAt >= SESSION.touchMs) await this.operators.touch(this.database, tokenHash, now);
    return shift?.caller ?? null;
  }

  /** Those of these sessions and API keys that are active. Keeps none of them from idling out [AUTH-217]. */
  activeAmong(sessionIds: readonly string[]): Promise<string[]> {
    return this.sessions.activeAmong(this.database, sessionIds, this.clock.sessions());
  }

  callerOf(userId: number): Promise<Caller | null> {
    return this.sessions.callerOf(this.database, userId);
  }

  /**
   * Those of these people who may not take money out, or not trade, because they are frozen, by themselves or by an
   * operator: with scope `all` or that one.
   */
  async frozenAmong(userIds: readonly number[], from: 'withdraw' | 'trade'): Promise<number[]> {
    const frozen = await this.people.frozenAmong(this.database, userIds);
    return frozen.filter(({ scope }) => scope === 'all' || scope === from).map(({ id }) => id);
  }

  /**
   * End of the withdrawal block after a change of password, phone or e-mail: business time, ms; null without a block.
   */
  async withdrawalsBlockedUntil(userId: number): Promise<number | null> {
    const until = (await this.people.byId(this.database, userId))?.withdrawalsBlockedUntil ?? null;
    return until !== null && until > this.clock.now() ? until : null;
  }

  async logout(caller: Caller): Promise<void> {
    await this.end(caller.userId, caller.sessionId);
    await this.news.sessionsEnded(caller.userId, [caller.sessionId]);
    this.log.record('sign_out');
  }

  /** Throws `common.notFound` for a session that is not the caller's, or has ended. */
  async revoke(caller: Caller, publicId: string): Promise<void> {
    if (!(await this.end(caller.userId, publicId))) throw new Refused('common.notFound', {}, { field: 'id' });
    await this.news.sessionsEnded(caller.userId, [publicId]);
    this.log.record('session.revoked');
  }

  async listSessions(caller: Caller): Promise<SessionRow[]> {
    const sessions = await this.sessions.list(this.database, caller.userId, this.clock.sessions());
    return sessions.map(({ publicId, ip, agent, createdAt, lastAt }) => ({
      id: publicId,
      ip,
      agent,
      created_at: timeText(createdAt),
      last_at: timeText(lastAt),
      current: toFlag(publicId === caller.sessionId),
    }));
  }

  async setLang(caller: Caller, lang: Language): Promise<void> {
    await this.people.setLang(this.database, caller.userId, lang);
    await this.news.sessionsEnded(caller.userId, []);
  }

  setCurrency(caller: Caller, currency: ReferenceCurrency): Promise<void> {
    return this.people.setCurrency(this.database, caller.userId, currency);
  }

  /** Stores the given choices; the others keep their value. */
  setPreferences(caller: Caller, chosen: Preferences): Promise<void> {
    return this.people.setPreferences(this.database, caller.userId, chosen);
  }

  async info(caller: Caller): Promise<UserInfo> {
    return userInfoOf(await this.own(caller));
  }

  async center(caller: Caller): Promise<Center> {
    const person = await this.own(caller);
    const bank = await this.people.bankOf(this.database, person.id);
    return {
      review_status: person.reviewStatus,
      review_reason: person.reviewReason,
      cashinfo_status: toFlag(bank !== null),
      security_level: securityLevel({
        phone: person.phone !== '',
        email: person.email !== '',
        certified: person.reviewStatus === 2,
      }),
      name: person.name,
      card_id: person.cardSealed === '' ? '' : masked(this.seal.open('card', person.cardSealed)),
      bank: bank
        ? {
            real_name: bank.realName,
            bank_no: bank.bankNo,
            bank_name: bank.bankName,
            region: bank.region,
            phone: bank.phone,
          }
        : null,
    };
  }

  /** Names other services need of people, e.g. to book for an account or to write to it. */
  async profiles(ids: readonly number[]): Promise<ProfileFacts[]> {
    const people = await this.people.profiles(this.database, ids);
    return people.map(({ id, accountNumber, extensionCode, lang, email, phone }) => ({
      id,
      accountNumber,
      extensionCode,
      lang,
      email,
      phone,
    }));
  }

  /** Facts about the parties of a deal for the service of deals, with the payment settings. */
  async parties(ids: readonly number[]): Promise<PartyFacts[]> {
    const [people, payments] = await Promise.all([
      this.people.profiles(this.database, ids),
      this.people.paymentsOf(this.database, ids),
    ]);
    return people.map((person) => ({
      userId: person.id,
      name: maskedName(person),
      fullName: person.email || person.phone,
      accountNumber: person.accountNumber,
      realName: withoutHiddenCharacters(person.name),
      phone: person.phone,
      lang: person.lang,
      payment: readable(payments.get(person.id) ?? null),
      mayDeal: mayDeal(person),
      mayAnswer: person.frozen !== 'all',
      isSeller: person.isSeller,
    }));
  }

  /** Masked names, for the inviters of these people. */
  async names(ids: readonly number[]): Promise<{ userId: number; name: string }[]> {
    const contacts = await this.people.contacts(this.database, ids);
    return contacts.map(({ id, ...contact }) => ({ userId: id, name: maskedName(contact) }));
  }

  /** Facts about the recipients of notices for the service of notices. */
  async readers(ids: readonly number[]): Promise<ReaderFacts[]> {
    const people = await this.people.profiles(this.database, ids);
    return people.map(({ id, lang, createdAt }) => ({ userId: id, lang, since: createdAt }));
  }

  /** Those of these people who are acceptors, and with whom others may begin a deal. */
  async acceptorsAmong(ids: readonly number[]): Promise<number[]> {
    const people = await this.people.profiles(this.database, ids);
    return people.filter((person) => person.isAcceptor && mayDeal(person)).map(({ id }) => id);
  }

  /**
   * Ends a session with the code for another device: the session must not come back by it [AUTH-220]. False: there is
   * no such session.
   */
  private end(userId: number, publicId: string): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      // Locked first, as where a code is made: the session that ends here makes none meanwhile.
      await this.people.lock(tx, userId);
      await this.devices.drop(tx, userId);
      return this.sessions.end(tx, userId, publicId, this.clock.sessions());
    });
  }

  private async own(caller: Caller): Promise<Person> {
    const person = await this.people.byId(this.database, caller.userId);
    if (!person) throw new Refused('auth.expired');
    return person;
  }
}
