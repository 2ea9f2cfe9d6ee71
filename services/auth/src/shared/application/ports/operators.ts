import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { CheckedAccess, Sql } from './database.js';

/** Roles of operators. */
export const OPERATOR_ROLES = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
/** An operator of the exchange. */
export interface Operator {
  readonly id: number;
  readonly username: string;
  readonly passwordHash: string;
  readonly roles: readonly OperatorRole[];
  readonly active: boolean;
  readonly totpSealed: string | null;
  readonly totpPending: string | null;
  /** Another person chose the password: it is valid for one sign-in, if authenticators are required. */
  readonly needsOwnPassword: boolean;
}
/** Operators and their sessions, separate from users, so that a token of one is never valid for the other. */
export abstract class Operators {
  abstract byName(sql: Sql, username: string): Promise<Operator | null>;
  /** Locks the operator until the end of the transaction, so that what is read stays true. */
  abstract lockByName(tx: Tx, username: string): Promise<Operator | null>;
  abstract byId(sql: Sql, id: number): Promise<Operator | null>;
  /**
   * Locks the operator until the transaction ends. False: the password or the authenticator has changed since the
   * check, or the operator is switched off.
   */
  abstract lockUnchanged(tx: Tx, checked: CheckedAccess): Promise<boolean>;
  /**
   * Adds an operator and returns the id; null if the name exists, which stays unchanged. `id` is given for demo
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
  /** Replaces the hash, unless it was changed concurrently. */
  abstract setPassword(tx: Tx, id: number, old: string, hash: string): Promise<void>;
  /** Whether the next sign-in must bring a new password. */
  abstract requireOwnPassword(tx: Tx, id: number, required: boolean): Promise<void>;
  abstract setTotp(tx: Tx, id: number, sealed: string, step: number): Promise<void>;
  abstract setTotpPending(tx: Tx, id: number, sealed: string): Promise<void>;
  /** All operators by name, each with the last time a session was used. */
  abstract list(sql: Sql): Promise<(Operator & { readonly createdAt: number; readonly lastAt: number | null })[]>;
  /** Ends all active sessions but one; returns the public ids of the ended ones. */
  abstract endAll(tx: Tx, operatorId: number, now: number, except: string | null): Promise<string[]>;
  abstract useTotpStep(tx: Tx, id: number, step: number): Promise<boolean>;
  /**
   * Whether operators sign in with an authenticator code: always, except on a demo install, where the setting
   * `admin_totp` decides.
   */
  abstract totpRequired(sql: Sql): Promise<boolean>;
  /**
   * Stores a session and ends the oldest beyond the limit; returns the public ids of the ended ones. The operator is
   * locked, so that two concurrent sign-ins do not exceed the limit.
   */
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
  abstract hasDevice(sql: Sql, operatorId: number, device: string): Promise<boolean>;
  abstract rememberDevice(tx: Tx, operatorId: number, device: string, now: number): Promise<void>;
}
