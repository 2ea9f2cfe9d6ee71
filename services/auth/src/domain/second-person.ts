import { SECOND_PERSON_HOURS } from '@bourse/contract';

/** An operator was added or reset, and these two stand behind it: one asked for it, the other approved it. */
export interface Sponsorship {
  readonly operatorId: number;
  readonly sponsorId: number;
}
export const SPONSORSHIP_MS = SECOND_PERSON_HOURS * 3_600_000;

/**
 * Whether two operators may stand for one person: they are the same, one was added or reset by the other, or both by a
 * third, over any number of steps. `living` holds the sponsorships that are not older than `SPONSORSHIP_MS` (api §2.12)
 * [HARD-104].
 */
export function mayBeOnePerson(living: readonly Sponsorship[], one: number, other: number): boolean {
  const behindOne = behind(living, one);
  return [...behind(living, other)].some((id) => behindOne.has(id));
}

/** An operator with all who have a hand in their access. */
function behind(living: readonly Sponsorship[], operatorId: number): ReadonlySet<number> {
  const found = new Set([operatorId]);
  // A set is read in the order of insertion, so whom this loop adds it visits too.
  for (const id of found) for (const link of living) if (link.operatorId === id) found.add(link.sponsorId);
  return found;
}
