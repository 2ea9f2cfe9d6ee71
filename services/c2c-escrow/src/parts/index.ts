import type { Part } from '@bourse/settings';
import { ACCEPTORS } from './acceptors.js';
import { APPEALS } from './appeals.js';
import { DEALS } from './deals.js';
import { SHOPS } from './shops.js';

/** The products, each after those whose tables it refers to. */
export const PARTS: readonly Part[] = [ACCEPTORS, SHOPS, DEALS, APPEALS];
