import type { Journal, Leg } from '../../../core/journal.js';

/** Legs of a journal that changed what the person has; the others are those of the house. */
export const ownLegs = ({ legs }: Pick<Journal, 'legs'>, person: number): Leg[] =>
  legs.filter(({ owner }) => owner === String(person));
