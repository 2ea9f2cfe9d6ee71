/** Waits for the work, but no longer than `limitMs`; the work goes on. @throws what the work throws within that time */
export const waitAtMost = (limitMs: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, limitMs))]);

/** How long a sign-out waits for the exchange before the browser forgets the session. */
export const SIGN_OUT_MS = 3_000;
