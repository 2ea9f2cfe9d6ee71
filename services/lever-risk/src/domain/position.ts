import type { Direction, LeverScales } from '@bourse/formulas';

/**
 * States of a position (rules §3), with the numbers of the contract. `waiting`, which the contract does not have: the
 * ledger has not decided yet, and no answer shows the position.
 */
export const STATUS = { waiting: -1, pending: 0, open: 1, closing: 2, closed: 3, revoked: 4 } as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];
/** Names of the states by number, as in the contract. */
export const STATUS_NAMES = ['pending', 'open', 'closing', 'closed', 'revoked'] as const;

/** Why a position was closed (api §2.5). 0: it was not; `cover`: its profit covers the loss of another position. */
export const CLOSED_BY = { none: 0, user: 1, liquidation: 2, target: 3, stop: 4, operator: 5, cover: 6 } as const;
export type ClosedBy = (typeof CLOSED_BY)[keyof typeof CLOSED_BY];

/** A leveraged position or a trigger order. Prices are ticks, numbers lots, money units of the quote. */
export interface Position {
  readonly id: string;
  readonly userId: number;
  /** The position that a part close took it from; null: it was opened as it is. */
  readonly partOf: string | null;
  readonly pairId: number;
  /** Quote currency: margin is cross per user and quote. */
  readonly quote: number;
  readonly scales: LeverScales;
  readonly direction: Direction;
  readonly status: Status;
  /** Incremented by each change, so that an update on stale data fails. */
  readonly revision: number;
  readonly contracts: number;
  readonly leverage: number;
  readonly lots: bigint;
  /** Price without the spread; of a trigger order the trigger price. */
  readonly originPrice: bigint;
  readonly price: bigint;
  /** Price × number: its part of the open notional. */
  readonly notional: bigint;
  readonly margin: bigint;
  readonly initialMargin: bigint;
  readonly fee: bigint;
  /** Rates at opening, percent at PERCENT_SCALE. */
  readonly overnight: bigint;
  readonly liquidationRate: bigint;
  /** Overnight fees paid so far, and the part of the last ones that the margin did not cover. */
  readonly paidOvernightFees: bigint;
  readonly unpaidOvernightFee: bigint;
  /** 0: none. */
  readonly target: bigint;
  readonly stop: bigint;
  readonly closedBy: ClosedBy;
  /** Mark price and profits at the close; 0 before. */
  readonly closePrice: bigint;
  readonly closeProfits: bigint;
  /** The part of the loss that the house fund pays. */
  readonly closeShortfall: bigint;
  /** The settlement that closes it, alone or with other positions of its owner. */
  readonly settlement: string | null;
  /** The hold in the ledger until that settlement is booked; 0 in every other state. */
  readonly settlingHold: bigint;
  readonly clientId: string;
  readonly createdAt: number;
  readonly changedAt: number;
  readonly openedAt: number | null;
  readonly handledAt: number | null;
}

const EDGES: ReadonlySet<string> = new Set(['-1>0', '-1>1', '0>1', '0>4', '1>2', '2>3']);
/** Whether the transition is legal (invariants I8). */
export const mayFollow = (from: Status, to: Status): boolean => EDGES.has(`${from}>${to}`);

function transition(position: Position, status: Status, at: number, changes: Partial<Position>): Position {
  if (!mayFollow(position.status, status))
    throw new Error(`invariant: position ${position.id} does not go from ${position.status} to ${status}`);
  return { ...position, ...changes, status, changedAt: at };
}

/** Accepts a trigger order (0): the ledger holds its margin and fee. */
export const pending = (position: Position, at: number): Position => transition(position, STATUS.pending, at, {});

/** Opens a position (1): the ledger holds its margin, or the market has reached its trigger price. */
export const opened = (
  position: Position,
  at: number,
  terms: Pick<Position, 'overnight' | 'liquidationRate'>,
): Position => transition(position, STATUS.open, at, { ...terms, openedAt: at });

