import type { Leg } from '@bourse/events';

/** Issuer of the commands of this service. */
export const ISSUER = 'micro-settlement';

/** Legs that move something. */
export const moved = (legs: readonly Leg[]): Leg[] =>
  legs.filter(({ amount }) => typeof amount !== 'string' || !/^0(\.0*)?$/.test(amount));
