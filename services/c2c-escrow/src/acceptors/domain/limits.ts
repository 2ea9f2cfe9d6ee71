/* What one person can keep of an acceptor, and how often they can be wrong about it (rules §7). */

/** Objections are counted over so long, and close deposits for so long after the last of them. */
export const STRIKE_DAYS = 30;
const STRIKE_MS = STRIKE_DAYS * 86_400_000;

/** Coins that the open deposits of one person may reserve of an acceptor who has so many free and reserved, down. */
export const personShare = (free: bigint, reserved: bigint, percent: number): bigint =>
  ((free + reserved) * BigInt(percent)) / 100n;

/** Coins that one person can still reserve: of what is free, within their share; `own` are reserved for them. */
export function reservableBy(free: bigint, reserved: bigint, own: bigint, percent: number): bigint {
  const share = personShare(free, reserved, percent) - own;
  const left = share < free ? share : free;
  return left > 0n ? left : 0n;
}

/**
 * Until when deposits are closed to a person, ms; null: they are open. `against`: when objections of theirs were
 * decided against them, in any order.
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
