import { carriedOf, type NetworkScales } from '@bourse/formulas';
import { divide, pow10, rescale, type Units } from '@bourse/money';

/**
 * States of a withdrawal (rules §8.4): `review` waits for operators, `sending` is paid out on the chain, the others are
 * final.
 */
export type WithdrawalState = 'review' | 'sending' | 'done' | 'failed' | 'cancelled';
export type WithdrawalEvent = 'approved' | 'cancelled' | 'rejected' | 'held' | 'unpayable' | 'paid' | 'lost';

const MOVES: Readonly<Record<WithdrawalEvent, { readonly from: WithdrawalState; readonly to: WithdrawalState }>> = {
  approved: { from: 'review', to: 'sending' },
  cancelled: { from: 'review', to: 'cancelled' },
  rejected: { from: 'review', to: 'cancelled' },
  // Before anything was signed the person was frozen, or the chain refused it: the withdrawal returns to review.
  held: { from: 'sending', to: 'review' },
  // No payment can carry so little: it ends before anything was signed.
  unpayable: { from: 'sending', to: 'cancelled' },
  paid: { from: 'sending', to: 'done' },
  // Only payments that the chain can no longer carry out: money under way is never refunded.
  lost: { from: 'sending', to: 'failed' },
};

/** Starting and final state of an event; every other starting state refuses it. */
export const moveOf = (event: WithdrawalEvent): { readonly from: WithdrawalState; readonly to: WithdrawalState } =>
  MOVES[event];

/** 1 submitted, 2 done, 3 failed or cancelled and refunded. */
export function statusOf(state: WithdrawalState): 1 | 2 | 3 {
  switch (state) {
    case 'review':
    case 'sending':
      return 1;
    case 'done':
      return 2;
    case 'failed':
    case 'cancelled':
      return 3;
  }
}

export { chargeOf, type Charge } from '@bourse/formulas';

export interface Payable {
  /** Smallest units of the chain. */ readonly onChain: bigint;
  /** Units that the ledger counts as gone, and the remainder too fine for the chain; units of the ledger. */
  readonly gone: Units;
  readonly dust: Units;
}

/** The amount to send on a chain of `chainScale` decimals: rounded down, the remainder stays with the house. */
export function payableOf(received: Units, ledgerScale: number, chainScale: number): Payable {
  const onChain = rescale(received, ledgerScale, chainScale, 'down');
  const gone = carriedOf(received, { scale: ledgerScale, networkScale: chainScale });
  return { onChain, gone, dust: (received - gone) as Units };
}

/**
 * The smallest number of which at least `onChain` smallest units of the chain are left after the fee of `rate` percent;
 * the rates of networks are below 100.
 */
export function leastNumberOf(
  onChain: bigint,
  rate: Units,
  rateScale: number,
  { scale, networkScale }: NetworkScales,
): Units {
  const whole = 100n * pow10(rateScale);
  return divide(rescale(onChain as Units, networkScale, scale, 'up') * whole, whole - rate, 'up') as Units;
}

/** Value of an amount at a price, at the price's scale, rounded up, so that rounding never bypasses a limit. */
export const valueOf = (number: Units, scale: number, price: bigint): bigint =>
  divide(number * price, 10n ** BigInt(scale), 'up');

/** Number of different operators that must approve a withdrawal of this value before it is sent (rules §8.4). */
export function approvalsFor(
  value: bigint,
  { auto, twoPerson }: { readonly auto: bigint; readonly twoPerson: bigint },
): 0 | 1 | 2 {
  if (value <= auto) return 0;
  return value < twoPerson ? 1 : 2;
}
