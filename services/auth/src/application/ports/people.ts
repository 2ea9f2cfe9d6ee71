import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { AccountName } from '../../domain/account-name.js';
import type { Sql } from './database.js';

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
  /** Whose code the person registered with; null: nobody's. */
  readonly inviterId: number | null;
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
  /** The anti-phishing phrase of this person, sealed for `phishing`; null: none chosen. */
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
/** Who registers. */
export interface NewPerson {
  readonly name: AccountName;
  readonly password: StoredPassword;
  readonly lang: Language;
  readonly nationality: string;
  readonly inviterId: number | null;
}
/** The bank account of a person, as they gave it. */
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
/** What a list of people may be narrowed to. */
export const PEOPLE_ROLES = ['seller', 'acceptor', 'region', 'points', 'frozen', 'same_contact'] as const;
/** A person of a region, as its agent sees them. */
export interface RegionUser {
  readonly region: string;
  readonly phone: string;
  readonly createdAt: number;
}

/** The people of the exchange, with their passwords, contacts and payment settings. */
export abstract class People {
  /** By any spelling of the contact; those of before that fall together by their own alone [CLIENT-201]. */
  abstract byName(sql: Sql, name: AccountName): Promise<Person | null>;
  /** Whether some account has this mailbox or telephone, in any spelling. */
  abstract isTaken(sql: Sql, name: AccountName): Promise<boolean>;
  /** For accounts of before that share a mailbox or telephone with others: the ids of the others. */
  abstract sameContact(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  abstract byId(sql: Sql, id: number): Promise<Person | null>;
  /** Id of the person whose invite code this is. */
  abstract inviter(sql: Sql, extensionCode: string): Promise<number | null>;
  /** Adds a person with random id, account number and invite code, and fixes the inviter. Null: the name is taken. */
  abstract add(tx: Tx, person: NewPerson, now: number): Promise<number | null>;
  abstract setPassword(tx: Tx, id: number, password: StoredPassword, withdrawalsBlockedUntil: number): Promise<void>;
  /** The same passwords hashed again, if nobody has changed them since: blocks nothing. */
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
  /**
   * No withdrawal before this business time, ms, which is `WITHDRAWAL_BLOCK_MS` from now; one that is blocked for
   * longer stays so, and a block that goes on keeps its beginning.
   */
  abstract blockWithdrawals(tx: Tx, id: number, until: number): Promise<void>;
  abstract setPhishingWord(tx: Tx, id: number, sealed: string): Promise<void>;
  /** Freezes, or lifts it with `none`; `now` is business time, ms. */
  abstract setFrozen(tx: Tx, id: number, scope: Caller['frozen'], now: number): Promise<void>;
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
  /** The same of several people; who has none is not in it. */
  abstract paymentsOf(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, PaymentSettings>>;
  abstract setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void>;
  /** The house's own accounts are people too, and no list shows them. Newest first. */
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
  /** How many KYC documents wait for a decision, and how many accounts are frozen. */
  abstract openWork(sql: Sql): Promise<{ readonly kyc: number; readonly frozen: number }>;
  abstract setRole(
    tx: Tx,
    id: number,
    role: Pick<Person, 'isSeller' | 'isAcceptor' | 'region' | 'inPoints'>,
  ): Promise<void>;
  /** People whose bank is in a city, or in a district of it, newest first. */
  abstract inRegion(
    sql: Sql,
    region: { readonly city: string; readonly district: string | null },
    page: { readonly size: number; readonly offset: number },
  ): Promise<{ readonly total: number; readonly rows: readonly RegionUser[] }>;
  /** By what these people are reached, nothing else of them. */
  abstract contacts(
    sql: Sql,
    ids: readonly number[],
  ): Promise<readonly { readonly id: number; readonly email: string; readonly phone: string }[]>;
  abstract profiles(sql: Sql, ids: readonly number[]): Promise<Person[]>;
}
