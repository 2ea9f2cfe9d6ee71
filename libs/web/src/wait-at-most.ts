/** Waits for the work, but no longer than `limitMs`; the work goes on. @throws what the work throws within that time */
export const waitAtMost = (limitMs: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, limitMs))]);

/** How long a sign-out waits for the exchange before the browser forgets the session. */
export const SIGN_OUT_MS = 3_000;

/**
 * Waits for the call that ends a session. The caller forgets the session whether the call succeeds, fails or gets no
 * answer.
 */
export const waitForLogout = (ended: Promise<unknown>): Promise<unknown> =>
  waitAtMost(
    SIGN_OUT_MS,
    ended.catch((error: unknown) => console.warn('logout was not answered', error)),
  );
