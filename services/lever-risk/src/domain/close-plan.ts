import type { Marks } from './account.js';
import { coverFor } from './cover.js';
import type { OvernightCharge } from './overnight-fees.js';
import { splitPosition, type SplitPosition } from './part-close.js';
import type { Position } from './position.js';

/** The positions of one account that one settlement closes, collected until their losses are covered (rules §3). */
export class ClosePlan {
  /** Overdue overnight fees by position: charged before the close. */
  readonly overnightCharges = new Map<string, readonly OvernightCharge[]>();
  /** Ids of the positions that close to cover the others. */
  readonly cover: string[] = [];
  private readonly charged = new Map<string, Position>();
  private divided: SplitPosition | null = null;

  /** @param positions all positions of the account */
  constructor(private readonly positions: readonly Position[]) {}

  /** The position of which a part closes, if one does. */
  get split(): SplitPosition | null {
    return this.divided;
  }
  /** The positions that close. */
  get closing(): readonly Position[] {
    return [...this.charged.values()].map((one) => (one.id === this.divided?.rest.id ? this.divided.part : one));
  }
  /** All positions of the account, those that close charged and divided. */
  get account(): readonly Position[] {
    return this.positions.flatMap((one) =>
      one.id === this.divided?.rest.id ? [this.divided.part, this.divided.rest] : [this.charged.get(one.id) ?? one],
    );
  }

  /** Adds a position to close, with the overnight fees that it was charged. */
  add(charged: Position, charges: readonly OvernightCharge[]): void {
    this.charged.set(charged.id, charged);
    this.overnightCharges.set(charged.id, charges);
  }

  /** Closes only so many contracts of a position that was added; all of them if it has no more. */
  divide(id: string, contracts: number, partId: string): void {
    const whole = this.charged.get(id);
    if (!whole) throw new Error(`invariant: position ${id} does not close`);
    if (contracts < whole.contracts) this.divided = splitPosition(whole, contracts, partId);
  }

  /**
   * The positions that must be charged and added too, because they cover a loss; none once all is covered. If even the
   * rest of a divided position would have to close, the position closes whole.
   * @param marks fresh prices only
   * @returns null if the cover would need a position without a fresh price
   */
  addCover(marks: Marks, balance: bigint): readonly Position[] | null {
    for (;;) {
      const more = coverFor(this.closing, this.account, marks, balance);
      const rest = this.divided?.rest.id;
      if (rest === undefined || !more?.some(({ id }) => id === rest)) {
        this.cover.push(...(more ?? []).map(({ id }) => id));
        return more;
      }
      this.divided = null;
    }
  }
}