/** Cancels a trigger order (4). */
export const revoked = (position: Position, at: number): Position =>
  transition(position, STATUS.revoked, at, { handledAt: at });

/** The terms of a close. */
export interface Close {
  readonly by: ClosedBy;
  readonly mark: bigint;
  readonly profits: bigint;
  readonly shortfall: bigint;
  /** Unpaid overnight fees that the balance pays at the close; the remainder is waived (rules §3). */
  readonly overnightFee: bigint;
  readonly settlement: string;
  /** Overnight fees that its margin pays in the same settlement: held like the margin until that is booked. */
  readonly overnightFromMargin: bigint;
}
/** Closes a position (2): price and profits are final, the money is not booked yet. */
export const closing = (
  position: Position,
  at: number,
  { by, mark, profits, shortfall, overnightFee, settlement, overnightFromMargin }: Close,
): Position =>
  transition(position, STATUS.closing, at, {
    closedBy: by,
    closePrice: mark,
    closeProfits: profits,
    closeShortfall: shortfall,
    paidOvernightFees: position.paidOvernightFees + overnightFee,
    unpaidOvernightFee: 0n,
    settlement,
    settlingHold: position.margin + overnightFromMargin,
    handledAt: at,
  });

/** Ends a position (3): the money of its close is booked. */
export const closed = (position: Position): Position =>
  transition(position, STATUS.closed, position.handledAt ?? position.changedAt, { settlingHold: 0n });

/** The outcome of a closed position, as `/api/status` counts it. */
export function outcomeOf({ closedBy, closeProfits }: Position): 'liquidated' | 'won' | 'lost' {
  if (closedBy === CLOSED_BY.liquidation) return 'liquidated';
  return closeProfits > 0n ? 'won' : 'lost';
}

/** Charges an overnight fee: the margin pays one part, the balance owes the other. */
export function withOvernightFee(position: Position, at: number, fromMargin: bigint, unpaid: bigint): Position {
  if (position.status !== STATUS.open) throw new Error(`invariant: position ${position.id} is not open at midnight`);
  if (fromMargin > position.margin) throw new Error(`invariant: the margin of ${position.id} does not cover that`);
  return {
    ...position,
    margin: position.margin - fromMargin,
    paidOvernightFees: position.paidOvernightFees + fromMargin,
    unpaidOvernightFee: position.unpaidOvernightFee + unpaid,
    changedAt: at,
  };
}

/** Settles the unpaid overnight fees: the balance has paid `paid` of them, the remainder is waived (rules §3). */
export const withUnpaidFeeSettled = (position: Position, at: number, paid: bigint): Position => ({
  ...position,
  paidOvernightFees: position.paidOvernightFees + paid,
  unpaidOvernightFee: 0n,
  changedAt: at,
});

/** Sets target and stop; 0 is none. */
export function withStops(position: Position, at: number, target: bigint, stop: bigint): Position {
  if (position.status !== STATUS.open) throw new Error(`invariant: position ${position.id} has no stops to set`);
  return { ...position, target, stop, changedAt: at };
}

/** Whether margin and profits count for the account: open, or closing and not booked yet (rules §3). */
export const counts = ({ status }: Pick<Position, 'status'>): boolean =>
  status === STATUS.open || status === STATUS.closing;

/** Name of a position's hold in the ledger; derived ids have a name space of their own. */
export const HOLD_PREFIX = 'lever';
export const holdOf = (id: string): string => `${HOLD_PREFIX}:${id}`;
/** The position under whose id margin is held and overnight fees are booked: for a part of a position the whole. */
export const wholeOf = ({ id, partOf }: Pick<Position, 'id' | 'partOf'>): string => partOf ?? id;

/** The hold that a position needs in the ledger: its margin stays there until its close is booked. */
export function neededHold({
  status,
  margin,
  fee,
  settlingHold,
}: Pick<Position, 'status' | 'margin' | 'fee' | 'settlingHold'>): bigint {
  if (status === STATUS.pending) return margin + fee;
  if (status === STATUS.open) return margin;
  return status === STATUS.closing ? settlingHold : 0n;
}
