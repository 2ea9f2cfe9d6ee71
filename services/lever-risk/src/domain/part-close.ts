import { divide } from '@bourse/money';
import { STATUS, type Position } from './position.js';

/** A position that is divided for a part close. */
export interface SplitPosition {
  /** The contracts that close, as a position of its own. */
  readonly part: Position;
  /** The contracts that stay open, under the id of the whole. */
  readonly rest: Position;
}

/**
 * Divides an open position into a part that closes and the rest (rules §3). Each amount of the part is that of the
 * whole × contracts of the part / contracts of the whole, rounded down; the rest keeps the remainder, so that the parts
 * of any sequence of part closes sum to the whole. Fees that were paid before stay with the whole, under whose id they
 * are booked. The part keeps no client id, so that a client id still finds the whole.
 */
export function splitPosition(whole: Position, contracts: number, partId: string): SplitPosition {
  if (whole.status !== STATUS.open || contracts < 1 || contracts >= whole.contracts)
    throw new Error(`invariant: ${contracts} of ${whole.contracts} contracts of position ${whole.id} are no part`);
  const share = (amount: bigint): bigint => divide(amount * BigInt(contracts), BigInt(whole.contracts), 'down');
  const amounts = {
    lots: share(whole.lots),
    notional: share(whole.notional),
    margin: share(whole.margin),
    initialMargin: share(whole.initialMargin),
    unpaidOvernightFee: share(whole.unpaidOvernightFee),
  };
  return {
    part: {
      ...whole,
      ...amounts,
      id: partId,
      partOf: whole.id,
      revision: 0,
      contracts,
      fee: 0n,
      paidOvernightFees: 0n,
      clientId: '',
    },
    rest: {
      ...whole,
      contracts: whole.contracts - contracts,
      lots: whole.lots - amounts.lots,
      notional: whole.notional - amounts.notional,
      margin: whole.margin - amounts.margin,
      initialMargin: whole.initialMargin - amounts.initialMargin,
      unpaidOvernightFee: whole.unpaidOvernightFee - amounts.unpaidOvernightFee,
    },
  };
}
