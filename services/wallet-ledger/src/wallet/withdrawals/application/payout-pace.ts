/** Intervals and limits of the sender. Real time, ms. */
export const PAYOUT_PACE = {
  roundMs: 1_000,
  /** The fee is raised if a payment is in no block after this time. */
  raiseFeeAfterMs: 10 * 60_000,
  /** Signatures of one payment, the first included; then it waits. */
  signaturesMax: 8,
  /** Payments of a kind processed in one round. */
  openMax: 500,
} as const;
