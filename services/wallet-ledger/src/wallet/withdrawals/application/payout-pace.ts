/** Intervals and limits of the sender. Real time, ms. */
export const PAYOUT_PACE = {
  roundMs: 1_000,
  /** Payments of a kind processed in one round. */
  openMax: 500,
} as const;
