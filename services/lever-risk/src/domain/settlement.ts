import { closing as closingBalance, profitsAt } from '@bourse/formulas';
import type { Marks } from './account.js';
import { nightRests } from './night.js';
import type { Position } from './position.js';

/** What the close of one position moves, in units of the quote. */
export interface Settled {
  readonly position: Position;
  readonly mark: bigint;
  readonly profits: bigint;
  /** Out of `h.lever` to its owner. */
  readonly gain: bigint;
  /** Out of the owner's balance to `h.lever`. */
  readonly loss: bigint;
  /** Out of `h.lever_fund` to `h.lever`: what the owner's balance and margin do not cover. */
  readonly shortfall: bigint;
  /** Out of the owner's balance to the fees: what its margin did not cover of night fees. */
  readonly rest: bigint;
}

/**
 * Closes positions of one person and quote together, each at its mark price (rules §3). What brings the most comes
 * first: the fund pays only what all of them together lose beyond the balance, as the cross rate counts. What the
 * account owes for nights, those of positions that stay open too, was owed before: it comes off the balance first.
 * `standing` are all positions of the account.
 */
export function settle(
  positions: readonly Position[],
  marks: Marks,
  balance: bigint,
  standing: readonly Position[] = positions,
): { readonly settled: readonly Settled[]; readonly balance: bigint } {
  const judged = positions.map((position) => {
    const mark = marks.get(position.pairId);
    if (mark === undefined) throw new Error(`invariant: position ${position.id} is closed without a price`);
    const profits = profitsAt(position.scales, position, mark);
    return { position, mark, profits, net: position.caution + profits };
  });
  judged.sort((a, b) => (a.net > b.net ? -1 : a.net < b.net ? 1 : a.position.id < b.position.id ? -1 : 1));
  const rests = nightRests(balance, standing);
  let left = balance;
  for (const rest of rests.values()) left -= rest;
  const settled = judged.map(({ position, mark, profits }): Settled => {
    const after = closingBalance(left, position.caution, profits);
    left = after.balance;
    return {
      position,
      mark,
      profits,
      gain: profits > 0n ? profits : 0n,
      loss: profits < 0n ? -profits - after.shortfall : 0n,
      shortfall: after.shortfall,
      rest: rests.get(position.id) ?? 0n,
    };
  });
  return { settled, balance: left };
}
