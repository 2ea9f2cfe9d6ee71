import type { PasskeyTransport } from '@bourse/contract';
import type { Tx } from '@bourse/persistence';
import type { ChallengePurpose } from '../../domain/passkey.js';
import type { Sql } from './database.js';

/** A passkey of a person: the public key of a credential that an authenticator keeps. */
export interface Passkey {
  /** Id of the credential, base64url; unique among all people. */
  readonly id: string;
  readonly userId: number;
  /** COSE key, base64url. */
  readonly publicKey: string;
  /** Signatures so far, as the authenticator counts them; 0: it does not. */
  readonly counter: number;
  /** How browsers reach the authenticator: `internal`, `usb`, `hybrid`, … */
  readonly transports: readonly PasskeyTransport[];
  readonly label: string;
  readonly createdAt: number;
  readonly lastAt: number | null;
}

/** Passkeys of people. */
export abstract class Passkeys {
  /** Serialises the passkeys of one person until the transaction ends, and counts them. */
  abstract count(tx: Tx, userId: number): Promise<number>;
  /** False: the credential is registered already, by this person or another. */
  abstract add(tx: Tx, passkey: Passkey): Promise<boolean>;
  /** Newest first. */
  abstract list(sql: Sql, userId: number): Promise<Passkey[]>;
  abstract byId(sql: Sql, id: string): Promise<Passkey | null>;
  /** Records a use; false when the counter is stale by now, or the passkey was removed. */
  abstract use(sql: Sql, id: string, counter: number, now: number): Promise<boolean>;
  /** Renames the person's own passkey; false if it does not exist. */
  abstract rename(sql: Sql, userId: number, id: string, label: string): Promise<boolean>;
  /** Deletes the person's own passkey; false if it does not exist. */
  abstract remove(tx: Tx, userId: number, id: string): Promise<boolean>;
  /** Deletes all passkeys of a person; returns their number. */
  abstract removeAll(tx: Tx, userId: number): Promise<number>;
}

/** A challenge that waits for its answer. */
export interface Challenge {
  readonly purpose: ChallengePurpose;
  /** The person it was made for; null for a sign-in. */
  readonly userId: number | null;
  /** The device that requested it. */
  readonly device: string;
}
/**
 * Challenges of passkeys, in PostgreSQL under their hash: each instance reads those of the others, and a restart
 * loses none.
 */
export abstract class Challenges {
  abstract store(sql: Sql, text: string, challenge: Challenge, now: number): Promise<void>;
  /** Consumes a challenge and returns it; null for an unknown, used or expired one. */
  abstract take(sql: Sql, text: string, now: number): Promise<Challenge | null>;
}
