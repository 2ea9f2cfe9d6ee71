import type { Direction, LeverScales } from '@bourse/formulas';

/**
 * States of a position (rules §3). `waiting`: the ledger has not decided yet, and nobody sees it. The others bear the
 * numbers of the contract.
 */
export const STATUS = { waiting: -1, pending: 0, open: 1, closing: 2, closed: 3, revoked: 4 } as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];
/** Names of the contract's states, by their numbers. */
export const STATUS_NAMES = ['pending', 'open', 'closing', 'closed', 'revoked'] as const;

/** Why a position was closed (api §2.5); 0: it was not; `cover`: its profit covers the loss of another. */
export const CLOSED_BY = { nobody: 0, user: 1, burst: 2, target: 3, stop: 4, operator: 5, cover: 6 } as const;
export type ClosedBy = (typeof CLOSED_BY)[keyof typeof CLOSED_BY];

/** A leveraged position, or an order for one. Prices are ticks, numbers lots, money units of the quote. */
export interface Position {
  readonly id: string;
  readonly userId: number;
  readonly pairId: number;
  /** Currency that it is paid in: risk is judged per person and quote. */
  readonly quote: number;
  readonly scales: LeverScales;
  readonly direction: Direction;
  readonly status: Status;
  /** Counts its changes: what has read it changes that and nothing newer. */
  readonly revision: number;
  readonly share: number;
  readonly multiple: number;
  readonly lots: bigint;
  /** Price without the spread; where a touch order opens. */
  readonly originPrice: bigint;
  readonly price: bigint;
  /** Price × number: what it adds to the open notional. */
  readonly notional: bigint;
  readonly caution: bigint;
  readonly originCaution: bigint;
  readonly fee: bigint;
  /** Rates it was opened with, percent at PERCENT_SCALE. */
  readonly overnight: bigint;
  readonly burst: bigint;
  /** Night fees paid so far, and what of the last ones its margin did not cover. */
  readonly nightPaid: bigint;
  readonly nightRest: bigint;
  /** 0: none. */
  readonly target: bigint;
  readonly stop: bigint;
  readonly closedBy: ClosedBy;
  /** Mark price and profits at its close; 0 before. */
  readonly closePrice: bigint;
  readonly closeProfits: bigint;
  /** What of its loss the fund of the house bears. */
  readonly closeShortfall: bigint;
  /** The settlement that closes it, with others of its owner. */
  readonly settlement: string | null;
  /** What the ledger holds for it until that settlement is booked; 0 in every other state. */
  readonly settlingHold: bigint;
  readonly clientId: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly openedAt: number | null;
  readonly handledAt: number | null;
}

const EDGES: ReadonlySet<string> = new Set(['-1>0', '-1>1', '0>1', '0>4', '1>2', '2>3']);
/** Whether a state may follow on another (invariants I8). */
export const mayFollow = (from: Status, to: Status): boolean => EDGES.has(`${from}>${to}`);

function moved(position: Position, status: Status, at: number, changes: Partial<Position>): Position {
  if (!mayFollow(position.status, status))
    throw new Error(`invariant: position ${position.id} does not go from ${position.status} to ${status}`);
  return { ...position, ...changes, status, changedAt: at };
}

/** The ledger holds the margin and fee of a touch order. */
export const pending = (position: Position, at: number): Position => moved(position, STATUS.pending, at, {});

/** It opens: the ledger holds its margin, or the market has touched its price. Terms are those of this moment. */
export const opened = (position: Position, at: number, terms: Pick<Position, 'overnight' | 'burst'>): Position =>
  moved(position, STATUS.open, at, { ...terms, openedAt: at });

/** Its owner takes a touch order back. */
export const revoked = (position: Position, at: number): Position =>
  moved(position, STATUS.revoked, at, { handledAt: at });

/** What a close is decided with. */
export interface Close {
  readonly by: ClosedBy;
  readonly mark: bigint;
  readonly profits: bigint;
  readonly shortfall: bigint;
  /** What the balance pays of its night fees at the close; what is left of them is let go (rules §3). */
  readonly rest: bigint;
  readonly settlement: string;
  /** What its margin pays for nights in the same settlement: held like the margin until that is booked. */
  readonly nights: bigint;
}
/** Its close is decided: price and profits stand, the money is not booked yet. */
export const closing = (
  position: Position,
  at: number,
  { by, mark, profits, shortfall, rest, settlement, nights }: Close,
): Position =>
  moved(position, STATUS.closing, at, {
    closedBy: by,
    closePrice: mark,
    closeProfits: profits,
    closeShortfall: shortfall,
    nightPaid: position.nightPaid + rest,
    nightRest: 0n,
    settlement,
    settlingHold: position.caution + nights,
    handledAt: at,
  });

/** The money of its close is booked. */
export const closed = (position: Position): Position =>
  moved(position, STATUS.closed, position.handledAt ?? position.changedAt, { settlingHold: 0n });

/** How a closed position came out, as `/api/status` counts it. */
export function outcomeOf({ closedBy, closeProfits }: Position): 'liquidated' | 'won' | 'lost' {
  if (closedBy === CLOSED_BY.burst) return 'liquidated';
  return closeProfits > 0n ? 'won' : 'lost';
}

/** A night fee: what the margin pays, and what is left for the balance. */
export function charged(position: Position, at: number, ofCaution: bigint, rest: bigint): Position {
  if (position.status !== STATUS.open) throw new Error(`invariant: position ${position.id} is not open at night`);
  if (ofCaution > position.caution) throw new Error(`invariant: the margin of ${position.id} does not cover that`);
  return {
    ...position,
    caution: position.caution - ofCaution,
    nightPaid: position.nightPaid + ofCaution,
    nightRest: position.nightRest + rest,
    changedAt: at,
  };
}

/** What the balance has paid of a night fee; the rest of it is let go (rules §3). */
export const paidRest = (position: Position, at: number, paid: bigint): Position => ({
  ...position,
  nightPaid: position.nightPaid + paid,
  nightRest: 0n,
  changedAt: at,
});

/** Its target and stop; 0 is none. */
export function withStops(position: Position, at: number, target: bigint, stop: bigint): Position {
  if (position.status !== STATUS.open) throw new Error(`invariant: position ${position.id} has no stops to set`);
  return { ...position, target, stop, changedAt: at };
}

/** Whether margin and profits count for the account: open, or closing and not booked yet (rules §3). */
export const counts = ({ status }: Pick<Position, 'status'>): boolean =>
  status === STATUS.open || status === STATUS.closing;

/** Name of the ledger's hold of a position; derived ids have a name space of their own. */
export const HOLD_PREFIX = 'lever';
export const holdOf = (id: string): string => `${HOLD_PREFIX}:${id}`;

/** What the ledger holds for a position: its margin lies there until its close is booked. */
export function neededHold({
  status,
  caution,
  fee,
  settlingHold,
}: Pick<Position, 'status' | 'caution' | 'fee' | 'settlingHold'>): bigint {
  if (status === STATUS.pending) return caution + fee;
  if (status === STATUS.open) return caution;
  return status === STATUS.closing ? settlingHold : 0n;
}
