import type { Part } from '@bourse/settings';
import { POINTS } from './points.js';
import { TEAM } from './team.js';

/** The products, each after those whose tables it refers to. */
export const PARTS: readonly Part[] = [POINTS, TEAM];
