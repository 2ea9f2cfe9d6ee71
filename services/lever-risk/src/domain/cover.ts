import { profitsAt } from '@bourse/formulas';
import type { Marks } from './account.js';
import { withoutRests } from './night.js';
import { STATUS, type Position } from './position.js';

/** A position with what its close adds to the account. */
interface Judged {
  readonly position: Position;
  readonly profits: bigint;
  /** Margin and profits together. */
  readonly net: bigint;
}

function judged(position: Position, marks: Marks): Judged | null {
  const mark = marks.get(position.pairId);
  if (mark === undefined) return null;
  const profits = profitsAt(position.scales, position, mark);
  return { position, profits, net: position.caution + profits };
}

const descending = (one: bigint, other: bigint): number => (one > other ? -1 : one < other ? 1 : 0);
const byId = (one: Position, other: Position): number => (one.id < other.id ? -1 : 1);

/**
 * The other open positions of the account that must close in the same settlement, because what `closing` loses exceeds
 * the balance and its own margins (rules §3): the house fund pays only when nothing else of that person and quote
 * stays open. The largest profit comes first, and no more are named than cover the loss; all others where even all do
 * not cover it; none where there is nothing to cover. Null: positions whose price is not fresh would be needed.
 *
 * @param standing all positions of the account, those that close among them
 * @param marks fresh prices alone
 */
export function coverFor(
  closing: readonly Position[],
  standing: readonly Position[],
  marks: Marks,
  balance: bigint,
): readonly Position[] | null {
  const closes = new Set(closing.map(({ id }) => id));
  const others = standing.filter(({ id, status }) => status === STATUS.open && !closes.has(id));
  let left = withoutRests(balance, standing);
  for (const position of closing) {
    const one = judged(position, marks);
    if (!one) throw new Error(`invariant: position ${position.id} is closed without a price`);
    left += one.net;
  }
  if (left >= 0n || others.length === 0) return [];
  const fresh = others.flatMap((position) => judged(position, marks) ?? []);
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

/** All but the position that adds least to the account; each must have a price. */
export function withoutWorst(positions: readonly Position[], marks: Marks): readonly Position[] {
  const sorted = positions.flatMap((position) => judged(position, marks) ?? []);
  sorted.sort((a, b) => descending(a.net, b.net) || byId(a.position, b.position));
  return sorted.slice(0, -1).map(({ position }) => position);
}
