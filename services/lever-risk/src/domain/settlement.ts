import { closing as closingBalance } from '@bourse/formulas';
import type { Marks } from './account.js';
import { byNet, valuePosition } from './cover.js';
import { payableOvernightFees } from './overnight-fees.js';
import type { Position } from './position.js';

/** The amounts that the close of one position moves, in units of the quote. */
export interface Settled {
  readonly position: Position;
  readonly mark: bigint;
  readonly profits: bigint;
  /** From `h.lever` to the owner. */
  readonly gain: bigint;
  /** From the owner's balance to `h.lever`. */
  readonly loss: bigint;
  /** From `h.lever_fund` to `h.lever`: the loss that the owner's balance and margin do not cover. */
  readonly shortfall: bigint;
  /** From the owner's balance to the fees: overnight fees that the margin did not cover. */
  readonly overnightFee: bigint;
}

/**
 * Closes positions of one user and quote in one settlement, each at its mark price (rules §3). The position with the
 * largest proceeds comes first, so that the fund pays only the loss of all of them beyond the balance, as in the cross
 * margin ratio. Unpaid overnight fees, also those of positions that stay open, come off the balance first.
 * @param accountPositions all positions of the account
 */
export function settle(
  positions: readonly Position[],
  marks: Marks,
  balance: bigint,
  accountPositions: readonly Position[] = positions,
): { readonly settled: readonly Settled[]; readonly balance: bigint } {
  const valued = positions.map((position) => {
    const one = valuePosition(position, marks);
    if (!one) throw new Error(`invariant: position ${position.id} has no price to close at`);
    return one;
  });
  valued.sort(byNet);
  const payable = payableOvernightFees(balance, accountPositions);
  let left = balance;
  for (const overnightFee of payable.values()) left -= overnightFee;
  const settled = valued.map(({ position, mark, profits }): Settled => {
    const after = closingBalance(left, position.margin, profits);
    left = after.balance;
    return {
      position,
      mark,
      profits,
      gain: profits > 0n ? profits : 0n,
      loss: profits < 0n ? -profits - after.shortfall : 0n,
      shortfall: after.shortfall,
      overnightFee: payable.get(position.id) ?? 0n,
    };
  });
  return { settled, balance: left };
}
