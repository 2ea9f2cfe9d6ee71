import type { Language } from '@bourse/contract';
import { Database, type Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { AccountName } from '../domain/account-name.js';
import type { CodeRequesters } from './device.js';
import type { Scene, Sent } from '../domain/code.js';
import type { FundFailures, LoginFailures } from '../domain/lockout.js';

/** The database of this service; also its token. */
export abstract class AuthDatabase extends Database {}
/** Where a store may read: in a transaction, or outside of one. */
export type Sql = Pick<Tx, 'query' | 'execute' | 'manager'>;

/** Where a call comes from, as the edge saw it. */
export interface Origin {
  readonly ip: string;
  readonly agent: string;
  /** Hash of the device id that the browser sent; null: none (programs). */
  readonly device: string | null;
  readonly lang: Language;
}

/** One account. */
export interface Person {
  readonly id: number;
  readonly email: string;
  readonly phone: string;
  readonly areaCode: string;
  readonly passwordHash: string;
  readonly canSignIn: boolean;
  readonly fundHash: string | null;
  readonly fundMustReset: boolean;
  readonly hintSalt: string;
  readonly hints: readonly string[];
  readonly lang: Language;
  readonly nationality: string;
  readonly accountNumber: string;
  readonly extensionCode: string;
  /** `cardSealed`: the id number, sealed for `card`; empty for none. */
  readonly reviewStatus: 0 | 1 | 2;
  readonly reviewReason: string;
  readonly name: string;
  readonly cardSealed: string;
  readonly frozen: Caller['frozen'];
  readonly isSeller: boolean;
  readonly isAcceptor: boolean;
  readonly region: string;
  readonly inPoints: boolean;
  /** Sealed TOTP secret, and the last time step that was used; null: never set. */
  readonly totpSealed: string | null;
  readonly totpStep: number;
  /** Secret of an authenticator that was shown and not confirmed yet. */
  readonly totpPending: string | null;
  /** The word that letters to this person show, sealed for `phishing`; null: none chosen. */
  readonly phishingSealed: string | null;
  /** Business time, ms. */
  readonly withdrawalsBlockedUntil: number | null;
  /** When the e-mail and the phone were bound, business time, ms; null: with the registration, or never. */
  readonly emailBoundAt: number | null;
  readonly phoneBoundAt: number | null;
  readonly createdAt: number;
}
/** A login password as it is stored. */
export interface StoredPassword {
  readonly hash: string;
  readonly hintSalt: string;
  readonly hints: readonly string[];
}
export interface NewPerson {
  readonly name: AccountName;
  readonly password: StoredPassword;
  readonly lang: Language;
  readonly nationality: string;
  readonly inviterId: number | null;
}
export interface Bank {
  readonly realName: string;
  readonly bankNo: string;
  readonly bankName: string;
  readonly region: string;
  readonly phone: string;
}

/** Where a person wants to be paid. The two pictures are names of uploads. */
export interface PaymentSettings {
  readonly realName: string;
  readonly bankName: string;
  readonly bankAccount: string;
  readonly alipayAccount: string;
  readonly alipayCollect: string;
  readonly wechatAccount: string;
  readonly wechatNickname: string;
  readonly wechatCollect: string;
}
/** `keyword`: an id or account number, or part of a name, e-mail, phone or invite code. */
export interface PeopleFilter {
  readonly keyword?: string | undefined;
  readonly role?: (typeof PEOPLE_ROLES)[number] | undefined;
}
export const PEOPLE_ROLES = ['seller', 'acceptor', 'region', 'points', 'frozen'] as const;
export interface RegionUser {
  readonly region: string;
  readonly phone: string;
  readonly createdAt: number;
}

export abstract class People {
  abstract byName(sql: Sql, name: AccountName): Promise<Person | null>;
  abstract byId(sql: Sql, id: number): Promise<Person | null>;
  /** Id of the person whose invite code this is. */
  abstract inviter(sql: Sql, extensionCode: string): Promise<number | null>;
  /** Adds a person with random id, account number and invite code, and fixes the ancestors. Null: the name is taken. */
  abstract add(tx: Tx, person: NewPerson, now: number): Promise<number | null>;
  abstract setPassword(tx: Tx, id: number, password: StoredPassword, withdrawalsBlockedUntil: number): Promise<void>;
  /** The same passwords hashed anew, if nobody has changed them since: blocks nothing. */
  abstract rehash(tx: Tx, id: number, old: string, password: StoredPassword): Promise<void>;
  abstract rehashFund(tx: Tx, id: number, old: string, hash: string): Promise<void>;
  /** `withdrawalsBlockedUntil` null: the first fund password blocks nothing. */
  abstract setFundPassword(tx: Tx, id: number, hash: string, withdrawalsBlockedUntil: number | null): Promise<void>;
  abstract requireFundReset(tx: Tx, id: number): Promise<void>;
  abstract setLang(sql: Sql, id: number, lang: Language): Promise<void>;
  /** Takes a time step of the authenticator; false when it or a later one was used before. */
  abstract useTotpStep(tx: Tx, id: number, step: number): Promise<boolean>;
  /** Stores a secret that waits for its first right code. */
  abstract setTotpPending(tx: Tx, id: number, sealed: string): Promise<void>;
  /**
   * The waiting secret becomes the one that counts, `step` its first used step; false when it is no longer the waiting
   * one.
   */
  abstract enableTotp(tx: Tx, id: number, sealed: string, step: number): Promise<boolean>;
  abstract disableTotp(tx: Tx, id: number): Promise<void>;
  /** No withdrawal before this business time, ms; one that is blocked for longer stays so. */
  abstract blockWithdrawals(tx: Tx, id: number, until: number): Promise<void>;
  abstract setPhishingWord(tx: Tx, id: number, sealed: string): Promise<void>;
  abstract setFrozen(tx: Tx, id: number, scope: Caller['frozen']): Promise<void>;
  /** Which of these people are frozen, each with the scope. */
  abstract frozenAmong(
    sql: Sql,
    ids: readonly number[],
  ): Promise<readonly { readonly id: number; readonly scope: Caller['frozen'] }[]>;
  /**
   * Binds an address at `now` (business time, ms). `withdrawalsBlockedUntil` null: it blocks nothing. False: it belongs
   * to somebody.
   */
  abstract setContact(
    tx: Tx,
    id: number,
    name: AccountName,
    now: number,
    withdrawalsBlockedUntil: number | null,
  ): Promise<boolean>;
  abstract bankOf(sql: Sql, id: number): Promise<Bank | null>;
  abstract setBank(tx: Tx, id: number, bank: Bank): Promise<void>;
  abstract paymentOf(sql: Sql, id: number): Promise<PaymentSettings | null>;
  abstract setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void>;
  /** The house's own accounts are people too; they stand in no list. Newest first. */
  abstract search(
    sql: Sql,
    filter: PeopleFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly Person[] }>;
  /** Registered within a span and after an id, in the order of ids: for exports. Times in ms. */
  abstract registered(
    sql: Sql,
    span: { readonly from: number; readonly to: number },
    afterId: number,
    limit: number,
  ): Promise<readonly Person[]>;
  /** How many papers wait for a decision, and how many accounts are frozen. */
  abstract openWork(sql: Sql): Promise<{ readonly kyc: number; readonly frozen: number }>;
  abstract setRole(
    tx: Tx,
    id: number,
    role: Pick<Person, 'isSeller' | 'isAcceptor' | 'region' | 'inPoints'>,
  ): Promise<void>;
  /** People whose bank lies in a city, or in a district of it, newest first. */
  abstract inRegion(
    sql: Sql,
    region: { readonly city: string; readonly district: string | null },
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly RegionUser[] }>;
  abstract profiles(sql: Sql, ids: readonly number[]): Promise<Person[]>;
}

export interface SessionFacts {
  readonly publicId: string;
  readonly ip: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly lastAt: number;
}
export abstract class Sessions {
  /**
   * Stores a session under the SHA-256 of its secret and ends the oldest beyond the limit; answers the public ids of
   * those.
   */
  abstract open(
    tx: Tx,
    session: {
      readonly tokenHash: string;
      readonly publicId: string;
      readonly userId: number;
      readonly ip: string;
      readonly agent: string;
      /** From when its absolute life counts: now, or the beginning of the session that a device login came from. */
      readonly createdAt: number;
      /** When the password of the account was given in it; null: not yet. */
      readonly confirmedAt: number | null;
    },
    now: number,
  ): Promise<string[]>;
  /**
   * When a living session of this person began and when its password was given last; null: there is no such session.
   */
  abstract ages(
    sql: Sql,
    userId: number,
    publicId: string,
    now: number,
  ): Promise<{ readonly createdAt: number; readonly confirmedAt: number | null } | null>;
  /** The password was given again. False: the session has ended. */
  abstract confirm(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean>;
  /** The caller of a living session in one query. `lastAt` tells when it was last touched. */
  abstract caller(
    sql: Sql,
    tokenHash: string,
    now: number,
  ): Promise<{ readonly caller: Caller; readonly lastAt: number } | null>;
  abstract callerOf(sql: Sql, userId: number): Promise<Caller | null>;
  abstract touch(sql: Sql, tokenHash: string, now: number): Promise<void>;
  abstract list(sql: Sql, userId: number, now: number): Promise<SessionFacts[]>;
  /** Ends one living session of its owner; false when there is none. */
  abstract end(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean>;
  abstract endAll(tx: Tx, userId: number, now: number): Promise<void>;
  /** Ends all living sessions but one; answers the public ids of those. */
  abstract endOthers(tx: Tx, userId: number, publicId: string, now: number): Promise<string[]>;
  /** Whether the account was signed in to from any device before. */
  abstract hasDevice(sql: Sql, userId: number): Promise<boolean>;
  /** The first of these names of a device by which it has signed in to the account before; null: none. */
  abstract knownDevice(sql: Sql, userId: number, devices: readonly string[]): Promise<string | null>;
  abstract rememberDevice(tx: Tx, userId: number, device: string, now: number): Promise<void>;
}

export type CodeVerdict =
  | { readonly kind: 'right'; readonly id: string }
  /** `left`: tries left; the same count for who was sent no code, so that the answer does not tell. */
  | { readonly kind: 'wrong'; readonly left: number }
  /** These were the right digits, of a code that is used, spent or too old. */
  | { readonly kind: 'expired' };
export abstract class Codes {
  /** Serialises what concerns one account until the transaction ends. */
  abstract lock(tx: Tx, key: string): Promise<void>;
  /** `askers`: counts only what these were sent; null: what anybody was. */
  abstract sent(
    tx: Tx,
    nameKey: string,
    scene: Scene,
    from: { readonly ip: string; readonly askers: readonly string[] | null },
    now: number,
  ): Promise<Sent>;
  /** The new code is the only one of its account, scene and asker that counts from now on. */
  abstract store(
    tx: Tx,
    code: {
      readonly nameKey: string;
      readonly scene: Scene;
      readonly kind: 'email' | 'mobile';
      readonly digits: string;
      readonly ip: string;
      readonly asker: string;
      readonly device: string;
    },
    now: number,
  ): Promise<void>;
  /**
   * Checks the newest code of one of these askers and counts the try; codes of others are neither right nor spent.
   * Wrong digits get one answer whether there is a code or not: only who knows the digits hears that a code has run
   * out. Does not use it up.
   */
  abstract verify(
    tx: Tx,
    code: { readonly nameKey: string; readonly scene: Scene; readonly digits: string },
    askers: CodeRequesters,
    now: number,
  ): Promise<CodeVerdict>;
  /** Uses a code up that was checked right; false when somebody else was faster or it has run out. */
  abstract consume(tx: Tx, id: string, now: number): Promise<boolean>;
  /**
   * Account and scene of the last code that one of these askers was sent, of a kind, a name and a scene where these are
   * given.
   */
  abstract last(
    sql: Sql,
    filter: {
      readonly kind: 'email' | 'mobile';
      readonly nameKey?: string | undefined;
      readonly scene?: Scene | undefined;
      readonly askers: CodeRequesters;
    },
  ): Promise<{ readonly id: number; readonly nameKey: string; readonly scene: Scene } | null>;
}

export const OPERATOR_ROLES = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
export interface Operator {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  readonly roles: readonly OperatorRole[];
  readonly active: boolean;
  readonly totpSealed: string | null;
  readonly totpPending: string | null;
  /** Somebody else chose the password: it is good for one sign-in, where authenticators are required. */
  readonly needsOwnPassword: boolean;
}
/**
 * People who run the exchange, and their sessions: apart from users, so that a token of one is never one of the other.
 */
export abstract class Operators {
  abstract byName(sql: Sql, username: string): Promise<Operator | null>;
  abstract byId(sql: Sql, id: number): Promise<Operator | null>;
  /**
   * Adds one who is not there yet and answers the id; an existing one stays as it is: null. `id` is given for demo
   * operators only.
   */
  abstract add(
    tx: Tx,
    operator: {
      readonly id?: number;
      readonly username: string;
      readonly passwordHash: string;
      readonly roles: readonly OperatorRole[];
      readonly active?: boolean;
    },
    now: number,
  ): Promise<number | null>;
  /** `passwordHash` null: the password stays. */
  abstract change(
    tx: Tx,
    id: number,
    change: { readonly passwordHash: string | null; readonly roles: readonly OperatorRole[]; readonly active: boolean },
  ): Promise<void>;
  /** A new hash in place of the old one, if nobody else has changed it since. */
  abstract setPassword(tx: Tx, id: number, old: string, hash: string): Promise<void>;
  /** Whether the next sign-in must bring a password of one's own. */
  abstract requireOwnPassword(tx: Tx, id: number, required: boolean): Promise<void>;
  abstract setTotp(tx: Tx, id: number, sealed: string, step: number): Promise<void>;
  abstract setTotpPending(tx: Tx, id: number, sealed: string): Promise<void>;
  /** All operators by name, each with the last time a session was used. */
  abstract list(sql: Sql): Promise<(Operator & { readonly createdAt: number; readonly lastAt: number | null })[]>;
  /** Ends all living sessions but one; answers the public ids of those. */
  abstract endAll(tx: Tx, operatorId: number, now: number, except: string | null): Promise<string[]>;
  abstract useTotpStep(tx: Tx, id: number, step: number): Promise<boolean>;
  /**
   * Whether an operator signs in with an authenticator code: always but on a demo install, where the setting
   * `admin_totp` says.
   */
  abstract totpRequired(sql: Sql): Promise<boolean>;
  abstract open(
    tx: Tx,
    session: {
      readonly tokenHash: string;
      readonly publicId: string;
      readonly operatorId: number;
      readonly ip: string;
      readonly agent: string;
    },
    now: number,
  ): Promise<string[]>;
  abstract caller(
    sql: Sql,
    tokenHash: string,
    now: number,
  ): Promise<{ readonly caller: Caller; readonly lastAt: number } | null>;
  abstract touch(sql: Sql, tokenHash: string, now: number): Promise<void>;
  abstract end(tx: Tx, operatorId: number, publicId: string, now: number): Promise<boolean>;
  abstract knowsDevice(sql: Sql, operatorId: number, device: string): Promise<boolean>;
  abstract rememberDevice(tx: Tx, operatorId: number, device: string, now: number): Promise<void>;
}

/**
 * Failed passwords, in PostgreSQL: clearing a cache forgives nothing. A failure is counted before the password is
 * looked at and taken back when it was right.
 */
export abstract class Failures {
  abstract lock(tx: Tx, bucket: string): Promise<void>;
  abstract login(tx: Tx, bucket: string, now: number): Promise<LoginFailures>;
  abstract fund(tx: Tx, bucket: string, now: number): Promise<FundFailures>;
  abstract add(tx: Tx, bucket: string, now: number): Promise<string>;
  abstract takeBack(tx: Tx, id: string): Promise<void>;
  abstract clear(tx: Tx, bucket: string): Promise<void>;
  /** Forgets all failures of one person's login password, from every device. */
  abstract clearLogins(tx: Tx, userId: number): Promise<void>;

  /**
   * Looks at a password whose attempt was counted. One that could not be looked at was not wrong: its attempt is taken
   * back.
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

/**
 * For whom a password is hashed. Who is known (signed in, on a known device, or has proved it by a code) waits in a
 * lane of their own, which strangers cannot fill. `key` names who shares a turn: the person or, of strangers, the
 * network address.
 */
export interface Lane {
  readonly known: boolean;
  readonly key: string;
}
/**
 * Slow hashes of passwords, a few at a time. Throws `Unavailable` (503) when too many wait in the lane. Without a lane:
 * a stranger.
 */
export abstract class Passwords {
  abstract hash(password: string, lane?: Lane): Promise<string>;
  /** With the hints by which a fund password is kept out of it. */
  abstract hashLogin(password: string, lane?: Lane): Promise<StoredPassword>;
  /** `hash` null: nobody to compare with; takes as long and answers false. */
  abstract verify(hash: string | null, password: string, lane?: Lane): Promise<boolean>;
  /** Whether a right password should be hashed anew: it was hashed under a pepper of before. */
  abstract isOutdated(hash: string): boolean;
  /** Whether this fund password is part of the login password that the hints were made of. */
  abstract isInside(stored: Pick<Person, 'hintSalt' | 'hints'>, fundPassword: string, lane?: Lane): Promise<boolean>;
  /** Passwords that everybody tries first, in lower case. */
  abstract readonly common: ReadonlySet<string>;
}

/** Session tokens: signed JWTs that name a random session secret. */
export abstract class Tokens {
  /** `subject`: the user's id, or `operator:` and the operator's. */
  abstract issue(subject: number | string): {
    readonly token: string;
    readonly tokenHash: string;
    readonly publicId: string;
  };
  /** SHA-256 of the secret that a token of ours names, or null. */
  abstract read(token: string): string | null;
}

/** Keeps what must be read again, but not from a leaked table. A text sealed for one purpose opens for no other. */
export abstract class Seal {
  /** `context` names the record, so that it opens for no other one. */
  abstract seal(purpose: SealPurpose, text: string, context?: string): string;
  /** Throws when the text was sealed for something else, changed, or sealed under a key that is not there. */
  abstract open(purpose: SealPurpose, sealed: string, context?: string): string;
  /** What everything begins with that is sealed under the newest key. */
  abstract readonly prefix: string;
  abstract isCurrent(sealed: string): boolean;
  /** By what a sealed text is found that is equal but for case: the first is stored, any of them may match. */
  abstract marks(purpose: SealPurpose, text: string): string[];
}
export type SealPurpose =
  'totp' | 'card' | 'phishing' | 'apikey' | 'authorization' | 'name' | 'bank' | 'payment' | 'region';

export abstract class Totp {
  /** A new secret: in base32, as the address that authenticator apps read, and sealed. */
  abstract create(account: string): { readonly secret: string; readonly url: string; readonly sealed: string };
  /** The time step that this code belongs to, or null when it is wrong at `now` (one step of skew). */
  abstract step(sealedSecret: string, code: string, now: number): number | null;
}

export abstract class Randomness {
  abstract digits(count: number): string;
  /** Capital letters and digits without those that look alike. */
  abstract letters(count: number): string;
  /** Random bytes as base64url text. */
  abstract secret(bytes: number): string;
}

export interface MailMessage {
  readonly name: AccountName;
  readonly scene: Scene | 'security' | 'kyc';
  readonly code: string;
  readonly subject: string;
  readonly text: string;
}
/** Sends mails and short messages; a demo install also shows them in its inbox. */
export abstract class Mailer {
  /** Part of the transaction: what is sent only if it commits. */
  abstract send(tx: Tx, letter: MailMessage, now: number): Promise<void>;
  abstract inbox(
    sql: Sql,
    filter: { readonly to?: string | undefined; readonly scene?: string | undefined; readonly limit: number },
  ): Promise<{ to: string; scene: string; code: string; text: string; time: string }[]>;
}

/** Tells the gateways that a session ended or a caller's record changed, before the call answers. */
export abstract class SessionEvents {
  abstract sessionsEnded(userId: number, ended: readonly string[] | 'all'): Promise<void>;
}

/** Codes by which another device signs in: one per person, good for ten minutes and one sign-in. */
export abstract class AuthorizationCodes {
  /**
   * The code that is still good, sealed, with the time it ends and the beginning of the oldest session that was shown
   * it; null when there is none.
   */
  abstract current(
    tx: Tx,
    userId: number,
    now: number,
  ): Promise<{ readonly sealed: string; readonly expiresAt: number; readonly sessionCreatedAt: number } | null>;
  abstract store(
    tx: Tx,
    userId: number,
    code: { readonly sealed: string; readonly expiresAt: number; readonly sessionCreatedAt: number },
    now: number,
  ): Promise<void>;
  /** A session that began then was shown the code too: a device login by it gets no younger than the oldest of them. */
  abstract shownTo(tx: Tx, userId: number, sessionCreatedAt: number): Promise<void>;
  /** Uses this very code up; false when somebody else was faster or it has run out. */
  abstract use(tx: Tx, userId: number, sealed: string, now: number): Promise<boolean>;
  /** A code given out before stops working. */
  abstract drop(tx: Tx, userId: number): Promise<void>;
}

export interface ApiKey {
  readonly key: string;
  readonly userId: number;
  readonly label: string;
  readonly secretSealed: string;
  readonly permissions: readonly ('read' | 'trade')[];
  readonly ips: readonly string[];
  readonly createdAt: number;
  readonly lastAt: number | null;
}
/** Keys by which programs sign calls. A deleted key is gone for every call but the trail. */
export abstract class ApiKeys {
  /** Serialises the keys of one person until the transaction ends, and counts them. */
  abstract count(tx: Tx, userId: number): Promise<number>;
  abstract add(tx: Tx, key: ApiKey): Promise<void>;
  abstract list(sql: Sql, userId: number): Promise<ApiKey[]>;
  abstract byKey(sql: Sql, key: string): Promise<ApiKey | null>;
  /** Writes that the key was used, unless it was within the last `everyMs`. */
  abstract touch(sql: Sql, key: string, now: number, everyMs: number): Promise<void>;
  /** Deletes an own key; false when there is none. */
  abstract remove(tx: Tx, userId: number, key: string, now: number): Promise<boolean>;
  /** Deletes all keys of a person; answers how many there were. */
  abstract removeAll(tx: Tx, userId: number, now: number): Promise<number>;
}

/** Papers of one identity check. Pictures are names of uploads. */
export interface KycDocuments {
  readonly frontPic: string;
  readonly reversePic: string;
  readonly handPic: string;
}
export interface KycCase extends KycDocuments {
  readonly userId: number;
  readonly accountNumber: string;
  readonly email: string;
  readonly phone: string;
  readonly nationality: string;
  readonly name: string;
  readonly cardSealed: string;
  readonly reviewStatus: 0 | 1 | 2;
  readonly reviewReason: string;
  readonly submittedAt: number | null;
  readonly decidedAt: number | null;
}
export abstract class KycCases {
  /** Review status 0 → 1 with name, number and pictures; false when it is not 0 any more. */
  abstract submit(
    tx: Tx,
    userId: number,
    identity: KycDocuments & { readonly name: string; readonly cardSealed: string },
    now: number,
  ): Promise<boolean>;
  /** Review status 1 → 2, or 1 → 0 with a reason for the person; false when it is not 1. */
  abstract decide(
    tx: Tx,
    userId: number,
    decision: { readonly pass: boolean; readonly reason: string },
    now: number,
  ): Promise<boolean>;
  /** Those who ever handed papers in, the longest waiting first, decided ones newest first. */
  abstract list(
    sql: Sql,
    reviewStatus: 0 | 1 | 2 | undefined,
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly KycCase[] }>;
}
