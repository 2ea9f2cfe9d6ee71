import type { Tx } from '@bourse/persistence';
import type { Caller } from '@bourse/platform';
import type { Sql } from './database.js';

/** What an operator may be. */
export const OPERATOR_ROLES = ['support', 'finance', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
/** One of those who run the exchange. */
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
