import { toUnits } from '@bourse/money';

/** Scale of values in US dollars. */
export const USD_SCALE = 8;

/** Settings of withdrawals as a fresh install has them (rules §15); values in US dollars at USD_SCALE. */
export const WITHDRAWAL_SETTINGS = {
  /** Up to here a withdrawal is sent without review. */
  auto: toUnits('1000', USD_SCALE),
  /** From here on two different operators must approve. */
  twoPerson: toUnits('10000', USD_SCALE),
  /** What one person may withdraw on one day (UTC). */
  day: toUnits('100000', USD_SCALE),
  /**
   * A bound address may be used this long after binding; and this long after the last one was removed only bound ones
   * may be. Business time, ms.
   */
  addressWaitMs: 24 * 3_600_000,
  /** Fee rates of networks have at most these decimals. */
  rateScale: 4,
} as const;

/** How payments are looked after. Real time, ms. */
export const PAYOUT_SETTINGS = {
  roundMs: 1_000,
  /** A payment that is still not in a block offers a higher fee. */
  raiseFeeAfterMs: 10 * 60_000,
  /** Signatures of one payment, the first included: then it waits. */
  signaturesMax: 8,
  /** Payments looked at in one round. */
  openMax: 500,
} as const;
