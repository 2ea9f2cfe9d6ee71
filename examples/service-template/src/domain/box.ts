/**
 * A box: an amount that its owner has put aside for a while. `waiting`: the ledger has not decided yet, and the box is
 * not shown. `open`: the amount is held. `closed`: it was released.
 */
export interface Box {
  readonly id: string;
  readonly userId: number;
  readonly currency: number;
  /** Decimal text. */
  readonly amount: string;
  readonly state: 'waiting' | 'open' | 'closed';
  /** When it closes by itself, ms; null while it waits. */
  readonly closesAt: number | null;
}

/** Name of the ledger's hold of a box; derived ids have a name space of their own. */
export const HOLD_PREFIX = 'box';
export const holdOf = (id: string): string => `${HOLD_PREFIX}:${id}`;

/** When a box closes that the ledger has accepted at `acceptedAt`, ms. */
export const closingTime = (acceptedAt: number, seconds: number): number => acceptedAt + seconds * 1_000;

/** Whether a box may be closed now. */
export const isDue = ({ state, closesAt }: Pick<Box, 'state' | 'closesAt'>, now: number): boolean =>
  state === 'open' && closesAt !== null && closesAt <= now;
