/**
 * The gates that calls name (api §1.4), with the requirements of each beyond a fund password and a passed identity
 * check: payment settings, and the type of the answer where they are missing; the freeze of an account that closes it;
 * whether it lets money out of the exchange.
 */
export const GATES = {
  trade: { needsPayment: false, closedBy: 'trade', isOut: false },
  c2c: { needsPayment: true, closedBy: 'c2c', isOut: false },
  acc: { needsPayment: true, type: '555', closedBy: 'c2c', isOut: false },
  out: { needsPayment: false, closedBy: 'withdraw', isOut: true },
} as const satisfies Record<
  string,
  { needsPayment: boolean; type?: '555'; closedBy: Exclude<FreezeScope, 'none' | 'all'>; isOut: boolean }
>;
export type Gate = keyof typeof GATES;

/** The parts of an account that can be frozen (api §2.12). */
export const FREEZE_SCOPES = ['all', 'trade', 'c2c', 'withdraw'] as const;
export type FreezeScope = 'none' | (typeof FREEZE_SCOPES)[number];

/** Scopes of breakers beside the markets (api §2.12). Services may name more in their descriptions. */
export const BREAKER_SCOPES: readonly string[] = ['withdraw', 'c2c', 'lever', 'micro', 'savings', 'points'];
/** The breaker in front of every call that takes money out of the exchange. */
export const OUT_BREAKER = 'withdraw';

/** Calls about a person's account and security, which no API key makes (api §2.1). */
export const PERSONAL_CALLS = /^\/(?:api\/(?:user|safe|set|apikey)|walletMiddle|upi)(?:\/|$)/;
/** Calls that answer with a code instead of a type (api §1.2). */
export const CODED_CALLS = /^\/(walletMiddle|upi)\//;
/** Paths that calls of people begin with. */
export const CALL_PATHS = /^\/(api|upi|walletMiddle|dev)\//;

/** The exports that operators can download (api §2.12); the description of each names the roles that may. */
export const EXPORTS = ['journals', 'trades', 'withdrawals', 'deposits', 'users', 'audit'] as const;
