import { overnightFee, payOvernight } from '@bourse/formulas';
import { withOvernightFee, STATUS, type Position } from './position.js';

export const DAY_MS = 86_400_000;

/** The first 00:00 UTC after a moment. */
export const nextMidnight = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;

/** The fee of one 00:00 UTC: its date, and the part that the margin pays. */
export interface OvernightCharge {
  readonly day: string;
  readonly fromMargin: bigint;
}

/**
 * Charges an open position the fee of one 00:00 UTC (rules §3). The margin pays first; the balance owes the remainder.
 */
export function chargeOvernightFee(
  position: Position,
  dueAt: number,
): { readonly position: Position; readonly charge: OvernightCharge } {
  const fee = overnightFee(position.scales, position, position.overnight);
  const { fromMargin } = payOvernight(fee, position.margin, 0n);
  return {
    position: withOvernightFee(position, dueAt, fromMargin, fee - fromMargin),
    charge: { day: new Date(dueAt).toISOString().slice(0, 10), fromMargin },
  };
}

/**
 * Charges every 00:00 UTC up to `at` whose timer has not fired yet.
 * @param dueAt the midnight that the timer waits for; null: none
 */
export function chargeOverdueFees(
  position: Position,
  dueAt: number | null,
  at: number,
): { readonly position: Position; readonly overnightCharges: readonly OvernightCharge[] } {
  const overnightCharges: OvernightCharge[] = [];
  let after = position;
  for (let due = dueAt ?? Number.POSITIVE_INFINITY; due <= at; due += DAY_MS) {
    const one = chargeOvernightFee(after, due);
    after = one.position;
    overnightCharges.push(one.charge);
  }
  return { position: after, overnightCharges };
}

/**
 * The unpaid overnight fees that the balance can pay, by position; the balance stops at 0 (rules §3). This money is
 * owed from midnight on and is not available for anything else.
 */
export function payableOvernightFees(balance: bigint, positions: readonly Position[]): ReadonlyMap<string, bigint> {
  const payable = new Map<string, bigint>();
  let left = balance > 0n ? balance : 0n;
  for (const { id, status, unpaidOvernightFee } of positions) {
    if (status !== STATUS.open || unpaidOvernightFee === 0n) continue;
    const paid = unpaidOvernightFee < left ? unpaidOvernightFee : left;
    left -= paid;
    payable.set(id, paid);
  }
  return payable;
}

/** A balance less the overnight fees that it owes. Called for every account on every tick: it allocates nothing. */
export function deductUnpaidFees(balance: bigint, positions: readonly Position[]): bigint {
  let owed = 0n;
  for (const { status, unpaidOvernightFee } of positions) if (status === STATUS.open) owed += unpaidOvernightFee;
  if (owed === 0n || balance <= 0n) return balance;
  return owed < balance ? balance - owed : 0n;
}
