import type { Tx } from '@bourse/persistence';

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
