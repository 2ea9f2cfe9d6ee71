/** How payments are looked after. Real time, ms. */
export const PAYOUT_PACE = {
  roundMs: 1_000,
  /** A payment that is still not in a block offers a higher fee. */
  raiseFeeAfterMs: 10 * 60_000,
  /** Signatures of one payment, the first included: then it waits. */
  signaturesMax: 8,
  /** Payments looked at in one round. */
  openMax: 500,
} as const;
