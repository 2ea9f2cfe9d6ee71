/** Scale of points, and of the prices that they are exchanged by. */
export const POINTS_SCALE = 8;
/** A day of the business clock (UTC), counted from 1970-01-01. */
export const DAY_MS = 86_400_000;
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/**
 * Points of one person, units of POINTS_SCALE. Points credited on `freshDay` cannot be exchanged until that day is over
 * (rules §10).
 */
export interface PointsAccount {
  readonly userId: number;
  /** All points, without those of an exchange that waits for the ledger. */
  readonly total: bigint;
  readonly fresh: bigint;
  /** Day of the last credit that was not free at once. */
  readonly freshDay: number;
}
export const emptyAccount = (userId: number): PointsAccount => ({ userId, total: 0n, fresh: 0n, freshDay: 0 });

/** Points that may be exchanged on a day: those that were credited before it began. */
export const freePoints = ({ total, fresh, freshDay }: PointsAccount, day: number): bigint =>
  freshDay >= day ? total - fresh : total;

/**
 * Points come in on a day; `free` of them may be exchanged at once. A credit that comes late, for a day before the last
 * one, makes nothing wait again.
 */
export function credited(account: PointsAccount, points: bigint, free: bigint, day: number): PointsAccount {
  if (points < 0n || free < 0n || free > points) throw new RangeError(`${free} of ${points} points cannot be free`);
  const total = account.total + points;
  const waiting = points - free;
  if (waiting === 0n || day < account.freshDay) return { ...account, total };
  const before = account.freshDay === day ? account.fresh : 0n;
  return { ...account, total, fresh: before + waiting, freshDay: day };
}

/** Takes points for an exchange; null: fewer are free on that day. */
export function taken(account: PointsAccount, points: bigint, day: number): PointsAccount | null {
  if (points <= 0n) throw new RangeError(`${points} points cannot be exchanged`);
  if (points > freePoints(account, day)) return null;
  const fresh = account.freshDay >= day ? account.fresh : 0n;
  return { ...account, total: account.total - points, fresh };
}

/** Reverses `taken`: the ledger has refused the exchange. */
export const givenBack = (account: PointsAccount, points: bigint): PointsAccount => ({
  ...account,
  total: account.total + points,
});
