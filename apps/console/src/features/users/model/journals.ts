import type { Journal, Leg } from '../../../core/journal.js';

/** Legs of a journal on the person's own accounts; the other legs are the house's. */
export const ownLegs = ({ legs }: Pick<Journal, 'legs'>, person: number): Leg[] =>
  legs.filter(({ owner }) => owner === String(person));
