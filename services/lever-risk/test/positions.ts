import type { Direction } from '@bourse/formulas';
import { STATUS, type Position } from '../src/domain/position.js';

const SCALES = { priceScale: 2, numberScale: 6, quoteScale: 8 };

/** A position for tests: 0.01 of the base at 60,000 with a leverage of 20, changed by what is given. */
export function positionWith(given: Partial<Position> & { readonly direction?: Direction } = {}): Position {
  const price = given.price ?? 6_000_000n;
  const lots = given.lots ?? 10_000n;
  const notional = price * lots;
  const margin = given.margin ?? notional / 20n;
  return {
    id: '1',
    userId: 1,
    partOf: null,
    pairId: 1,
    quote: 3,
    scales: SCALES,
    direction: 'long',
    status: STATUS.open,
    revision: 0,
    contracts: 1,
    leverage: 20,
    originPrice: price,
    initialMargin: margin,
    fee: 0n,
    overnight: 0n,
    liquidationRate: 110_000_000n,
    paidOvernightFees: 0n,
    unpaidOvernightFee: 0n,
    target: 0n,
    stop: 0n,
    closedBy: 0,
    closePrice: 0n,
    closeProfits: 0n,
    closeShortfall: 0n,
    settlement: null,
    settlingHold: 0n,
    clientId: '',
    createdAt: 0,
    changedAt: 0,
    openedAt: 0,
    handledAt: null,
    ...given,
    price,
    lots,
    notional,
    margin,
  };
}
