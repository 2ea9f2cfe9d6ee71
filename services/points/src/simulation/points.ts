import type { SimulatedPart } from './part.js';

/** Points of the third party and of fees, and their exchange. */
export const POINTS_PART: SimulatedPart<null> = {
  name: 'points',
  start: () => null,
  isSettled: () => true,
  holds: () => new Map(),
  moves: () => [],
  check: () => [],
  figures: () => ({}),
};
