/**
 * Rate classes per user (api §1.7): sustained calls in a window, with a burst where the contract names one.
 * `RATE_SCALE` multiplies them.
 */
export const USER_RATES = {
  order: { limit: 20, burst: 40, windowMs: 1_000 },
  cancel: { limit: 40, burst: 40, windowMs: 1_000 },
  transfer: { limit: 10, burst: 10, windowMs: 60_000 },
  withdraw: { limit: 5, burst: 5, windowMs: 60_000 },
  c2c: { limit: 30, burst: 30, windowMs: 60_000 },
  read: { limit: 50, burst: 50, windowMs: 1_000 },
  /** Whole histories: exports, and the check of all accounts. */
  history: { limit: 2, burst: 10, windowMs: 1_000 },
} as const;
/** Rates per address. */
export const ADDRESS_RATES = {
  all: { limit: 100, burst: 100, windowMs: 1_000 },
  public: { limit: 20, burst: 20, windowMs: 1_000 },
  /** Trees of members, for guests (api §2.9); for signed-in callers they count as reads. */
  tree: { limit: 10, burst: 10, windowMs: 60_000 },
  /** Whole days of a public record. */
  export: { limit: 20, burst: 20, windowMs: 60_000 },
  signIn: { limit: 20, burst: 20, windowMs: 60_000 },
  signInAccount: { limit: 5, burst: 5, windowMs: 60_000 },
} as const;
export type RateClass = keyof typeof USER_RATES | 'public' | 'tree' | 'export' | 'signIn';

export const BODY_LIMIT_BYTES = 100 * 1024;
export const FIELD_LIMIT = 200;
/**
 * Limits of images (invariants §5): bytes and pixels of one, how many and how many bytes a user may send, and how many
 * the gateway reads at a time.
 */
export const UPLOAD_LIMITS = {
  bytes: 5 * 1024 * 1024,
  pixels: 25_000_000,
  perHour: 10,
  perUserBytes: 50 * 1024 * 1024,
  queue: 8,
  reading: 16,
  readingPerUser: 3,
  deadlineMs: 15_000,
} as const;
/** Lifetime that the edge gives each command (invariants §2.1). */
export const COMMAND_VALID_MS = 4_000;
/** Total deadline of a call; later the answer is 202 `pending`. */
export const CALL_DEADLINE_MS = 5_000;
/** Passwords of operators have this many characters (api §2.12). */
export const OPERATOR_PASSWORD_LENGTH = { min: 12, max: 128 } as const;
/**
 * For this long, business time, an operator's requests may not be approved by an operator whom they added or reset
 * (api §2.12).
 */
export const SECOND_PERSON_HOURS = 72;
