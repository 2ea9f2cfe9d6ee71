import type { SimulatedPart } from './part.js';

/** The team: tree, ranks and rebates. */
export const TEAM_PART: SimulatedPart<null> = {
  name: 'team',
  start: () => null,
  isSettled: () => true,
  holds: () => new Map(),
  moves: () => [],
  check: () => [],
  figures: () => ({}),
};
