import type { Language, Preferences, ReferenceCurrency, Rows } from '@bourse/contract';
import type { PartyPayment } from '@bourse/messaging';
import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { AccountName } from '../../domain/account-name.js';
import type { CheckedAccess, Sql } from './database.js';

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
  /** The currency of approximate values; empty: none chosen. */
  readonly currency: ReferenceCurrency | '';
  readonly preferences: Preferences;
  readonly nationality: string;
  readonly accountNumber: string;
  readonly extensionCode: string;
  /** The inviter whose code the person registered with; null: none. */
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
  /** Sealed TOTP secret, and the last used time step; null: never set. */
  readonly totpSealed: string | null;
  readonly totpStep: number;
  /** Secret of an authenticator that was shown and is not confirmed yet. */
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
/** A person to register. */
export interface NewPerson {
  readonly name: AccountName;
  readonly password: StoredPassword;
  readonly lang: Language;
  readonly nationality: string;
  readonly inviterId: number | null;
}
/** A person's bank account, as entered. */
export interface Bank {
  readonly realName: string;
  readonly bankNo: string;
  readonly bankName: string;
  readonly region: string;
  readonly phone: string;
}

/** A person's payment settings. */
export type PaymentSettings = PartyPayment;
/** `keyword`: an id or account number, or part of a name, e-mail, phone or invite code. */
export interface PeopleFilter {
  readonly keyword?: string | undefined;
  readonly role?: (typeof PEOPLE_ROLES)[number] | undefined;
}
/** Values of the role filter of lists of people. */
export const PEOPLE_ROLES = ['seller', 'acceptor', 'region', 'points', 'frozen', 'same_contact'] as const;
/** A person of a region, as shown to its agent. */
export interface RegionUser {
  readonly region: string;
  readonly phone: string;
  readonly createdAt: number;
}

/** The people of the exchange, with their passwords, contacts and payment settings. */
export abstract class People {
  /**
   * Finds by any spelling of the contact; older accounts that share a contact are found only by their own spelling
   * [CLIENT-201].
   */
  abstract byName(sql: Sql, name: AccountName): Promise<Person | null>;
  /** Whether some account has this mailbox or telephone, in any spelling. */
  abstract isTaken(sql: Sql, name: AccountName): Promise<boolean>;
  /** For older accounts that share a mailbox or telephone with others: the ids of the others. */
  abstract sameContact(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  abstract byId(sql: Sql, id: number): Promise<Person | null>;
  /** Like `byId`, as the account is after the wait for its lock, which lasts until the transaction ends. */
  abstract lock(tx: Tx, id: number): Promise<Person | null>;
  /**
   * Locks the account until the transaction ends. False: the password or the authenticator has changed since the check,
   * or the person may no longer sign in.
   */
  abstract lockUnchanged(tx: Tx, checked: CheckedAccess): Promise<boolean>;
  /** Id of the person with this invite code. */
  abstract inviter(sql: Sql, extensionCode: string): Promise<number | null>;
  /** Adds a person with random id, account number and invite code, and the inviter. Null: the name is taken. */
  abstract add(tx: Tx, person: NewPerson, now: number): Promise<number | null>;
  abstract setPassword(tx: Tx, id: number, password: StoredPassword, withdrawalsBlockedUntil: number): Promise<void>;
  /** Stores a new hash of the same password, unless it was changed concurrently: blocks nothing. */
  abstract rehash(tx: Tx, id: number, old: string, password: StoredPassword): Promise<void>;
  abstract rehashFund(tx: Tx, id: number, old: string, hash: string): Promise<void>;
  /** `withdrawalsBlockedUntil` null: the first fund password blocks nothing. */
  abstract setFundPassword(tx: Tx, id: number, hash: string, withdrawalsBlockedUntil: number | null): Promise<void>;
  abstract requireFundReset(tx: Tx, id: number): Promise<void>;
  abstract setLang(sql: Sql, id: number, lang: Language): Promise<void>;
  abstract setCurrency(sql: Sql, id: number, currency: ReferenceCurrency): Promise<void>;
  /** Changes the given choices and keeps the others. */
  abstract setPreferences(sql: Sql, id: number, chosen: Preferences): Promise<void>;
  /** Uses a time step of the authenticator up; false when it or a later one was used before. */
  abstract useTotpStep(tx: Tx, id: number, step: number): Promise<boolean>;
  /** Stores a secret until its first code is confirmed. */
  abstract setTotpPending(tx: Tx, id: number, sealed: string): Promise<void>;
  /** Activates the pending secret, with `step` as its first used step; false when another one is pending. */
  abstract enableTotp(tx: Tx, id: number, sealed: string, step: number): Promise<boolean>;
  abstract disableTotp(tx: Tx, id: number): Promise<void>;
  /**
   * Blocks withdrawals until this business time, ms, which is `WITHDRAWAL_BLOCK_MS` from now; a longer block stays, and
   * a block that is extended keeps its beginning.
   */
  abstract blockWithdrawals(tx: Tx, id: number, until: number): Promise<void>;
  abstract setPhishingWord(tx: Tx, id: number, sealed: string): Promise<void>;
  /** Freezes, or lifts it with `none`; `now` is business time, ms. */
  abstract setFrozen(tx: Tx, id: number, scope: Caller['frozen'], now: number): Promise<void>;
  /** Those of these people who are frozen, each with the scope. */
  abstract frozenAmong(
    sql: Sql,
    ids: readonly number[],
  ): Promise<readonly { readonly id: number; readonly scope: Caller['frozen'] }[]>;
  /**
   * Binds an address at `now` (business time, ms). `withdrawalsBlockedUntil` null: it blocks nothing. False: another
   * account has it.
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
  /** Payment settings of several people; people without any are left out. */
  abstract paymentsOf(sql: Sql, ids: readonly number[]): Promise<ReadonlyMap<number, PaymentSettings>>;
  abstract setPayment(tx: Tx, id: number, payment: PaymentSettings): Promise<void>;
  /** Finds people, newest first. The house's own accounts are rows too, and are left out. */
  abstract search(
    sql: Sql,
    filter: PeopleFilter,
    page: { readonly size: number; readonly offset: number },
  ): Promise<Rows<Person>>;
  /** People who registered within a period, after an id, in the order of ids: for exports. Times in ms. */
  abstract registered(
    sql: Sql,
    span: { readonly from: number; readonly to: number },
    afterId: number,
    limit: number,
  ): Promise<readonly Person[]>;
  /** Number of KYC documents that wait for a decision, and of frozen accounts. */
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
  ): Promise<Rows<RegionUser>>;
  /** Contacts of these people, and nothing else. */
  abstract contacts(
    sql: Sql,
    ids: readonly number[],
  ): Promise<readonly { readonly id: number; readonly email: string; readonly phone: string }[]>;
  abstract profiles(sql: Sql, ids: readonly number[]): Promise<Person[]>;
}
