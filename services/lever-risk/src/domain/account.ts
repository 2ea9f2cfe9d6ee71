import { profitsAt, type LeverAccount } from '@bourse/formulas';
import { withoutRests } from './night.js';
import { counts, STATUS, type Position } from './position.js';

/** Mark prices in ticks, by pair. */
export type Marks = ReadonlyMap<number, bigint>;

/** Profits of a position: at the mark while it is open, as they were decided once it closes, else none. */
export function profitsOf(position: Position, marks: Marks): bigint {
  if (position.status === STATUS.closing || position.status === STATUS.closed) return position.closeProfits;
  if (position.status !== STATUS.open) return 0n;
  // Without any price yet, right after a start, it stands where it was opened.
  return profitsAt(position.scales, position, marks.get(position.pairId) ?? position.price);
}

/**
 * All that stands for one person and quote, as the formulas need it (rules §3). A balance that owes for nights counts
 * without that.
 */
export function accountOf(balance: bigint, positions: readonly Position[], marks: Marks): LeverAccount {
  let caution = 0n;
  let originCaution = 0n;
  let profits = 0n;
  for (const position of positions) {
    if (!counts(position)) continue;
    caution += position.caution;
    originCaution += position.originCaution;
    profits += profitsOf(position, marks);
  }
  return { balance: withoutRests(balance, positions), caution, originCaution, profits };
}

/**
 * The rate at which the account is liquidated: the lowest that one of its positions was opened with, so that no change
 * of the setting worsens what was agreed (rules §15).
 */
export function burstOf(positions: readonly Position[], present: bigint): bigint {
  let lowest: bigint | null = null;
  for (const position of positions)
    if (counts(position) && (lowest === null || position.burst < lowest)) lowest = position.burst;
  return lowest ?? present;
}

/** Pairs whose prices the account's risk depends on. */
export const pairsOf = (positions: readonly Position[]): number[] => [
  ...new Set(positions.filter(({ status }) => status === STATUS.open).map(({ pairId }) => pairId)),
];
