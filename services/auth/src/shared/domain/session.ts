/** Lifetimes of sessions, real time (api §1.2). */
export const SESSION = { idleMs: 60 * 60_000, lifeMs: 24 * 3_600_000, perUser: 10, touchMs: 60_000 } as const;
/** Time for which a session counts as confirmed after the password was given in it, clock of sessions (api §6.16). */
export const CONFIRMED_MS = 10 * 60_000;
/** Withdrawal block after a new password or fund password, business time (rules §8.6). */
export const WITHDRAWAL_BLOCK_MS = 24 * 3_600_000;
/** Codes by which another device signs in, real time (rules §13). */
export const AUTHORIZATION_CODE = { length: 8, lifeMs: 10 * 60_000 } as const;
