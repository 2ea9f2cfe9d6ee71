import type { Language } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { Sql } from './database.js';

/** Origin of a call, as the edge saw it. */
export interface Origin {
  readonly ip: string;
  readonly agent: string;
  /** Hash of the device id that the browser sent; null: none (programs). */
  readonly device: string | null;
  readonly lang: Language;
  /** Real time, ms, after which the call uses up no code, because its answer may come too late. */
  readonly validUntil?: number;
}

/** The calls that a session may make: all of the person's, or points only. */
export type SessionKind = Extract<Caller['kind'], 'user' | 'points'>;

/** A session as its owner sees it. */
export interface SessionFacts {
  readonly publicId: string;
  readonly ip: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly lastAt: number;
}
/** Sessions of people, and the devices that have signed in. */
export abstract class Sessions {
  /**
   * Stores a session under the SHA-256 of its secret and ends the oldest beyond the limit; returns the public ids of
   * the ended ones. The account is locked, so that two concurrent sign-ins do not exceed the limit.
   */
  abstract open(
    tx: Tx,
    session: {
      readonly tokenHash: string;
      readonly publicId: string;
      readonly userId: number;
      readonly kind: SessionKind;
      readonly ip: string;
      readonly agent: string;
      /** Beginning of its absolute life: now, or the beginning of the session that a device login came from. */
      readonly createdAt: number;
      /** When the account's password was given in it; null: not yet. */
      readonly confirmedAt: number | null;
    },
    now: number,
  ): Promise<string[]>;
  /**
   * When an active session of this person began and when its password was given last; null: there is no such session.
   */
  abstract ages(
    sql: Sql,
    userId: number,
    publicId: string,
    now: number,
  ): Promise<{ readonly createdAt: number; readonly confirmedAt: number | null } | null>;
  /** Records that the password was given again. False: the session has ended. */
  abstract confirm(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean>;
  /** The caller of an active session in one query. `lastAt`: its last use. */
  abstract caller(
    sql: Sql,
    tokenHash: string,
    now: number,
  ): Promise<{ readonly caller: Caller; readonly lastAt: number } | null>;
  /** Those of these people's sessions, by public id, and API keys that are active. */
  abstract activeAmong(sql: Sql, ids: readonly string[], now: number): Promise<string[]>;
  abstract callerOf(sql: Sql, userId: number): Promise<Caller | null>;
  abstract touch(sql: Sql, tokenHash: string, now: number): Promise<void>;
  abstract list(sql: Sql, userId: number, now: number): Promise<SessionFacts[]>;
  /** Ends one active session of its owner; false if there is none. */
  abstract end(tx: Tx, userId: number, publicId: string, now: number): Promise<boolean>;
  abstract endAll(tx: Tx, userId: number, now: number): Promise<void>;
  /** Ends all active sessions but one; returns the public ids of the ended ones. */
  abstract endOthers(tx: Tx, userId: number, publicId: string, now: number): Promise<string[]>;
  /** Whether any device has signed in to the account before. */
  abstract hasDevice(sql: Sql, userId: number): Promise<boolean>;
  /** The first of these names of a device by which it has signed in to the account before; null: none. */
  abstract knownDevice(sql: Sql, userId: number, devices: readonly string[]): Promise<string | null>;
  /** Records a sign-in at `now`, clock of sessions; a device's first one at `firstAt`, business time. */
  abstract rememberDevice(
    tx: Tx,
    device: { readonly userId: number; readonly name: string; readonly firstAt: number },
    now: number,
  ): Promise<void>;
  /**
   * The last time that a device signed in to each of these accounts for the first time, business time, ms; the first
   * device of an account does not count, and those of before this was recorded have no time.
   */
  abstract newestDevices(sql: Sql, userIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
