import { overnightFee, payOvernight } from '@bourse/formulas';
import { charged, STATUS, type Position } from './position.js';

const DAY_MS = 86_400_000;

/** The first 00:00 UTC after a moment. */
export const nextNight = (at: number): number => (Math.floor(at / DAY_MS) + 1) * DAY_MS;

/** One 00:00 UTC of a position: its date, and what the margin paid of the fee. */
export interface Night {
  readonly day: string;
  readonly ofCaution: bigint;
}

/**
 * Charges an open position the fee of one 00:00 UTC (rules §3): out of its margin, and what that does not cover is owed
 * by the balance.
 */
export function chargeNight(position: Position, dueAt: number): { readonly position: Position; readonly night: Night } {
  const fee = overnightFee(position.scales, position, position.overnight);
  const { ofCaution } = payOvernight(fee, position.caution, 0n);
  return {
    position: charged(position, dueAt, ofCaution, fee - ofCaution),
    night: { day: new Date(dueAt).toISOString().slice(0, 10), ofCaution },
  };
}

/**
 * Charges every 00:00 UTC that has come by `at` and was not charged, because the timer of it has not fired yet; `dueAt`
 * is the one that it waits for, null for none.
 */
export function chargeNights(
  position: Position,
  dueAt: number | null,
  at: number,
): { readonly position: Position; readonly nights: readonly Night[] } {
  const nights: Night[] = [];
  let after = position;
  for (let due = dueAt ?? Number.POSITIVE_INFINITY; due <= at; due += DAY_MS) {
    const one = chargeNight(after, due);
    after = one.position;
    nights.push(one.night);
  }
  return { position: after, nights };
}

/**
 * What the balance pays of night fees that margins did not cover, by position, stopping at 0 (rules §3). It is owed
 * from the night on: until it is booked, nothing else can be done with it.
 */
export function nightRests(balance: bigint, positions: readonly Position[]): ReadonlyMap<string, bigint> {
  const rests = new Map<string, bigint>();
  let left = balance > 0n ? balance : 0n;
  for (const { id, status, nightRest } of positions) {
    if (status !== STATUS.open || nightRest === 0n) continue;
    const paid = nightRest < left ? nightRest : left;
    left -= paid;
    rests.set(id, paid);
  }
  return rests;
}

/** A balance without what it owes for nights. Asked with every look at an account, so it makes nothing. */
export function withoutRests(balance: bigint, positions: readonly Position[]): bigint {
  let owed = 0n;
  for (const { status, nightRest } of positions) if (status === STATUS.open) owed += nightRest;
  if (owed === 0n || balance <= 0n) return balance;
  return owed < balance ? balance - owed : 0n;
}
