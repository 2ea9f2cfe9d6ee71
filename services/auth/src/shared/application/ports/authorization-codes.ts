import type { Tx } from '@bourse/persistence';

/** Codes by which another device signs in: one per person, valid for ten minutes and one sign-in. */
export abstract class AuthorizationCodes {
  /**
   * The valid code, sealed, with its end and the beginning of the oldest session that has displayed it; null if there
   * is none.
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
  /**
   * Records that a session with this beginning has displayed the code: a device login by it counts as no younger than
   * the oldest of them.
   */
  abstract shownTo(tx: Tx, userId: number, sessionCreatedAt: number): Promise<void>;
  /** Uses this very code up; false when it was used concurrently or has expired. */
  abstract use(tx: Tx, userId: number, sealed: string, now: number): Promise<boolean>;
  /** Invalidates the person's code. */
  abstract drop(tx: Tx, userId: number): Promise<void>;
}
