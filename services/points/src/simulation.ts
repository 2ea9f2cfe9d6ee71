// The part of this service in the simulator: its use cases over tables in memory. Only the simulator imports it.
import { simulateParts } from '@bourse/ledger-client';
import { POINTS_PART } from './simulation/points.js';
import { TEAM_PART } from './simulation/team.js';

export const SIMULATED = simulateParts('points', 'points', [POINTS_PART, TEAM_PART]);
