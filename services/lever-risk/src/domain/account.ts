import { profitsAt, type LeverAccount } from '@bourse/formulas';
import { deductUnpaidFees } from './overnight-fees.js';
import { counts, STATUS, type Position } from './position.js';

/** Mark prices in ticks, by pair. */
export type Marks = ReadonlyMap<number, bigint>;

/** Profits of a position: at the mark while it is open, as decided once it closes, 0 in every other state. */
export function profitsOf(position: Position, marks: Marks): bigint {
  if (position.status === STATUS.closing || position.status === STATUS.closed) return position.closeProfits;
  if (position.status !== STATUS.open) return 0n;
  // Right after a start there may be no price yet: the position counts at its opening price.
  return profitsAt(position.scales, position, marks.get(position.pairId) ?? position.price);
}

/**
 * Balance, margins and profits of one user and quote, as the formulas need them (rules §3), less unpaid overnight fees.
 */
export function accountOf(balance: bigint, positions: readonly Position[], marks: Marks): LeverAccount {
  let margin = 0n;
  let initialMargin = 0n;
  let profits = 0n;
  for (const position of positions) {
    if (!counts(position)) continue;
    margin += position.margin;
    initialMargin += position.initialMargin;
    profits += profitsOf(position, marks);
  }
  return { balance: deductUnpaidFees(balance, positions), margin, initialMargin, profits };
}

/**
 * The margin ratio at which the account is liquidated: the lowest one with which any of its positions was opened, so
 * that a change of the setting never worsens agreed terms (rules §15).
 */
export function liquidationRateOf(positions: readonly Position[], present: bigint): bigint {
  let lowest: bigint | null = null;
  for (const position of positions)
    if (counts(position) && (lowest === null || position.liquidationRate < lowest)) lowest = position.liquidationRate;
  return lowest ?? present;
}

/** Pairs on whose prices the margin ratio of the account depends. */
export const pairsOf = (positions: readonly Position[]): number[] => [
  ...new Set(positions.filter(({ status }) => status === STATUS.open).map(({ pairId }) => pairId)),
];
