import { profitsAt } from '@bourse/formulas';
import type { Marks } from './account.js';
import { deductUnpaidFees } from './overnight-fees.js';
import { STATUS, type Position } from './position.js';

/** A position and the amount that its close adds to the account. */
interface ValuedPosition {
  readonly position: Position;
  readonly mark: bigint;
  readonly profits: bigint;
  /** Margin and profits together. */
  readonly net: bigint;
}

/** Null if the pair of the position has no price. */
export function valuePosition(position: Position, marks: Marks): ValuedPosition | null {
  const mark = marks.get(position.pairId);
  if (mark === undefined) return null;
  const profits = profitsAt(position.scales, position, mark);
  return { position, mark, profits, net: position.margin + profits };
}

const descending = (one: bigint, other: bigint): number => (one > other ? -1 : one < other ? 1 : 0);
const byId = (one: Position, other: Position): number => (one.id < other.id ? -1 : 1);
/** Orders positions by what they add to the account, the largest amount first. */
export const byNet = (one: ValuedPosition, other: ValuedPosition): number =>
  descending(one.net, other.net) || byId(one.position, other.position);

/**
 * The other open positions of the account that must close in the same settlement, because the loss of `closing` exceeds
 * the balance and the margins of `closing` (rules §3). The house fund pays only if no other position of that user and
 * quote stays open. The largest profit comes first, and the list ends as soon as the loss is covered. It has all other
 * positions if even all do not cover the loss, and none if there is no loss to cover.
 *
 * @param accountPositions all positions of the account, `closing` included
 * @param marks fresh prices only
 * @returns null if the cover would need a position without a fresh price
 */
export function coverFor(
  closing: readonly Position[],
  accountPositions: readonly Position[],
  marks: Marks,
  balance: bigint,
): readonly Position[] | null {
  const closes = new Set(closing.map(({ id }) => id));
  const others = accountPositions.filter(({ id, status }) => status === STATUS.open && !closes.has(id));
  let left = deductUnpaidFees(balance, accountPositions);
  for (const position of closing) {
    const one = valuePosition(position, marks);
    if (!one) throw new Error(`invariant: position ${position.id} has no price to close at`);
    left += one.net;
  }
  if (left >= 0n || others.length === 0) return [];
  const fresh = others.flatMap((position) => valuePosition(position, marks) ?? []);
  fresh.sort((a, b) => descending(a.profits, b.profits) || byId(a.position, b.position));
  const cover: Position[] = [];
  for (const { position, net } of fresh) {
    if (net <= 0n) continue;
    cover.push(position);
    left += net;
    if (left >= 0n) return cover;
  }
  return fresh.length < others.length ? null : fresh.map(({ position }) => position);
}

/** All positions except the one that adds least to the account. Each must have a price. */
export function withoutWorst(positions: readonly Position[], marks: Marks): readonly Position[] {
  const valued = positions.flatMap((position) => valuePosition(position, marks) ?? []);
  return valued
    .toSorted(byNet)
    .slice(0, -1)
    .map(({ position }) => position);
}
