/* Limits of one person with an acceptor: reserved coins and rejected objections (rules §7). */

/** The period in which objections are counted, and for which they close deposits afterwards. */
export const STRIKE_DAYS = 30;
const STRIKE_MS = STRIKE_DAYS * 86_400_000;

/**
 * The coins that the open deposits of one person may reserve out of the acceptor's free and reserved coins, rounded
 * down.
 */
export const personShare = (free: bigint, reserved: bigint, percent: number): bigint =>
  ((free + reserved) * BigInt(percent)) / 100n;

/** The free coins that one person can still reserve within their share; `own` are reserved already. */
export function reservableBy(free: bigint, reserved: bigint, own: bigint, percent: number): bigint {
  const share = personShare(free, reserved, percent) - own;
  const left = share < free ? share : free;
  return left > 0n ? left : 0n;
}

/**
 * Until when deposits are closed to a person, ms; null: open. `against`: times of objections decided against them, in
 * any order.
 */
export function blockedUntil(against: readonly number[], strikes: number, now: number): number | null {
  const times = against.toSorted((a, b) => b - a);
  const last = times.find((time, at) => {
    const first = times[at + strikes - 1];
    return first !== undefined && time - first <= STRIKE_MS;
  });
  const until = last === undefined ? 0 : last + STRIKE_MS;
  return until > now ? until : null;
}
