/** Limits of invariants §5, in real time. They are never scaled. */
export const LOGIN_FAILURES = {
  codeFrom: 10,
  codeWindowMs: 15 * 60_000,
  resetFrom: 20,
  resetWindowMs: 24 * 3_600_000,
} as const;
export const FUND_FAILURES = { lockEvery: 5, lockMs: 15 * 60_000, resetFrom: 10, windowMs: 24 * 3_600_000 } as const;

export interface LoginFailures {
  readonly recent: number;
  readonly day: number;
}

/**
 * The check before a login, in the order of rules §12.1: first the code, if one is demanded and missing, then the full
 * lock.
 */
export function loginBarrier(
  failures: LoginFailures,
  { codeDemanded, codeGiven }: { readonly codeDemanded: boolean; readonly codeGiven: boolean },
): 'none' | 'code' | 'reset' {
  if (codeDemanded && !codeGiven) return 'code';
  return failures.day >= LOGIN_FAILURES.resetFrom ? 'reset' : 'none';
}

/** Whether a login needs a code: by the setting, or after ten failures in fifteen minutes. */
export function loginNeedsCode(failures: LoginFailures, always: boolean): boolean {
  return always || failures.recent >= LOGIN_FAILURES.codeFrom;
}

/** Failures since the last right fund password, within 24 h; `lastAt` in ms. */
export interface FundFailures {
  readonly count: number;
  readonly lastAt: number;
}
export type FundBarrier =
  | { readonly kind: 'none' }
  | { readonly kind: 'locked'; readonly seconds: number }
  | { readonly kind: 'reset' };

/** Five failures lock for fifteen minutes, ten in a day until the password is set again (rules §8.6). */
export function fundBarrier({ count, lastAt }: FundFailures, now: number): FundBarrier {
  if (count >= FUND_FAILURES.resetFrom) return { kind: 'reset' };
  const until = lastAt + FUND_FAILURES.lockMs;
  if (count > 0 && count % FUND_FAILURES.lockEvery === 0 && until > now)
    return { kind: 'locked', seconds: Math.ceil((until - now) / 1_000) };
  return { kind: 'none' };
}

/** Tries left before the next lock, after `count` failures. */
export function fundTriesLeft(count: number): number {
  const over = count % FUND_FAILURES.lockEvery;
  return over === 0 ? 0 : FUND_FAILURES.lockEvery - over;
}
