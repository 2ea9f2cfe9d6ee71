import type { Part } from '@bourse/settings';
import { POINTS } from './points/part.js';
import { TEAM } from './team/part.js';

/** The products, each after those whose tables it refers to. */
export const PARTS: readonly Part[] = [POINTS, TEAM];
