import { SECOND_PERSON_HOURS } from '@bourse/contract';

/** An operator was added or reset by these two sponsors: one requested it, the other approved it. */
export interface Sponsorship {
  readonly operatorId: number;
  readonly sponsorId: number;
}
export const SPONSORSHIP_MS = SECOND_PERSON_HOURS * 3_600_000;

/**
 * Whether two operators may be one person: they are the same, one was added or reset by the other, or both by a third,
 * over any number of steps. `living` contains the sponsorships that are not older than `SPONSORSHIP_MS` (api §2.12)
 * [HARD-104].
 */
export function mayBeOnePerson(living: readonly Sponsorship[], one: number, other: number): boolean {
  const behindOne = behind(living, one);
  return [...behind(living, other)].some((id) => behindOne.has(id));
}

/** An operator with all direct and indirect sponsors. */
function behind(living: readonly Sponsorship[], operatorId: number): ReadonlySet<number> {
  const found = new Set([operatorId]);
  // A set is iterated in the order of insertion, so the loop also visits the ids that it adds.
  for (const id of found) for (const link of living) if (link.operatorId === id) found.add(link.sponsorId);
  return found;
}
