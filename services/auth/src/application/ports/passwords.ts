import type { Person, StoredPassword } from './people.js';

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
 * Slow hashes of passwords in their normalized form, a few at a time. Throws `Unavailable` (503) when too many wait in
 * the lane. Without a lane: a stranger [CLIENT-200].
 */
export abstract class Passwords {
  abstract hash(password: string, lane?: Lane): Promise<string>;
  /** With the hints by which a fund password is kept out of it. */
  abstract hashLogin(password: string, lane?: Lane): Promise<StoredPassword>;
  /**
   * `hash` null: nobody to compare with; takes as long and answers false. A hash of before is right by the form that
   * was sent as well.
   */
  abstract verify(hash: string | null, password: string, lane?: Lane): Promise<boolean>;
  /**
   * Whether a right password should be hashed again: its hash is of a pepper of before, or not of the normalized form.
   */
  abstract isOutdated(hash: string, password: string, lane?: Lane): Promise<boolean>;
  /** Whether this fund password is part of the login password that the hints were made of. */
  abstract isInside(stored: Pick<Person, 'hintSalt' | 'hints'>, fundPassword: string, lane?: Lane): Promise<boolean>;
  /** Passwords that everybody tries first, in lower case. */
  abstract readonly common: ReadonlySet<string>;
}
