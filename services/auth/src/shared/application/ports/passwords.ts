import type { Person, StoredPassword } from './people.js';

/**
 * The requester of a hash. A known person (signed in, on a known device, or verified by a code) waits in a separate
 * lane, which strangers cannot fill. `key` names who shares a turn: the person or, for strangers, the network address.
 */
export interface Lane {
  readonly known: boolean;
  readonly key: string;
}
/**
 * Slow hashes of passwords in their normalized form, a few at a time. Throws `Unavailable` (503) when too many wait in
 * the lane. The default lane is the strangers' [CLIENT-200].
 */
export abstract class Passwords {
  abstract hash(password: string, lane?: Lane): Promise<string>;
  /** Also returns the hints by which a fund password inside the login password is refused. */
  abstract hashLogin(password: string, lane?: Lane): Promise<StoredPassword>;
  /**
   * `hash` null: there is no account; takes the same time and returns false. An old hash may also match the form that
   * was sent.
   */
  abstract verify(hash: string | null, password: string, lane?: Lane): Promise<boolean>;
  /** Whether a right password should be hashed again: its hash is of an old pepper, or not of the normalized form. */
  abstract isOutdated(hash: string, password: string, lane?: Lane): Promise<boolean>;
  /** Whether this fund password is part of the login password from which the hints were made. */
  abstract isInside(stored: Pick<Person, 'hintSalt' | 'hints'>, fundPassword: string, lane?: Lane): Promise<boolean>;
  /** The most common passwords, in lower case. */
  abstract readonly common: ReadonlySet<string>;
}
